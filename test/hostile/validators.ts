/**
 * Security check 30 (ASVS 1.3.12): the time that each reader of outside text takes for 64 kB that are
 * made to be slow. The reference is 50 ms.
 *
 *   bun test/hostile/validators.ts
 */
import { parseEmail } from '../../src/core/accounts/account.ts';
import { bearerKey } from '../../src/core/accounts/api-key.ts';
import { parseCode } from '../../src/core/codes/code.ts';
import { parseDestination } from '../../src/core/codes/destination.ts';
import { parseColor } from '../../src/core/designs/design.ts';
import { classifyHit } from '../../src/core/scans/hit.ts';
import { limitRange } from '../../src/http/api/paging.ts';
import { wholeNumber } from '../../src/lib/whole-number.ts';
import { createClientAddress } from '../../src/panel/client-address.ts';
import { readCookies } from '../../src/panel/cookies.ts';
import { safeNext } from '../../src/panel/csrf.ts';
import {
  readAdblockLine,
  readHostsLine,
  readPlainLine,
} from '../../src/reputation/lists/formats.ts';
import { entryExpression, localExpressions } from '../../src/reputation/url/expressions.ts';

const length = 65_536;
const clientAddress = createClientAddress(['10.0.0.0/8']);

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  destination: (text) => orRefusal(() => parseDestination(text, ['https://qr.example.com'])),
  'destination of the longest length': (text) =>
    orRefusal(() => parseDestination(text.slice(0, 2048), ['https://qr.example.com'])),
  code: parseCode,
  Authorization: bearerKey,
  'User-Agent': (text) => classifyHit('GET', { get: () => text }),
  'whole number': (text) =>
    wholeNumber(`?limit=${encodeURIComponent(text.toWellFormed())}`, 'limit', limitRange),
  Cookie: (text) => readCookies(text, true),
  'X-Forwarded-For': (text) => clientAddress('10.0.0.1', text),
  'page to go on to': safeNext,
  'e-mail': parseEmail,
  colour: parseColor,
  // Longer lines of a list are dropped unread.
  'entry of a list': (text) => entryExpression(text.slice(0, 16_384)),
  'line of a plain list': (text) => readPlainLine(text.slice(0, 16_384)),
  'line of a hosts file': (text) => readHostsLine(text.slice(0, 16_384)),
  'line of an Adblock list': (text) => readAdblockLine(text.slice(0, 16_384)),
  'expressions of a destination': (text) => localExpressions(text.slice(0, 2048)),
};

const starts = [
  '',
  'https://',
  'https://a.b/',
  'Bearer ',
  'bearer wmk_',
  '#',
  'a@',
  '/account',
  '0',
];
const parts = [
  ...['a', 'A', '0', '@', '/', '\\', '.', '%', '%25', ' ', '-', '_', ':', ';', ',', '=', '&', '#'],
  ...['a.', 'a@', '/a', '%zz', '1.', ':1', '; ', '=;', '10.0.0.1,', 'bot ', 'prefetch;', 'ü', '😀'],
];
const ends = ['', '!', '@', '\n', '\u2028'];

// What is slow is slow each time; what was only interrupted is not.
const tries = 4;

function timed(act: () => unknown): number {
  const begin = performance.now();
  act();
  return performance.now() - begin;
}

function orRefusal(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

console.log('| reader | texts | slowest, ms | of |\n| --- | ---: | ---: | --- |');
for (const [name, read] of Object.entries(readers)) {
  let slowest = { ms: 0, text: '' };
  let count = 0;
  for (const start of starts)
    for (const part of parts)
      for (const end of ends) {
        const text = start + part.repeat(Math.ceil(length / part.length)).slice(0, length) + end;
        const ms = Math.min(...Array.from({ length: tries }, () => timed(() => read(text))));
        count++;
        if (ms > slowest.ms) slowest = { ms, text: `${start}${part}…${end}` };
      }
  const of = JSON.stringify(slowest.text).replaceAll('|', '\\|');
  console.log(`| ${name} | ${count} | ${slowest.ms.toFixed(1)} | \`${of}\` |`);
}

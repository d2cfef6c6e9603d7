import { describe, expect, test } from 'bun:test';
import { realRandomBytes } from '../../src/compose/runtime.ts';
import { generateKey } from '../../src/core/accounts/api-key.ts';
import { newToken } from '../../src/core/accounts/session.ts';
import { codeAlphabet, newCode } from '../../src/core/codes/code.ts';
import type { Answer } from '../support/api.ts';
import { sharedServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { outcome } from '../support/wire.ts';

// Security checks 1, 5, 6 and 7 (ASVS 7.2.3, 8.2.2, 11.5.1): secrets cannot be guessed, and a guess reveals nothing.

const hexDigits = '0123456789abcdef';

test.each([
  ['API keys', () => generateKey('wmk', realRandomBytes).key.slice(4), hexDigits, 40],
  ['codes', () => newCode(realRandomBytes), codeAlphabet, 8],
  ['tokens of sessions and links', () => newToken(realRandomBytes), hexDigits, 64],
] as const)(
  '%s are unique and use every character at every position',
  (_, make, alphabet, length) => {
    const made = Array.from({ length: 10_000 }, make);
    expect(new Set(made).size).toBe(made.length);
    for (let position = 0; position < length; position++) {
      const counts = Map.groupBy(made, (text) => text.charAt(position));
      expect([...counts.keys()].sort().join('')).toBe([...alphabet].sort().join(''));
      // The expected count is 312 or 625; 150 less or more is beyond six standard deviations.
      for (const { length: count } of counts.values())
        expect(Math.abs(count - made.length / alphabet.length)).toBeLessThan(150);
    }
  },
);

const server = await sharedServer();
const alice = await server.account();
const bob = await server.account();
const own = await alice.api.create();

/** Returns everything in a response except the time and ids of the request. */
function comparable({ status, headers, text }: Answer): unknown {
  const fixed = [...headers].filter(([name]) => !/^(date|x-request-id|ratelimit-.*)$/.test(name));
  return { status, headers: fixed, text };
}

describe('security check 1 (rule 6): the response to a code of another account is that to an unknown code', () => {
  test.each([
    ['GET', ''],
    ['HEAD', ''],
    ['HEAD', '.png'],
    ['GET', '/stats'],
    ['GET', '.png'],
    ['GET', '.png?size=300'],
    ['GET', '.svg'],
    ['PATCH', ''],
    ['DELETE', ''],
  ])('%s …%s', async (method, suffix) => {
    const body = method === 'PATCH' ? { url: 'https://example.org/stolen' } : undefined;
    const existing = await bob.api.call(`${method} /qrs/${own.code}${suffix}`, body);
    const unknown = await bob.api.call(`${method} /qrs/zzzzzzzz${suffix}`, body);
    expect(comparable(existing)).toEqual(comparable(unknown));
    expect(existing.status).toBe(method === 'DELETE' ? 405 : 404);
    if (method === 'GET') expect(outcome(existing)).toBe('404 not_found');
  });

  test('with the ETag of its image', async () => {
    const etag = (await alice.api.call(`GET /qrs/${own.code}.png`)).headers.get('etag') ?? '';
    for (const tag of [etag, '*']) {
      const headers = { 'If-None-Match': tag };
      const answer = await bob.api.call(`GET /qrs/${own.code}.png`, undefined, headers);
      expect(outcome(answer)).toBe('404 not_found');
    }
    expect(await alice.api.read(own.code)).toEqual(own);
    expect(await bob.api.list()).toMatchObject({ data: [], total: 0 });
  });
});

test('security check 7: a thousand wrong short links are counted 404s and block no other scan', async () => {
  const guesses = Array.from({ length: 1000 }, () => newCode(realRandomBytes));
  const pages = await Promise.all(guesses.map((code) => visit(`${server.origin}/${code}`)));
  expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([404]));
  const withoutCode = pages.map(({ body }, index) => body.replace(guesses[index] ?? '', ''));
  expect(new Set(withoutCode).size).toBe(1);
  const metrics = await visit(`${server.origin}/metrics`);
  const count = /_requests_total\{route="short_link",status="404"\} (\d+)/.exec(metrics.body)?.[1];
  expect(Number(count)).toBeGreaterThanOrEqual(1000);
  expect((await visit(own.url)).status).toBe(302);
});

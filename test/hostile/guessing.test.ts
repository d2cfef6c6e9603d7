import { afterAll, describe, expect, test } from 'bun:test';
import { realRandomBytes } from '../../src/compose/runtime.ts';
import { generateKey } from '../../src/core/accounts/api-key.ts';
import { newToken } from '../../src/core/accounts/session.ts';
import { codeAlphabet, newCode } from '../../src/core/codes/code.ts';
import type { Answer } from '../support/api.ts';
import { startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { outcome } from '../support/wire.ts';

// Security checks 1, 5, 6 and 7 (ASVS 7.2.3, 8.2.2, 11.5.1): what cannot be guessed, and what a guess tells.

const many = 10_000;

/**
 * How far counts are from even ones (Pearson). Of `kinds` the mean is one less and the variance twice
 * that, so eight standard deviations are not met by chance in the life of this test.
 */
function unevenness(text: string, alphabet: string): { found: number; bound: number } {
  const counts = new Map([...alphabet].map((char) => [char, 0]));
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  const expected = text.length / alphabet.length;
  const found = [...counts.values()].reduce(
    (sum, count) => sum + (count - expected) ** 2 / expected,
    0,
  );
  const freedom = alphabet.length - 1;
  return { found, bound: freedom + 8 * Math.sqrt(2 * freedom) };
}

describe.each([
  [
    'security check 5: keys',
    () => generateKey('wmk', realRandomBytes).key.slice(4),
    '0123456789abcdef',
    40,
  ],
  ['security check 6: codes', () => newCode(realRandomBytes), codeAlphabet, 8],
  ['tokens of sessions and links', () => newToken(realRandomBytes), '0123456789abcdef', 64],
] as const)('%s', (_, make, alphabet, length) => {
  const made = Array.from({ length: many }, make);

  test(`of ${many} no two are alike and no character is favoured at any place`, () => {
    expect(new Set(made).size).toBe(many);
    for (let place = 0; place < length; place++) {
      const { found, bound } = unevenness(made.map((one) => one.charAt(place)).join(''), alphabet);
      expect(found).toBeLessThan(bound);
    }
  });

  test('one tells nothing of the next', () => {
    const numbers = made.map((one) => [...one.slice(0, 8)].map((char) => alphabet.indexOf(char)));
    const steps = new Set(
      numbers
        .slice(1)
        .map((number, index) =>
          number.map((digit, place) => digit - (numbers[index]?.[place] ?? 0)).join(),
        ),
    );
    expect(steps.size).toBeGreaterThan(many - 10);
  });
});

const server = await startServer();
afterAll(server.close);
const alice = await server.account('alice@example.org');
const bob = await server.account('bob@example.org');
const own = await alice.api.create();

/** Everything that an answer tells but the time and its own name. */
function told({ status, headers, text }: Answer): unknown {
  const telling = [...headers].filter(([name]) => !/^(date|x-request-id|ratelimit-.*)$/.test(name));
  return { status, telling, text };
}

describe('security check 1: a code of another account is answered as one that nobody has', () => {
  test.each([
    ['GET', ''],
    ['HEAD', ''],
    ['GET', '/stats'],
    ['GET', '.png'],
    ['GET', '.svg'],
    ['GET', '.png?size=4096'],
    ['PATCH', ''],
    ['DELETE', ''],
  ])('%s …%s, to the byte and in every header', async (method, suffix) => {
    const body = method === 'PATCH' ? { url: 'https://example.org/stolen' } : undefined;
    const [existing, missing] = [
      await bob.api.call(`${method} /qrs/${own.code}${suffix}`, body),
      await bob.api.call(`${method} /qrs/zzzzzzzz${suffix}`, body),
    ];
    expect(told(existing)).toEqual(told(missing));
    expect([404, 405]).toContain(existing.status);
  });

  test('with the tag of its image, too', async () => {
    const etag = (await alice.api.call(`GET /qrs/${own.code}.png`)).headers.get('etag') ?? '';
    for (const tag of [etag, '*'])
      expect(
        outcome(
          await bob.api.call(`GET /qrs/${own.code}.png`, undefined, { 'If-None-Match': tag }),
        ),
      ).toBe('404 not_found');
    expect(await alice.api.read(own.code)).toEqual(own);
  });
});

describe('security check 7: guessing short links', () => {
  test('a thousand wrong ones are a thousand 404s, seen in the metrics, and nobody is kept out', async () => {
    const guesses = Array.from({ length: 1000 }, () => newCode(realRandomBytes));
    const statuses = await Promise.all(
      guesses.map(async (code) => (await visit(`${server.origin}/${code}`)).status),
    );
    expect(new Set(statuses)).toEqual(new Set([404]));
    const metrics = await visit(`${server.origin}/metrics`);
    const count = /waymark_http_requests_total\{route="short_link",status="404"\} (\d+)/.exec(
      metrics.body,
    )?.[1];
    expect(Number(count)).toBeGreaterThanOrEqual(1000);
    // Whoever shares the address of someone who guesses still gets where the print leads.
    expect((await visit(own.url)).status).toBe(302);
  });

  test('a wrong code differs from a word and from another wrong code by nothing', async () => {
    const pages = await Promise.all(
      ['zzzzzzzz', '00000000', 'ZZZZZZZZ'].map((code) => visit(`${server.origin}/${code}`)),
    );
    expect(new Set(pages.map(({ body }) => body)).size).toBe(1);
  });
});

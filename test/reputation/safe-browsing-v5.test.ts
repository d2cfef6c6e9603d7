import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { hashSearchFromProtobuf } from '../../src/reputation/providers/hash-search.ts';
import { MalformedMessage } from '../../src/reputation/providers/protobuf.ts';
import { createSafeBrowsingV5 } from '../../src/reputation/providers/safe-browsing-v5.ts';
import { hashOf } from '../../src/reputation/url/expressions.ts';
import { serve } from './stub.ts';
import { type Found, json, protobuf } from './v5-wire.ts';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const key = 'AIza-a-secret-key';
const evil = 'https://www.evil.example/a/b?c';

const encodings: [name: string, answer: (found: readonly Found[], seconds: number) => Response][] =
  [
    [
      'protobuf',
      (found, seconds) =>
        new Response(protobuf(found, seconds), {
          headers: { 'Content-Type': 'application/x-protobuf' },
        }),
    ],
    ['JSON', (found, seconds) => Response.json(json(found, seconds))],
  ];

test.each(encodings)('asks with prefixes only and understands a match in %s', async (_, answer) => {
  const stub = serve(() =>
    answer([{ hash: hashOf('evil.example/'), details: [{ type: 2 }, { type: 1 }] }], 300),
  );
  const v5 = createSafeBrowsingV5({ fetch, key, url: stub.url });
  expect(await v5.ask(evil, nowMs)).toEqual({
    unsafe: true,
    threat: 'SOCIAL_ENGINEERING, MALWARE',
    expression: 'evil.example/',
  });
  const asked = new URL(stub.requests[0]?.url ?? '');
  expect(asked.pathname).toBe('/v5/hashes:search');
  expect(asked.searchParams.get('key')).toBe(key);
  const prefixes = asked.searchParams
    .getAll('hashPrefixes')
    .map((text) => Buffer.from(text, 'base64'));
  expect(prefixes.every((prefix) => prefix.length === 4)).toBe(true);
  const expected = [
    ...[
      'www.evil.example/a/b?c',
      'www.evil.example/a/b',
      'www.evil.example/',
      'www.evil.example/a/',
    ],
    ...['evil.example/a/b?c', 'evil.example/a/b', 'evil.example/', 'evil.example/a/'],
  ];
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  expect(prefixes.map(hex)).toEqual(
    expected.map((expression) => hex(hashOf(expression).subarray(0, 4))),
  );
  expect(stub.requests[0]?.url).not.toContain('evil');
});

test.each(encodings)('a hash that only shares the prefix is not ours, in %s', async (_, answer) => {
  const other = hashOf('evil.example/');
  other[31] = (other[31] ?? 0) ^ 1;
  const stub = serve(() => answer([{ hash: other, details: [{ type: 1 }] }], 300));
  expect(await createSafeBrowsingV5({ fetch, key, url: stub.url }).ask(evil, nowMs)).toEqual({
    unsafe: false,
  });
});

test.each(encodings)(
  'details that are not to be enforced, or not known, are void, in %s',
  async (_, answer) => {
    const details = [{ type: 1, attributes: [1] }, { type: 1, attributes: [2] }, { type: 99 }];
    const stub = serve(() => answer([{ hash: hashOf('evil.example/'), details }], 300));
    expect(await createSafeBrowsingV5({ fetch, key, url: stub.url }).ask(evil, nowMs)).toEqual({
      unsafe: false,
    });
  },
);

test.each(encodings)(
  'answers hold for every prefix that was asked, the empty ones too, in %s',
  async (_, answer) => {
    const stub = serve((_request, count) =>
      answer(count === 1 ? [{ hash: hashOf('evil.example/'), details: [{ type: 1 }] }] : [], 300),
    );
    const v5 = createSafeBrowsingV5({ fetch, key, url: stub.url });
    await v5.ask(evil, nowMs);
    // Another URL of the same domain is known without asking; one of another domain is not.
    expect(v5.cached('http://x.evil.example/zzz', nowMs)).toMatchObject({
      unsafe: true,
      expression: 'evil.example/',
    });
    expect(v5.cached('https://www.evil.example/a/b?c', nowMs + 299_999)).toMatchObject({
      unsafe: true,
    });
    expect(v5.cached(evil, nowMs + 300_000)).toBeNull();
    expect(v5.cached('http://clean.example/', nowMs)).toBeNull();
    await v5.ask('http://clean.example/', nowMs);
    expect(v5.cached('http://clean.example/', nowMs + 299_999)).toEqual({ unsafe: false });
    // Only what is not known yet goes out.
    await v5.ask('http://clean.example/new', nowMs);
    expect(new URL(stub.requests[2]?.url ?? '').searchParams.getAll('hashPrefixes')).toHaveLength(
      1,
    );
  },
);

test('an empty message is a clean answer that holds no longer than it is given', async () => {
  const headers = { 'Content-Type': 'application/x-protobuf' };
  const stub = serve(() => new Response(null, { headers }));
  const v5 = createSafeBrowsingV5({ fetch, key, url: stub.url });
  expect(await v5.ask(evil, nowMs)).toEqual({ unsafe: false });
  expect(v5.cached(evil, nowMs)).toBeNull();
});

test('no answer holds longer than a day', async () => {
  const stub = serve(() => Response.json({ cacheDuration: '999999999s' }));
  const v5 = createSafeBrowsingV5({ fetch, key, url: stub.url });
  await v5.ask(evil, nowMs);
  expect(v5.cached(evil, nowMs + 86_399_999)).toEqual({ unsafe: false });
  expect(v5.cached(evil, nowMs + 86_400_000)).toBeNull();
});

const malformed: [name: string, answer: () => Response][] = [
  ['a list', () => Response.json([])],
  ['hashes that are no list', () => Response.json({ fullHashes: {} })],
  ['a short hash', () => Response.json({ fullHashes: [{ fullHash: 'AAAA' }] })],
  ['no hash', () => Response.json({ fullHashes: [{}] })],
  ['a strange duration', () => Response.json({ cacheDuration: 'long' })],
  [
    'broken JSON',
    () => new Response('{"fullHashes": [', { headers: { 'Content-Type': 'application/json' } }),
  ],
  [
    'a web page',
    () => new Response('', { headers: { 'Content-Type': 'text/html; charset=utf-8' } }),
  ],
  [
    'a cut message',
    () => new Response(protobuf([{ hash: hashOf('a/'), details: [] }], 300).subarray(0, 20)),
  ],
  [
    'a short hash in protobuf',
    () => new Response(protobuf([{ hash: new Uint8Array(4), details: [] }], 300)),
  ],
];

test.each(malformed)('%s is malformed, not clean', async (_, answer) => {
  const stub = serve(answer);
  const asked = createSafeBrowsingV5({ fetch, key, url: stub.url }).ask(evil, nowMs);
  await expect(asked).rejects.toMatchObject({ kind: 'malformed' });
});

test('any bytes whatever are a message or malformed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        expect(hashSearchFromProtobuf(bytes).cacheMs).toBeLessThanOrEqual(86_400_000);
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedMessage);
      }
    }),
    { numRuns: 2_000 },
  );
});

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ProviderFailure } from '../../src/reputation/providers/provider.ts';
import {
  createSafeBrowsingV5,
  hashSearchFromProtobuf,
} from '../../src/reputation/providers/safe-browsing-v5.ts';
import { hashOf } from '../../src/reputation/url/expressions.ts';
import { serve } from './stub.ts';
import { type Found, json, protobuf } from './v5-wire.ts';

const key = 'AIza-a-secret-key';
const evil = 'https://www.evil.example/a/b?c';
const asProtobuf = { headers: { 'Content-Type': 'application/x-protobuf' } };

/** Asks about the URL at a server that gives this response. */
async function ask(response: () => Response) {
  const stub = serve(response);
  const result = await createSafeBrowsingV5({ fetch, key, url: stub.url }).ask(evil, 0);
  return { ...result, request: new URL(stub.requests[0]?.url ?? '') };
}

describe.each([
  ['protobuf', (found: readonly Found[]) => new Response(protobuf(found, 300), asProtobuf)],
  ['JSON', (found: readonly Found[]) => Response.json(json(found, 300))],
])('a response in %s', (_, respond) => {
  const hash = hashOf('evil.example/');

  test('flags the expression whose full hash it has, asked for by prefixes', async () => {
    const { verdict, cacheMs, request } = await ask(() =>
      respond([{ hash, details: [{ type: 2 }, { type: 1 }] }]),
    );
    expect(verdict).toEqual({ unsafe: true, expression: 'evil.example/' });
    expect(cacheMs).toBe(300_000);
    expect(request.pathname).toBe('/v5/hashes:search');
    expect(request.searchParams.get('key')).toBe(key);
    const expected = ['www.evil.example', 'evil.example'].flatMap((host) =>
      ['/a/b?c', '/a/b', '/', '/a/'].map((path) =>
        hashOf(host + path)
          .subarray(0, 4)
          .toBase64(),
      ),
    );
    expect(request.searchParams.getAll('hashPrefixes')).toEqual(expected);
    expect(request.href).not.toContain('evil');
  });

  const almost = hash.map((byte, index) => (index === 31 ? byte ^ 1 : byte));
  const notEnforced = [{ type: 1, attributes: [1] }, { type: 1, attributes: [2] }, { type: 99 }];
  test.each([
    ['another hash with the same prefix', [{ hash: almost, details: [{ type: 1 }] }]],
    ['details that are not enforced or unknown', [{ hash, details: notEnforced }]],
    ['no hash', []],
  ])('%s is safe', async (_name, found) => {
    expect((await ask(() => respond(found))).verdict).toEqual({ unsafe: false });
  });
});

test('an empty message is safe, and not cached', async () => {
  const result = await ask(() => new Response(null, asProtobuf));
  expect(result).toMatchObject({ verdict: { unsafe: false }, cacheMs: 0 });
});

const cut = protobuf([{ hash: hashOf('a/'), details: [] }], 300).subarray(0, 20);
test.each<[string, () => Response]>([
  ['a list', () => Response.json([])],
  ['hashes that are no list', () => Response.json({ fullHashes: {} })],
  ['a short hash', () => Response.json({ fullHashes: [{ fullHash: 'AAAA' }] })],
  ['an invalid duration', () => Response.json({ cacheDuration: 'long' })],
  ['a web page', () => new Response('', { headers: { 'Content-Type': 'text/html' } })],
  ['a cut message', () => new Response(cut, asProtobuf)],
  [
    'a short hash in protobuf',
    () => new Response(protobuf([{ hash: new Uint8Array(4), details: [] }], 300), asProtobuf),
  ],
])('%s is malformed, not safe', async (_, response) => {
  await expect(ask(response)).rejects.toThrow('not of the documented form');
});

test('any bytes are a message or malformed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        expect(hashSearchFromProtobuf(bytes).cacheMs).toBeGreaterThanOrEqual(0);
      } catch (error) {
        expect(error).toBeInstanceOf(ProviderFailure);
      }
    }),
    { numRuns: 500 },
  );
});

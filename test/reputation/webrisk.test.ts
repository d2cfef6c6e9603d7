import { expect, test } from 'bun:test';
import { createWebRisk } from '../../src/reputation/providers/web-risk.ts';
import { serve } from './stub.ts';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const key = 'AIza-a-secret-key';
const evil = 'https://evil.example/a?b=c&d';
const threat = { threatTypes: ['MALWARE'], expireTime: '2026-11-21T12:05:00.000000000Z' };

/** Asks about a URL at a server that gives this response. */
async function ask(response: unknown, url = evil) {
  const stub = serve(() => Response.json(response));
  const result = await createWebRisk({ fetch, key, url: stub.url }).ask(url, nowMs);
  const [request] = stub.requests;
  return { result, method: request?.method, asked: new URL(request?.url ?? '') };
}

test('sends the request as documented, and caches a threat until it expires', async () => {
  const { result, method, asked } = await ask({ threat });
  expect(result).toEqual({ verdict: { unsafe: true, expression: evil }, cacheMs: 300_000 });
  expect([method, asked.pathname]).toEqual(['GET', '/v1/uris:search']);
  expect([...asked.searchParams]).toEqual([
    ['threatTypes', 'MALWARE'],
    ['threatTypes', 'SOCIAL_ENGINEERING'],
    ['threatTypes', 'UNWANTED_SOFTWARE'],
    ['uri', evil],
    ['key', key],
  ]);
});

test('a safe verdict is an empty object, cached for a minute', async () => {
  expect((await ask({})).result).toEqual({ verdict: { unsafe: false }, cacheMs: 60_000 });
});

const smiles = '😀'.repeat(1000);
test.each([
  [`https://evil.example/login?pad=${smiles}`, 'https://evil.example/login'],
  [`https://evil.example/a/${smiles}`, 'https://evil.example/'],
])('an overlong URL %#. is shortened to %s', async (long, shortened) => {
  const { result, asked } = await ask({ threat }, new URL(long).href);
  expect(result.verdict).toEqual({ unsafe: true, expression: shortened });
  expect(asked.href.length).toBeLessThanOrEqual(8000);
  expect(asked.searchParams.get('uri')).toBe(shortened);
});

test('a text that is no URL and too long is not sent', async () => {
  const stub = serve(() => Response.json({}));
  const asked = createWebRisk({ fetch, key, url: stub.url }).ask('€'.repeat(2100), nowMs);
  await expect(asked).rejects.toThrow('too long');
  expect(stub.requests).toHaveLength(0);
});

test.each([
  [null],
  [{ threat: {} }],
  [{ threat: { threatTypes: [] } }],
  [{ threat: { threatTypes: 'MALWARE' } }],
  [{ threat: { threatTypes: ['MALWARE'], expireTime: 'soon' } }],
])('the response %j is malformed, not safe', async (response) => {
  await expect(ask(response)).rejects.toThrow('not of the documented form');
});

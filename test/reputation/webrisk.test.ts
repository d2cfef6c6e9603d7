import { expect, test } from 'bun:test';
import { createWebRisk } from '../../src/reputation/providers/web-risk.ts';
import { serve } from './stub.ts';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const key = 'AIza-a-secret-key';
const evil = 'https://evil.example/a?b=c&d';
const threat = { threatTypes: ['MALWARE'], expireTime: '2026-11-21T12:05:00.000000000Z' };

test('sends the request as documented, and caches a threat until it expires', async () => {
  const stub = serve(() => Response.json({ threat }));
  expect(await createWebRisk({ fetch, key, url: stub.url }).ask(evil, nowMs)).toEqual({
    verdict: { unsafe: true, expression: evil },
    cacheMs: 300_000,
  });
  const [request] = stub.requests;
  const { pathname, searchParams } = new URL(request?.url ?? '');
  expect([request?.method, pathname]).toEqual(['GET', '/v1/uris:search']);
  expect([...searchParams]).toEqual([
    ['threatTypes', 'MALWARE'],
    ['threatTypes', 'SOCIAL_ENGINEERING'],
    ['threatTypes', 'UNWANTED_SOFTWARE'],
    ['uri', evil],
    ['key', key],
  ]);
});

test('a safe verdict is an empty object, cached for a minute', async () => {
  const stub = serve(() => Response.json({}));
  const result = await createWebRisk({ fetch, key, url: stub.url }).ask(evil, nowMs);
  expect(result).toEqual({ verdict: { unsafe: false }, cacheMs: 60_000 });
});

const smiles = '😀'.repeat(1000);
test.each([
  [`https://evil.example/login?pad=${smiles}`, 'https://evil.example/login'],
  [`https://evil.example/a/${smiles}`, 'https://evil.example/'],
])('an overlong URL %#. is shortened to %s', async (long, asked) => {
  const stub = serve(() => Response.json({ threat }));
  const webRisk = createWebRisk({ fetch, key, url: stub.url });
  const { verdict } = await webRisk.ask(new URL(long).href, nowMs);
  expect(verdict).toEqual({ unsafe: true, expression: asked });
  const [request] = stub.requests;
  expect(request?.url.length).toBeLessThanOrEqual(8000);
  expect(new URL(request?.url ?? '').searchParams.get('uri')).toBe(asked);
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
  const stub = serve(() => Response.json(response));
  const asked = createWebRisk({ fetch, key, url: stub.url }).ask(evil, nowMs);
  await expect(asked).rejects.toThrow('not of the documented form');
});

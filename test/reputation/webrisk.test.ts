import { expect, test } from 'bun:test';
import { createWebRisk } from '../../src/reputation/providers/web-risk.ts';
import { serve } from './stub.ts';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const key = 'AIza-a-secret-key';
const evil = 'https://evil.example/a?b=c&d#fragment';
const hit = {
  threat: {
    threatTypes: ['MALWARE', 'SOCIAL_ENGINEERING'],
    expireTime: '2026-11-21T12:05:00.000000000Z',
  },
};

test('asks as documented and understands a match', async () => {
  const stub = serve(() => Response.json(hit));
  const webrisk = createWebRisk({ fetch, key, url: `${stub.url}/` });
  expect(await webrisk.ask(evil, nowMs)).toEqual({
    unsafe: true,
    threat: 'MALWARE, SOCIAL_ENGINEERING',
    expression: 'https://evil.example/a?b=c&d',
  });
  const asked = new URL(stub.requests[0]?.url ?? '');
  expect(stub.requests[0]?.method).toBe('GET');
  expect(asked.pathname).toBe('/v1/uris:search');
  expect(asked.searchParams.getAll('threatTypes')).toEqual([
    'MALWARE',
    'SOCIAL_ENGINEERING',
    'UNWANTED_SOFTWARE',
  ]);
  expect(asked.searchParams.get('uri')).toBe('https://evil.example/a?b=c&d');
  expect(asked.searchParams.get('key')).toBe(key);
});

const smiles = '😀'.repeat(1000);
test.each([
  ['https://evil.example/login', `https://evil.example/login?pad=${smiles}`],
  ['https://evil.example/a/b/c/', `https://evil.example/a/b/c/d/${smiles}`],
  ['https://evil.example/a/b/', `https://evil.example/a/b/${smiles}/c?d=e`],
  ['https://evil.example/a/login?b=c', `https://evil.example/${smiles}/%252e%252e/a/login?b=c`],
  ['https://evil.example/', `https://evil.example/${smiles}`],
])('in place of an overlong address %s is asked about', async (asked, destination) => {
  const stub = serve(() => Response.json(hit));
  const webrisk = createWebRisk({ fetch, key, url: stub.url });
  expect(await webrisk.ask(destination, nowMs)).toMatchObject({ unsafe: true, expression: asked });
  const [request] = stub.requests;
  expect(request?.url.length).toBeLessThanOrEqual(8000);
  expect(new URL(request?.url ?? '').searchParams.get('uri')).toBe(asked);
  expect(webrisk.cached(destination, nowMs)).toMatchObject({ unsafe: true });
});

test('a match holds until its expireTime, and for other fragments too', async () => {
  const stub = serve(() => Response.json(hit));
  const webrisk = createWebRisk({ fetch, key, url: stub.url });
  expect(webrisk.cached(evil, nowMs)).toBeNull();
  await webrisk.ask(evil, nowMs);
  const expiresMs = Date.parse('2026-11-21T12:05:00Z');
  expect(webrisk.cached('https://evil.example/a?b=c&d#other', expiresMs - 1)).toMatchObject({
    unsafe: true,
  });
  expect(webrisk.cached(evil, expiresMs)).toBeNull();
  expect(webrisk.cached('https://evil.example/a', nowMs)).toBeNull();
});

test('a clean answer is empty and holds for a minute', async () => {
  const stub = serve(() => Response.json({}));
  const webrisk = createWebRisk({ fetch, key, url: stub.url });
  expect(await webrisk.ask(evil, nowMs)).toEqual({ unsafe: false });
  expect(webrisk.cached(evil, nowMs + 59_999)).toEqual({ unsafe: false });
  expect(webrisk.cached(evil, nowMs + 60_000)).toBeNull();
});

const malformed: unknown[] = [
  null,
  [],
  'clean',
  { threat: null },
  { threat: [] },
  { threat: {} },
  { threat: { threatTypes: [] } },
  { threat: { threatTypes: 'MALWARE' } },
  { threat: { threatTypes: [1], expireTime: '2026-11-21T12:05:00Z' } },
  { threat: { threatTypes: ['MALWARE', 'no type'], expireTime: '2026-11-21T12:05:00Z' } },
  { threat: { threatTypes: ['MALWARE'], expireTime: 'soon' } },
];

test.each(malformed.map((answer) => [answer]))(
  'the answer %j is malformed, not clean',
  async (answer) => {
    const stub = serve(() => Response.json(answer));
    const asked = createWebRisk({ fetch, key, url: stub.url }).ask(evil, nowMs);
    await expect(asked).rejects.toMatchObject({ kind: 'malformed' });
  },
);

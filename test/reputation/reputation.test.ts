import { expect, test } from 'bun:test';
import { createHttpProtocol } from '../../src/reputation/providers/http.ts';
import { createProvider } from '../../src/reputation/providers/provider.ts';
import type { SafetyOptions } from '../../src/reputation/reputation.ts';
import { addRule } from '../../src/reputation/rules.ts';
import { createStores, nowMs } from './stores.ts';
import { createTestClock, type Stub, serve } from './stub.ts';

const { openStores } = createStores();

function createCheck(options: Partial<SafetyOptions> = {}) {
  const stores = openStores();
  return { ...stores, check: stores.createCheck(options) };
}

function providerAt({ url }: Stub) {
  return createProvider(createHttpProtocol({ fetch, url, deadlineMs: 10_000 }), createTestClock());
}

const flaggedBy = (list: string, expression: string) =>
  ({ flagged: true, list, expression }) as const;

test('lists and built-in test addresses flag a destination', async () => {
  const { importText, check } = createCheck();
  expect(await check.check('https://evil.example/')).toEqual({ flagged: false, checked: 'fully' });
  await importText('feed', 'evil.example');
  const listed = await check.check('https://www.evil.example/login');
  expect(listed).toEqual(flaggedBy('feed', 'evil.example/'));
  const builtIn = await check.check('http://malware.testing.google.test/');
  expect(builtIn).toEqual(flaggedBy('built-in', 'malware.testing.google.test/'));
  const checks = { total: 3, flagged: 2, partly: 0 };
  expect(check.status()).toMatchObject({ checks, provider: null });
});

test('the provider is asked only where neither rules nor lists decide', async () => {
  const stub = serve(() => Response.json({ unsafe: true }));
  const { rules, importText, check } = createCheck({ provider: providerAt(stub) });
  await importText('feed', 'evil.example');
  await addRule(rules, 'allow', 'mine.example', { nowMs });
  await addRule(rules, 'block', 'theirs.example', { nowMs });
  expect(await check.check('http://evil.example')).toMatchObject({ list: 'feed' });
  expect(await check.check('http://mine.example')).toEqual({ flagged: false, checked: 'fully' });
  expect(await check.check('http://theirs.example')).toMatchObject({ list: 'operator' });
  expect(stub.requests).toHaveLength(0);
  const asked = await check.check('http://else.example');
  expect(asked).toEqual(flaggedBy('http', 'http://else.example/'));
});

test('unreadable lists make checks partial, and the provider is asked', async () => {
  const safe = serve(() => Response.json({ unsafe: false }));
  const down = serve(() => new Response('', { status: 503 }));
  for (const provider of [null, providerAt(safe), providerAt(down)]) {
    const { database, rules, check } = createCheck({ provider });
    database.run('DROP TABLE threat_lists');
    await addRule(rules, 'block', 'evil.example', { nowMs });
    expect(await check.check('http://good.example')).toEqual({ flagged: false, checked: 'partly' });
    expect(await check.check('http://evil.example')).toMatchObject({ list: 'operator' });
    expect(check.status().checks.partly).toBe(1);
  }
});

test('an explanation has everything that decides the verdict', async () => {
  const stub = serve(() => Response.json({ unsafe: false }));
  const { rules, importText, check } = createCheck({ provider: providerAt(stub) });
  await importText('feed', 'evil.example\nevil.example/a/');
  await importText('other', 'evil.example', { nowMs: nowMs + 1 });
  const explained = await check.explain('HTTP://EVIL.example:80/%61/x?q#f');
  expect(explained).toEqual({
    url: 'HTTP://EVIL.example:80/%61/x?q#f',
    canonical: 'http://evil.example/a/x?q',
    expressions: ['evil.example/a/x?q', 'evil.example/a/x', 'evil.example/', 'evil.example/a/'],
    matches: [
      { list: 'feed', decision: 'block', expression: 'evil.example/', sinceMs: nowMs },
      { list: 'other', decision: 'block', expression: 'evil.example/', sinceMs: nowMs + 1 },
      { list: 'feed', decision: 'block', expression: 'evil.example/a/', sinceMs: nowMs },
    ],
    provider: { name: 'http', unsafe: false, failure: null },
    verdict: 'flagged',
    decidedBy: 'feed',
  });
  await addRule(rules, 'allow', 'evil.example', { nowMs, note: 'a mistake of the list' });
  for (const [url, explanation] of [
    ['http://evil.example', { verdict: 'allowed', decidedBy: 'operator' }],
    ['http://good.example', { verdict: 'not flagged', decidedBy: null }],
    ['no URL at all', { verdict: 'not flagged' }],
    ['', { canonical: null, expressions: [], verdict: 'not flagged' }],
  ] as const)
    expect(await check.explain(url)).toMatchObject(explanation);
});

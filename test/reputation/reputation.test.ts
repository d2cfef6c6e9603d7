import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { createHttpProtocol } from '../../src/reputation/providers/http.ts';
import { createProvider } from '../../src/reputation/providers/provider.ts';
import type { SafetyOptions } from '../../src/reputation/reputation.ts';
import { addRule } from '../../src/reputation/rules.ts';
import { listsPath } from '../../src/sqlite/safety/lists.ts';
import { createStores, nowMs } from './stores.ts';
import { createTestClock, type Stub, serve } from './stub.ts';

const { openStores } = createStores();

function createCheck(options: Partial<SafetyOptions> = {}) {
  const stores = openStores();
  return { ...stores, check: stores.createCheck(options) };
}

function providerAt({ url }: Stub) {
  return createProvider(createHttpProtocol({ fetch, url, deadlineMs: 500 }), createTestClock());
}

test('lists flag a destination, with expression and date', async () => {
  const { importText, check } = createCheck();
  expect(await check.check('https://evil.example/')).toEqual({ flagged: false, checked: 'fully' });
  await importText('feed', 'evil.example');
  expect(await check.check('https://www.evil.example/login')).toEqual({
    flagged: true,
    list: 'feed',
    expression: 'evil.example/',
  });
  expect(await check.check('http://malware.testing.google.test/')).toEqual({
    flagged: true,
    list: 'built-in',
    expression: 'malware.testing.google.test/',
  });
  expect(check.status()).toMatchObject({
    checks: { total: 3, flagged: 2, partly: 0 },
    provider: null,
  });
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
  expect(await check.check('http://else.example')).toEqual({
    flagged: true,
    list: 'http',
    expression: 'http://else.example/',
  });
});

test('when the provider fails, lists decide and other destinations are allowed for now', async () => {
  const stub = serve(() => new Response('', { status: 503 }));
  const reported: string[] = [];
  const { importText, check } = createCheck({
    provider: providerAt(stub),
    onProviderFailure: ({ message }) => reported.push(message),
  });
  await importText('feed', 'evil.example');
  expect(await check.check('http://evil.example')).toMatchObject({ flagged: true, list: 'feed' });
  expect(await check.check('http://good.example')).toEqual({ flagged: false, checked: 'locally' });
  expect(reported).toEqual(['The provider responds with status 503.']);
  expect(check.status()).toMatchObject({
    checks: { total: 2, flagged: 1, partly: 1, unavailable: 0 },
    provider: 'http',
    warnings: ['the safe-browsing provider fails: The provider responds with status 503.'],
  });
});

test('with onFailure: refuse, a failing provider makes the check unavailable', async () => {
  const stub = serve(() => new Response('', { status: 503 }));
  const { importText, check } = createCheck({ provider: providerAt(stub), onFailure: 'refuse' });
  await importText('feed', 'evil.example');
  expect(await check.check('http://evil.example')).toMatchObject({ flagged: true });
  const refused: unknown = await check
    .check('http://good.example')
    .catch((error: unknown) => error);
  expect(refused).toMatchObject({
    name: 'ApiError',
    code: 'unavailable',
    headers: { 'Retry-After': '30' },
  });
  expect(check.status().checks).toMatchObject({ unavailable: 1, partly: 0 });
});

test('re-checks of stored destinations are never unavailable, and not counted', async () => {
  const stub = serve(() => new Response('', { status: 503 }));
  const { importText, check } = createCheck({ provider: providerAt(stub), onFailure: 'refuse' });
  await importText('feed', 'evil.example');
  const { whole, locally } = check.rechecks;
  for (const reputation of [whole, locally]) {
    expect(await reputation.check('http://good.example')).toEqual({
      flagged: false,
      checked: 'locally',
    });
    expect(await reputation.check('http://evil.example')).toMatchObject({ flagged: true });
  }
  expect(stub.requests).toHaveLength(1);
  expect(check.status().checks.total).toBe(0);
});

test('unreadable lists make checks partial, and the provider is asked', async () => {
  const safe = serve(() => Response.json({ unsafe: false }));
  const down = serve(() => new Response('', { status: 503 }));
  for (const provider of [null, providerAt(safe), providerAt(down)]) {
    const { folder, rules, check } = createCheck({ provider });
    await Bun.write(listsPath(folder), 'no database');
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
  expect(await check.explain('http://evil.example')).toMatchObject({
    verdict: 'allowed',
    decidedBy: 'operator',
  });
  expect(await check.explain('http://good.example')).toMatchObject({
    verdict: 'not flagged',
    decidedBy: null,
  });
  expect(await check.explain('no URL at all')).toMatchObject({ verdict: 'not flagged' });
  expect(await check.explain('')).toMatchObject({
    canonical: null,
    expressions: [],
    verdict: 'not flagged',
  });
});

const evasions = [
  'http://evil.example/bad',
  'HTTPS://EVIL.EXAMPLE/bad',
  'http://evil.example./bad',
  'http://evil.example:8443/bad',
  'http://ev%69l.example/bad',
  'http://evil.example/%62ad',
  'http://evil.example/%2562ad',
  'http://evil.example/%25%36%32ad',
  'http://evil.example/x/../bad',
  'http://evil.example/x/%2e%2e/bad',
  'http://evil.example/x/%252e%252e/bad',
  'http://evil.example/./bad',
  'http://evil.example//bad',
  'http://evil.example/bad#frag',
  'http://evil.example/bad?x=1',
  'http://evil.example\\bad',
  'http://evil.example/x\\..\\bad',
  'http://ｅｖｉｌ.example/bad',
  'http://evil。example/bad',
  'http://ev\u00adil.example/bad',
  'http://evil.example/b\tad',
  'http://evil.exa\nmple/bad',
  'http://user:pw@evil.example/bad',
  'http://good.example\\@evil.example/bad',
  'http://evil.example\\@good.example/../bad',
  'http://www.evil.example/bad',
  'http://good.example@evil.example/bad',
  'http://a.b.c.d.e.f.g.evil.example/bad',
  '  http://evil.example/bad  ',
  'http:evil.example/bad',
  'http:/evil.example/bad',
  'http:///evil.example/bad',
  'evil.example/bad',
];

test.each(evasions)('the spelling %j of a listed URL is flagged', async (url) => {
  const { importText, check } = createCheck();
  await importText('feed', 'http://evil.example/bad');
  expect(await check.check(url)).toMatchObject({ flagged: true });
});

const addressSpellings = [
  '203.0.113.9',
  '203.0.113.9.',
  '0313.0.0161.011',
  '0xcb.0x0.0x71.0x9',
  '0xCB007109',
  '3405803785',
  '203.0.28937',
  '203.28937',
  '031300070411',
  '[::ffff:203.0.113.9]',
  '[::ffff:cb00:7109]',
  '[64:ff9b::203.0.113.9]',
  '２０３.0.113.9',
  '%32%30%33.0.113.9',
  'x@203.0.113.9:81',
  '203。0。113。9',
];

test.each(addressSpellings)('the spelling %s of a listed address is flagged', async (host) => {
  const { importText, check } = createCheck();
  await importText('feed', '203.0.113.9');
  expect(await check.check(`http://${host}/any?thing`)).toMatchObject({
    flagged: true,
    expression: '203.0.113.9/',
  });
});

/** Spells a character of a path or host in one of the ways that mean the same. */
const escapeOnce = (character: string) =>
  `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
const spellings: ((character: string) => string)[] = [
  (character) => character,
  escapeOnce,
  (character) => escapeOnce(character).replace('%', '%25'),
  (character) => [...escapeOnce(character)].map(escapeOnce).join(''),
  (character) => `\t${character}`,
];
const hostSpellings = [...spellings.slice(0, 2), (character: string) => character.toUpperCase()];

test('every spelling of a blocked URL is flagged', async () => {
  const { rules, check } = createCheck();
  const host = 'evil.example';
  const path = '/bad/page.html';
  await addRule(rules, 'block', `http://${host}${path}`, { nowMs });
  const mixed = (text: string, ways: readonly ((character: string) => string)[]) =>
    fc
      .array(fc.nat(ways.length - 1), { minLength: text.length, maxLength: text.length })
      .map((picks) =>
        [...text].map((character, index) => ways[picks[index] ?? 0]?.(character)).join(''),
      );
  const variant = fc.record({
    scheme: fc.constantFrom('http://', 'https://', 'HtTp://'),
    user: fc.constantFrom('', 'user@', 'a:b@'),
    subdomain: fc.constantFrom('', 'www.', 'a.b.c.d.e.f.'),
    host: mixed(host, hostSpellings),
    dot: fc.constantFrom('', '.'),
    port: fc.constantFrom('', ':80', ':4711', ':'),
    detour: fc.constantFrom('', '/.', '/x/..', '/x/y/../..', '/%2e', '/x/%2E%2e'),
    path: mixed(path.slice(1), spellings),
    query: fc.constantFrom('', '?', '?q=1', '?a=/../b'),
    fragment: fc.constantFrom('', '#', '#/../x'),
  });
  await fc.assert(
    fc.asyncProperty(variant, async (parts) => {
      const { scheme, user, subdomain, dot, port, detour, query, fragment } = parts;
      const url = `${scheme}${user}${subdomain}${parts.host}${dot}${port}${detour}/${parts.path}${query}${fragment}`;
      expect(await check.check(url)).toMatchObject({ flagged: true, list: 'operator' });
    }),
    { numRuns: 500 },
  );
});

test('no text makes the check throw', async () => {
  const { check } = createCheck();
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.webUrl(), fc.string({ unit: 'binary' })), async (text) => {
      expect(await check.check(text)).toEqual({ flagged: false, checked: 'fully' });
    }),
    { numRuns: 500 },
  );
});

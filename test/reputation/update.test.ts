import { expect, test } from 'bun:test';
import type { ListSource } from '../../src/core/safety/threat-lists.ts';
import { addSource, type UpdateOptions, updateSources } from '../../src/reputation/lists/update.ts';
import { createStores, nowMs } from './stores.ts';
import { breakOff, serve, serveRaw, trickle } from './stub.ts';

const { openStores } = createStores();

/** Opens stores with a source. It is stored directly, because only https addresses can be added. */
async function withSource(url: string, options: Partial<ListSource> = {}) {
  const stores = openStores();
  const putSource = (name: string, at: string, more: Partial<ListSource> = {}) =>
    stores.sources.put({ name, url: new URL(at).href, addedAtMs: nowMs, ...more });
  await putSource('feed', url, options);
  const update = (options: Partial<UpdateOptions> = {}) =>
    updateSources(stores, { fetch, nowMs: () => nowMs, ...options });
  return { ...stores, putSource, update };
}

test.each([
  ['ETag', 'If-None-Match'],
  ['Last-Modified', 'If-Modified-Since'],
])('with %s, a list is downloaded again only when it has changed', async (validator, condition) => {
  const versions = ['evil.example', 'evil.example\nmore.example'];
  let current = 0;
  const stub = serve((request) =>
    request.headers.get(condition) === `"${current}"`
      ? new Response(null, { status: 304 })
      : new Response(versions[current], { headers: { [validator]: `"${current}"` } }),
  );
  const { lists, update } = await withSource(stub.url);
  expect(await update()).toMatchObject([{ name: 'feed', outcome: 'updated', reason: null }]);
  const before = await lists.all();
  expect(await update()).toMatchObject([{ outcome: 'unchanged', reason: null, report: null }]);
  expect(await lists.all()).toEqual(before);
  current = 1;
  expect(await update()).toMatchObject([{ outcome: 'updated', report: { entries: 2 } }]);
});

test('a list that was removed, or came from another address, is downloaded unconditionally', async () => {
  const stub = serve((request) =>
    request.headers.has('if-none-match')
      ? new Response(null, { status: 304 })
      : new Response('evil.example', { headers: { ETag: '"1"' } }),
  );
  const { putSource, lists, update } = await withSource(stub.url);
  await update();
  await lists.remove('feed');
  expect(await update()).toMatchObject([{ outcome: 'updated' }]);
  await putSource('feed', `${stub.url}/elsewhere`);
  expect(await update()).toMatchObject([{ outcome: 'updated' }]);
  expect(await update()).toMatchObject([{ outcome: 'unchanged' }]);
});

test('a redirect is not followed, and its target is reported', async () => {
  const other = serve(() => new Response('other.example'));
  const stub = serve(() => Response.redirect(`${other.url}/list`, 302));
  const { update } = await withSource(stub.url);
  const reason = expect.stringContaining(`The server redirects to ${other.url}/list. If you trust`);
  expect(await update()).toMatchObject([{ outcome: 'failed', reason }]);
  expect(other.requests).toHaveLength(0);
});

const tooSlow = 'did not respond in time';
const serveText = (text: string, status = 200) => serve(() => new Response(text, { status }));
test.each<[name: string, start: () => { url: string }, reason: string]>([
  ['responds 500', () => serveText('evil2.example', 500), 'responds with status 500'],
  ['sends a web page', () => serveText('\n<!doctype html>\nevil2.example\n'), 'a web page'],
  ['sends too much', () => serveText('evil2.example\n'.repeat(1_000)), 'longer than 5000 bytes'],
  ['sends one byte after the other', () => serveRaw(trickle), tooSlow],
  ['never responds', () => serveRaw(() => {}), tooSlow],
  ['breaks off', () => serveRaw(breakOff('evil2.example\n')), 'broke off'],
  ['is not there', () => ({ url: 'http://127.0.0.1:1' }), 'could not be downloaded'],
])('a server that %s leaves the earlier list in force', async (_, start, reason) => {
  const { putSource, decidedBy, sources, update } = await withSource(serveText('evil.example').url);
  await update();
  await putSource('feed', start().url);
  // A short deadline would end the other downloads on a busy machine.
  const deadlineMs = reason === tooSlow ? 150 : 30_000;
  const failure = { outcome: 'failed', reason: expect.stringContaining(reason) };
  expect(await update({ deadlineMs, maxBytes: 5_000 })).toMatchObject([failure]);
  expect(await decidedBy('http://evil.example')).not.toBeNull();
  expect(await decidedBy('http://evil2.example')).toBeNull();
  expect(await sources.all()).toMatchObject([{ lastUpdate: failure }]);
});

test('other sources are updated when one fails', async () => {
  const { putSource, update } = await withSource(serveText('evil.example').url);
  await putSource('bad', 'http://127.0.0.1:1');
  expect(await update()).toMatchObject([
    { name: 'bad', outcome: 'failed' },
    { name: 'feed', outcome: 'updated' },
  ]);
});

test('a source keeps its format and column, and its list stays when it is removed', async () => {
  const stub = serveText('a.example;b.example\nc.example;d.example\n');
  const { sources, decidedBy, update } = await withSource(stub.url, { format: 'csv', column: 2 });
  await update();
  expect(await sources.all()).toMatchObject([{ name: 'feed', format: 'csv', column: 2 }]);
  expect(await sources.remove('feed')).toBe(true);
  expect(await sources.remove('feed')).toBe(false);
  expect(await decidedBy('http://d.example')).not.toBeNull();
  expect(await decidedBy('http://c.example')).toBeNull();
});

test.each([
  ['http://lists.example/x', 'over https only'],
  ['http://127.0.0.1/x', 'over https only'],
  ['lists', 'is not a URL'],
])('the address %s is rejected', async (url, reason) => {
  const { sources } = openStores();
  const source = { name: 'feed', addedAtMs: nowMs };
  await expect(addSource(sources, { ...source, url })).rejects.toThrow(reason);
  await addSource(sources, { ...source, url: 'https://lists.example/x' });
  expect(await sources.all()).toMatchObject([{ url: 'https://lists.example/x' }]);
});

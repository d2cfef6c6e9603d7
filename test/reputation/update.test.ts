import { expect, test } from 'bun:test';
import type { ListSource } from '../../src/core/safety/threat-lists.ts';
import { addSource, type UpdateOptions, updateSources } from '../../src/reputation/lists/update.ts';
import { createStores, nowMs } from './stores.ts';
import { serve, serveRaw, trickle } from './stub.ts';

const { openStores } = createStores();

/** Opens stores with a source. It is stored directly, because only https addresses can be added. */
async function withSource(url: string, options: Partial<ListSource> = {}) {
  const stores = openStores();
  const putSource = (name: string, at: string, more: Partial<ListSource> = {}) =>
    stores.sources.put({ name, url: new URL(at).href, addedAtMs: nowMs, ...more });
  await putSource('feed', url, options);
  return {
    ...stores,
    putSource,
    update: (options: Partial<UpdateOptions> = {}) =>
      updateSources(stores, { fetch, nowMs: () => nowMs, ...options }),
  };
}

test('a list is downloaded again only when it has changed', async () => {
  const editions = ['evil.example\n', 'evil.example\nmore.example\n'];
  let current = 0;
  const stub = serve((request) => {
    const etag = `"edition-${current}"`;
    if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304 });
    return new Response(editions[current], { headers: { ETag: etag } });
  });
  const { lists, decidedBy, update } = await withSource(`${stub.url}/list.txt`);
  const [first] = await update();
  expect(first).toMatchObject({
    name: 'feed',
    outcome: 'updated',
    reason: null,
    report: { entries: 1 },
  });
  const imported = await lists.all();
  const [second] = await update({ nowMs: () => nowMs + 5 });
  expect(second).toEqual({
    name: 'feed',
    checkedAtMs: nowMs + 5,
    outcome: 'unchanged',
    reason: null,
    report: null,
  });
  expect(await lists.all()).toEqual(imported);
  current = 1;
  expect(await update()).toMatchObject([
    { outcome: 'updated', report: { entries: 2, replaced: { entries: 1 } } },
  ]);
  expect(await decidedBy('http://more.example')).not.toBeNull();
});

test('Last-Modified is used without an ETag', async () => {
  const date = 'Fri, 20 Nov 2026 10:00:00 GMT';
  const stub = serve((request) =>
    request.headers.get('if-modified-since') === date
      ? new Response(null, { status: 304 })
      : new Response('evil.example', { headers: { 'Last-Modified': date } }),
  );
  const { update } = await withSource(stub.url);
  expect(await update()).toMatchObject([{ outcome: 'updated' }]);
  expect(await update()).toMatchObject([{ outcome: 'unchanged' }]);
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

test('status 304 without a list is a failure', async () => {
  const stub = serve(() => new Response(null, { status: 304 }));
  const { update } = await withSource(stub.url);
  expect(await update()).toMatchObject([
    { outcome: 'failed', reason: 'The server responds with status 304.', report: null },
  ]);
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
const failures: [name: string, start: () => { url: string }, reason: string][] = [
  [
    'answers 500',
    () => serve(() => new Response('evil2.example', { status: 500 })),
    'responds with status 500',
  ],
  [
    'sends a web page',
    () => serve(() => new Response('\n<!doctype html>\n<p>\nevil2.example\n</p>')),
    'a web page',
  ],
  [
    'sends too much',
    () => serve(() => new Response('evil2.example\n'.repeat(1_000))),
    'longer than 5000 bytes',
  ],
  ['sends one byte after the other', () => serveRaw(trickle), tooSlow],
  ['never answers', () => serveRaw(() => {}), tooSlow],
  ['breaks off', () => serveRaw(breakOff), 'broke off'],
  ['is not there', () => ({ url: 'http://127.0.0.1:1' }), 'could not be downloaded'],
];

function breakOff(socket: Bun.Socket<undefined>): void {
  socket.write('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nevil2.example\n');
  socket.end();
}

test.each(failures)(
  'a server that %s leaves the earlier list in force',
  async (_, start, reason) => {
    const good = serve(() => new Response('evil.example'));
    const { putSource, decidedBy, sources, update } = await withSource(good.url);
    await update();
    const url = start().url;
    await putSource('feed', url);
    // Short where it is what ends the wait, long where a busy machine must not end it first.
    const deadlineMs = reason === tooSlow ? 150 : 30_000;
    const [result] = await update({ deadlineMs, maxBytes: 5_000 });
    expect(result?.outcome).toBe('failed');
    expect(result?.reason).toContain(reason);
    expect(await decidedBy('http://evil.example')).not.toBeNull();
    expect(await decidedBy('http://evil2.example')).toBeNull();
    expect((await sources.all())[0]?.lastUpdate).toMatchObject({
      outcome: 'failed',
      reason: result?.reason,
    });
  },
);

test('other sources are updated when one fails', async () => {
  const stub = serve((request) =>
    request.url.endsWith('/bad') ? new Response('', { status: 404 }) : new Response('evil.example'),
  );
  const { putSource, update } = await withSource(`${stub.url}/good`, { name: 'zz' });
  await putSource('aa', `${stub.url}/bad`);
  expect(await update()).toMatchObject([
    { name: 'aa', outcome: 'failed' },
    { name: 'zz', outcome: 'updated' },
  ]);
});

test('a source keeps its format and column, and can be removed', async () => {
  const stub = serve(() => new Response('a.example;b.example\nc.example;d.example\n'));
  const { sources, decidedBy, update } = await withSource(stub.url, { format: 'csv', column: 2 });
  await update();
  expect(await decidedBy('http://d.example')).not.toBeNull();
  expect(await decidedBy('http://c.example')).toBeNull();
  const source = { name: 'feed', url: `${stub.url}/`, format: 'csv', column: 2 };
  expect(await sources.all()).toMatchObject([{ ...source, addedAtMs: nowMs }]);
  expect(await sources.remove('feed')).toBe(true);
  expect(await sources.remove('feed')).toBe(false);
  expect(await sources.all()).toEqual([]);
  expect(await decidedBy('http://d.example')).not.toBeNull();
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

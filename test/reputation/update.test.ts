import { afterAll, expect, test } from 'bun:test';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fetch } from '../../src/reputation/lists/download.ts';
import { listPaths } from '../../src/reputation/lists/list-store.ts';
import { openLocalList } from '../../src/reputation/lists/local-list.ts';
import { addSource, listSources, removeSource } from '../../src/reputation/lists/sources.ts';
import { type UpdateOptions, updateSources } from '../../src/reputation/lists/update.ts';
import { localExpressions } from '../../src/reputation/url/expressions.ts';
import { freshFolder, nowMs, removeFolders } from './folder.ts';
import { serve, serveRaw, trickle } from './stub.ts';

afterAll(removeFolders);

async function withSource(url: string, more: Partial<Parameters<typeof addSource>[1]> = {}) {
  const folder = await freshFolder();
  await addSource(folder, { name: 'feed', url, nowMs, allowLoopbackHttp: true, ...more });
  const update = (options: Partial<UpdateOptions> = {}) =>
    updateSources(folder, { fetch, nowMs: () => nowMs, ...options });
  return { folder, update };
}

async function isListed(folder: string, url: string): Promise<boolean> {
  const local = openLocalList(folder);
  await local.refresh();
  const found = local.match(localExpressions(url)).length > 0;
  local.close();
  return found;
}

test('a source is fetched, and fetched again only when it has changed', async () => {
  const editions = ['evil.example\n', 'evil.example\nmore.example\n'];
  let current = 0;
  const stub = serve((request) => {
    const etag = `"edition-${current}"`;
    if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304 });
    return new Response(editions[current], { headers: { ETag: etag } });
  });
  const { folder, update } = await withSource(`${stub.url}/list.txt`);
  const [first] = await update();
  expect(first).toMatchObject({
    name: 'feed',
    outcome: 'updated',
    reason: null,
    report: { entries: 1 },
  });
  const generation = openLocalList(folder).generation();
  const [second] = await update({ nowMs: () => nowMs + 5 });
  expect(second).toEqual({
    name: 'feed',
    checkedAtMs: nowMs + 5,
    outcome: 'unchanged',
    reason: null,
    report: null,
  });
  expect(openLocalList(folder).generation()).toBe(generation);
  current = 1;
  expect(await update()).toMatchObject([
    { outcome: 'updated', report: { entries: 2, replaced: { entries: 1 } } },
  ]);
  expect(await isListed(folder, 'http://more.example')).toBe(true);
});

test('Last-Modified serves where there is no ETag', async () => {
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

test('a list that is lost or damaged, or came from elsewhere, is fetched anew', async () => {
  const stub = serve((request) =>
    request.headers.has('if-none-match')
      ? new Response(null, { status: 304 })
      : new Response('evil.example', { headers: { ETag: '"1"' } }),
  );
  const { folder, update } = await withSource(stub.url);
  await update();
  await truncate(listPaths(folder, 'feed').current, 50);
  expect(await update()).toMatchObject([{ outcome: 'updated' }]);
  const moveTo = (url: string) =>
    addSource(folder, { name: 'feed', url, nowMs, allowLoopbackHttp: true });
  await moveTo(`${stub.url}/elsewhere`);
  expect(await update()).toMatchObject([{ outcome: 'updated' }]);
  expect(await update()).toMatchObject([{ outcome: 'unchanged' }]);
  // The copy that stands in for a damaged list is no reason not to fetch that one again.
  await moveTo(stub.url);
  await update();
  await truncate(listPaths(folder, 'feed').current, 50);
  await moveTo(`${stub.url}/elsewhere`);
  expect(await update()).toMatchObject([{ outcome: 'updated' }]);
});

test('a server that says "unchanged" where there is no list has failed', async () => {
  const stub = serve(() => new Response(null, { status: 304 }));
  const { update } = await withSource(stub.url);
  expect(await update()).toMatchObject([
    { outcome: 'failed', reason: 'The server answers 304.', report: null },
  ]);
});

test('a redirect is followed on the same host only, and never away from what is allowed', async () => {
  const other = serve(() => new Response('other.example'));
  const stub = serve((request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/list') return new Response('evil.example');
    if (pathname === '/moved') return Response.redirect('/list', 301);
    if (pathname === '/circle') return Response.redirect('/circle', 302);
    if (pathname === '/nowhere') return new Response(null, { status: 302 });
    return Response.redirect(other.url.replace('127.0.0.1', 'localhost'), 302);
  });
  const { folder, update } = await withSource(`${stub.url}/moved`);
  expect(await update()).toMatchObject([{ outcome: 'updated' }]);
  const reasons: [path: string, reason: string][] = [
    ['/away', 'redirects to another host'],
    ['/circle', 'redirects more than 5 times'],
    ['/nowhere', 'redirects to nowhere'],
  ];
  for (const [path, reason] of reasons) {
    await addSource(folder, {
      name: 'feed',
      url: `${stub.url}${path}`,
      nowMs,
      allowLoopbackHttp: true,
    });
    const [result] = await update();
    expect(result?.outcome).toBe('failed');
    expect(result?.reason).toContain(reason);
  }
  expect(other.requests).toHaveLength(0);
  expect(await isListed(folder, 'http://evil.example')).toBe(true);
});

test('five redirects are followed, a sixth is not', async () => {
  const stub = serve((request) => {
    const left = Number(new URL(request.url).pathname.slice(1));
    return left === 0 ? new Response('evil.example') : Response.redirect(`/${left - 1}`, 307);
  });
  const { update } = await withSource(`${stub.url}/5`);
  expect(await update()).toMatchObject([{ outcome: 'updated' }]);
  const tooFar = await withSource(`${stub.url}/6`);
  expect(await tooFar.update()).toMatchObject([
    { outcome: 'failed', reason: 'The server redirects more than 5 times.' },
  ]);
});

test('https that redirects to http on the same host is not followed', async () => {
  const answers: Fetch = async () =>
    new Response(null, { status: 301, headers: { Location: 'http://lists.example/x' } });
  const { update } = await withSource('https://lists.example/x', { allowLoopbackHttp: false });
  expect(await update({ fetch: answers })).toMatchObject([
    { outcome: 'failed', reason: expect.stringContaining('away from https') },
  ]);
});

const tooSlow = 'did not answer in time';
const failures: [name: string, start: () => { url: string }, reason: string][] = [
  ['answers 500', () => serve(() => new Response('evil2.example', { status: 500 })), 'answers 500'],
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
  ['breaks off', () => serveRaw(breakOff), 'could not be fetched'],
  ['is not there', () => ({ url: 'http://127.0.0.1:1' }), 'could not be fetched'],
];

function breakOff(socket: Bun.Socket<undefined>): void {
  socket.write('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nevil2.example\n');
  socket.end();
}

test.each(failures)('a server that %s leaves the last good list', async (_, start, reason) => {
  const good = serve(() => new Response('evil.example'));
  const { folder, update } = await withSource(good.url);
  await update();
  const url = start().url;
  await addSource(folder, { name: 'feed', url, nowMs, allowLoopbackHttp: true });
  // Short where it is what ends the wait, long where a busy machine must not end it first.
  const deadlineMs = reason === tooSlow ? 150 : 30_000;
  const [result] = await update({ deadlineMs, longestBytes: 5_000 });
  expect(result?.outcome).toBe('failed');
  expect(result?.reason).toContain(reason);
  expect(await isListed(folder, 'http://evil.example')).toBe(true);
  expect(await isListed(folder, 'http://evil2.example')).toBe(false);
  expect((await listSources(folder)).sources[0]?.lastUpdate).toMatchObject({
    outcome: 'failed',
    reason: result?.reason,
  });
});

test('one source that fails does not hold up the others', async () => {
  const stub = serve((request) =>
    request.url.endsWith('/bad') ? new Response('', { status: 404 }) : new Response('evil.example'),
  );
  const { folder, update } = await withSource(`${stub.url}/good`, { name: 'zz' });
  await addSource(folder, { name: 'aa', url: `${stub.url}/bad`, nowMs, allowLoopbackHttp: true });
  expect(await update()).toMatchObject([
    { name: 'aa', outcome: 'failed' },
    { name: 'zz', outcome: 'updated' },
  ]);
});

test('a source is read in its format, whatever its list looks like', async () => {
  const stub = serve(() => new Response('||one.example^\n||two.example^\nthree.example\n'));
  const { update } = await withSource(stub.url, { format: 'lines' });
  expect(await update()).toMatchObject([
    { outcome: 'updated', report: { format: 'lines', entries: 1, unreadable: { count: 2 } } },
  ]);
});

test('sources are kept with how they are to be read', async () => {
  const stub = serve(() => new Response('a.example;b.example\nc.example;d.example\n'));
  const { folder, update } = await withSource(stub.url, {
    format: 'csv',
    column: 2,
  });
  await update();
  expect(await isListed(folder, 'http://d.example')).toBe(true);
  expect(await isListed(folder, 'http://c.example')).toBe(false);
  const { sources } = await listSources(folder);
  expect(sources).toMatchObject([
    {
      name: 'feed',
      url: `${stub.url}/`,
      format: 'csv',
      column: 2,
      addedAtMs: nowMs,
    },
  ]);
  expect(await removeSource(folder, 'FEED')).toBe(true);
  expect(await removeSource(folder, 'feed')).toBe(false);
  expect(await listSources(folder)).toEqual({ sources: [], damaged: [] });
  expect(await isListed(folder, 'http://d.example')).toBe(true);
});

test('only https is taken, http on this machine where it is asked for', async () => {
  const folder = join(await freshFolder(), 'safety');
  const add = (url: string, allowLoopbackHttp = false) =>
    addSource(folder, { name: 'feed', url, nowMs, allowLoopbackHttp });
  for (const url of [
    'http://lists.example/x',
    'http://127.0.0.1/x',
    'ftp://lists.example/x',
    'file:///etc/hosts',
  ]) {
    await expect(add(url)).rejects.toThrow('over https only');
  }
  for (const url of [
    'http://lists.example/x',
    'http://127.0.0.1.lists.example/',
    'http://localhost.lists.example',
  ]) {
    await expect(add(url, true)).rejects.toThrow('over https only');
  }
  await expect(add('lists')).rejects.toThrow('is not a URL');
  expect((await add('https://lists.example/x')).url).toBe('https://lists.example/x');
  expect((await add('http://[::1]:8080/x', true)).url).toBe('http://[::1]:8080/x');
});

import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from '../../src/reputation/url/expressions.ts';
import { createStores, nowMs } from './stores.ts';

const { openStores, listsIn } = createStores();

test('without any list only the published test addresses are flagged', async () => {
  const { folder, lists, decidedBy } = openStores();
  for (const url of [
    'https://testsafebrowsing.appspot.com/s/malware.html',
    'http://testsafebrowsing.appspot.com/apiv4/ANY_PLATFORM/SOCIAL_ENGINEERING/URL/',
    'http://malware.testing.google.test/testing/malware/',
  ])
    expect(await decidedBy(url)).toStartWith('block by built-in');
  expect(await decidedBy('https://testsafebrowsing.appspot.com/')).toBeNull();
  expect(await decidedBy('https://www.appspot.com/s/malware.html')).toBeNull();
  expect(await lists.all()).toEqual([]);
  expect(await Bun.file(join(folder, 'lists.db')).exists()).toBe(false);
});

test('an import replaces the list of the same name, and other connections see it at once', async () => {
  const { folder, lists, decidedBy, importText } = openStores();
  await importText('First', 'evil.example\nstays.example');
  await importText('second', 'other.example');
  const other = listsIn(folder);
  expect(await other.all()).toHaveLength(2);
  await importText('first', 'new.example', { nowMs: nowMs + 1 });
  expect(await decidedBy('http://evil.example')).toBeNull();
  expect(await decidedBy('http://other.example')).toBe('block by second: other.example/');
  expect(await decidedBy('http://new.example')).toBe('block by first: new.example/');
  const list = { entries: 1, importedAtMs: nowMs + 1, origin: null } as const;
  for (const store of [lists, other])
    expect(await store.all()).toEqual([
      { source: 'first', ...list },
      { source: 'second', ...list, importedAtMs: nowMs },
    ]);
});

test('a removed list has no effect', async () => {
  const { lists, decidedBy, importText } = openStores();
  expect(await lists.remove('test')).toBe(false);
  await importText('test', 'evil.example');
  expect(await lists.remove('test')).toBe(true);
  expect(await lists.remove('test')).toBe(false);
  expect(await decidedBy('http://evil.example')).toBeNull();
});

test('an import that fails half-way leaves the earlier list in force', async () => {
  const { folder, lists, decidedBy, importText } = openStores();
  await importText('feed', 'evil.example');
  const before = await lists.all();
  async function* broken() {
    yield [hashOf('other.example/')];
    throw new Error('the stream broke off');
  }
  const list = { source: 'feed', importedAtMs: nowMs + 1, origin: null } as const;
  await expect(lists.replace(list, broken())).rejects.toThrow('the stream broke off');
  expect(await lists.all()).toEqual(before);
  expect(await decidedBy('http://evil.example')).toBe('block by feed: evil.example/');
  expect(await decidedBy('http://other.example')).toBeNull();
  const database = new Database(join(folder, 'lists.db'), { readonly: true });
  expect(database.query('SELECT count(*) AS rows FROM entries').get()).toEqual({ rows: 1 });
  database.close();
});

test('imports of one list at the same time leave one of them', async () => {
  const { lists, importText } = openStores();
  const texts = ['a.example', 'b.example\nc.example', 'd.example\ne.example\nf.example'];
  await Promise.all(texts.map((text) => importText('feed', text)));
  const [list] = await lists.all();
  const names = texts.find((text) => text.split('\n').length === list?.entries)?.split('\n') ?? [];
  expect(await lists.find(names.map((name) => hashOf(`${name}/`)))).toHaveLength(names.length);
});

test('finds hashes in every list, in the order of the hashes', async () => {
  const { lists, importText } = openStores();
  await importText('b', 'one.example\ntwo.example');
  await importText('a', 'two.example');
  const hashes = ['two.example/', 'none.example/', 'one.example/'].map((text) => hashOf(text));
  expect(await lists.find(hashes)).toEqual([
    { source: 'a', importedAtMs: nowMs, index: 0 },
    { source: 'b', importedAtMs: nowMs, index: 0 },
    { source: 'b', importedAtMs: nowMs, index: 2 },
  ]);
  const [hash = new Uint8Array()] = hashes;
  const almost = Uint8Array.from(hash, (byte, index) => (index === 31 ? byte ^ 1 : byte));
  expect(await lists.find([almost])).toEqual([]);
});

test('a damaged file makes checks partial until it is replaced', async () => {
  const { folder, lists, createCheck, importText } = openStores();
  const check = createCheck();
  await importText('feed', 'evil.example');
  const before = await check.listVersion();
  lists.close();
  for (const suffix of ['-wal', '-shm']) rmSync(join(folder, 'lists.db') + suffix, { force: true });
  writeFileSync(join(folder, 'lists.db'), 'no database');
  const result = await check.check('http://evil.example');
  expect(result).toEqual({ flagged: false, checked: 'partly' });
  expect(check.status().warnings).toMatchObject([
    expect.stringContaining('lists.db is damaged (file is not a database)'),
  ]);
  expect(await check.listVersion()).not.toBe(before);
  await expect(importText('feed', 'evil.example')).rejects.toThrow('Delete it, and import');

  rmSync(join(folder, 'lists.db'));
  await importText('feed', 'evil.example');
  expect(await check.check('http://evil.example')).toMatchObject({ flagged: true });
  expect(check.status().warnings).toEqual([]);
});

test('the file is readable by the owner only', async () => {
  const { folder, importText } = openStores();
  await importText('feed', 'evil.example');
  expect(statSync(join(folder, 'lists.db')).mode & 0o777).toBe(0o600);
});

test('the list version changes with every change of rules and lists, and with nothing else', async () => {
  const { rules, lists, createCheck, importText } = openStores();
  const check = createCheck();
  const seen = [await check.listVersion()];
  const rule = { expression: 'a.example/', addedAtMs: nowMs, note: '' };
  const changes = [
    () => importText('feed', 'evil.example'),
    () => importText('feed', 'evil.example', { nowMs: nowMs + 1 }),
    () => rules.put({ ...rule, decision: 'block' }),
    () => rules.put({ ...rule, decision: 'allow' }),
    () => rules.put({ ...rule, expression: 'b.example/', decision: 'allow' }),
    () => rules.remove('b.example/'),
    () => rules.put({ ...rule, expression: 'c.example/', decision: 'allow' }),
    () => rules.remove('a.example/'),
    () => lists.remove('feed'),
  ];
  for (const change of changes) {
    await change();
    await check.check('http://c.example');
    seen.push(await check.listVersion());
    expect(await check.listVersion()).toBe(seen.at(-1) ?? '');
  }
  expect(new Set(seen).size).toBe(seen.length);
});

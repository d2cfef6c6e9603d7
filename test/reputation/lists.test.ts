import type { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { until } from '../support/until.ts';
import { createStores, nowMs } from './stores.ts';

const { openStores, listsIn } = createStores();

function entriesIn(database: Database): number {
  const count = database.query<{ rows: number }, []>(
    'SELECT count(*) AS rows FROM threat_list_entries',
  );
  return count.get()?.rows ?? 0;
}

test('without any list only the published test addresses are flagged', async () => {
  const { lists, decidedBy } = openStores();
  for (const url of [
    'https://testsafebrowsing.appspot.com/s/malware.html',
    'http://testsafebrowsing.appspot.com/apiv4/ANY_PLATFORM/SOCIAL_ENGINEERING/URL/',
    'http://malware.testing.google.test/testing/malware/',
  ])
    expect(await decidedBy(url)).toStartWith('block by built-in');
  expect(await decidedBy('https://testsafebrowsing.appspot.com/')).toBeNull();
  expect(await decidedBy('https://www.appspot.com/s/malware.html')).toBeNull();
  expect(await lists.all()).toEqual([]);
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

test('a long list is written and deleted in small transactions, and is in force from one moment on', async () => {
  const { database, folder, lists, decidedBy, importText } = openStores();
  await importText('feed', 'evil.example');
  const other = listsIn(folder);
  const names = Array.from({ length: 5_000 }, (_, index) => `d${index}.example`);
  let sizes: number[] = [];
  const importing = importText('feed', names.join('\n'), { nowMs: nowMs + 1 });
  while ((await other.all())[0]?.entries === 1) {
    sizes.push(entriesIn(database));
    expect(await decidedBy('http://evil.example')).toBe('block by feed: evil.example/');
    expect(await decidedBy('http://d0.example')).toBeNull();
    await Bun.sleep(1);
  }
  await importing;
  expect([...new Set(sizes)].filter((size) => size > 1).length).toBeGreaterThan(1);
  expect(await decidedBy('http://d0.example')).toBe('block by feed: d0.example/');
  expect(await decidedBy('http://evil.example')).toBeNull();
  expect(entriesIn(database)).toBe(5_000);

  sizes = [];
  const removing = lists.remove('feed');
  await until(async () => (await decidedBy('http://d0.example')) === null);
  await removing;
  expect(entriesIn(database)).toBe(0);
});

test('what an interrupted import left is deleted by an import a day later', async () => {
  const { database, importText } = openStores();
  database.run(
    `INSERT INTO threat_lists (source, list) VALUES (NULL, '{"importedAtMs": ${nowMs}}')`,
  );
  database.run("INSERT INTO threat_list_entries VALUES (1, x'00'), (1, x'01')");
  await importText('feed', 'evil.example', { nowMs: nowMs + 1000 });
  expect(entriesIn(database)).toBe(3);
  await importText('feed', 'evil.example', { nowMs: nowMs + 86_500_000 });
  expect(entriesIn(database)).toBe(1);
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
    () => rules.put({ ...rule, expression: 'c.example/', decision: 'allow' }),
    () => rules.remove('b.example/'),
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

import { expect, test } from 'bun:test';
import { createQrStore } from '../../src/sqlite/codes/qrs.ts';
import { addAccount, createFolders } from './folder.ts';
import { addManyQrs, planOf, statementsOf } from './many-qrs.ts';

const { newFolder, openIn } = createFolders();
const database = openIn(newFolder());
const { $client: client } = database;
const create = () => createQrStore(database, { forget: () => {} }, { pending: () => [] });
const owner = await addAccount(database, 'many@example.com');
const count = 20_000;
addManyQrs(client, owner, count);

test('order and offset of a list need its index only, and the total is a counter', async () => {
  const plans = (await statementsOf(client, async () => create())).map((sql) =>
    planOf(client, sql),
  );
  expect(plans).toContainEqual([
    'SEARCH qrs USING INTEGER PRIMARY KEY (rowid=?)',
    expect.stringMatching(/^LIST SUBQUERY \d+$/),
    expect.stringContaining('SEARCH qrs USING COVERING INDEX qrs_newest_first (account_id=?)'),
    'SEARCH scan_counters USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
    'SEARCH flags USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
    'USE TEMP B-TREE FOR ORDER BY',
  ]);
  expect(plans).toContainEqual(['SEARCH accounts USING INTEGER PRIMARY KEY (rowid=?)']);
});

test('the pages together are all QRs, each once, newest first', async () => {
  const store = create();
  const seen: { createdAtMs: number; code: string }[] = [];
  for (let offset = 0; offset < 2000; offset += 100) {
    const { qrs, total } = await store.listPage(owner.accountId, 100, offset);
    expect(total).toBe(count);
    seen.push(...qrs);
  }
  const sorted = seen.toSorted(
    (a, b) => b.createdAtMs - a.createdAtMs || (a.code < b.code ? -1 : 1),
  );
  expect(seen.map(({ code }) => code)).toEqual(sorted.map(({ code }) => code));
  expect(new Set(seen.map(({ code }) => code)).size).toBe(2000);
  expect((await store.listPage(owner.accountId, 100, count - 1)).qrs).toHaveLength(1);
  expect((await store.listPage(owner.accountId, 100, count)).qrs).toEqual([]);
});

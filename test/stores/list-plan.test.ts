import { expect, test } from 'bun:test';
import { createQrList } from '../../src/sqlite/codes/list.ts';
import { createQrStore } from '../../src/sqlite/codes/qrs.ts';
import { addAccount, createFolders } from './folder.ts';
import { addManyQrs, planOf, statementsOf } from './many-qrs.ts';

const { newFolder, openIn } = createFolders();
const database = openIn(newFolder());
const client = database.$client;
const store = createQrStore(database, { forget: () => {} }, { unfolded: () => [] });
const owner = await addAccount(database, 'many@example.com');
const count = 100_000;
addManyQrs(client, owner, count);

test('a page is found on the index of the list alone, and only its rows are read and sorted', async () => {
  const statements = await statementsOf(client, () =>
    createQrList(client, { unfolded: () => [] }).page(owner.accountId, 50, 99_000),
  );
  const plans = statements.map((sql) => planOf(client, sql));
  const index = expect.stringMatching(
    /SEARCH qrs USING COVERING INDEX qrs_newest_first \(account_id=\? AND created_at<\?\)$/,
  );
  const page = plans.find((plan) => plan.length > 1);
  expect(page).toEqual([
    'SEARCH qrs USING INTEGER PRIMARY KEY (rowid=?)',
    expect.stringMatching(/^LIST SUBQUERY \d+$/),
    index,
    'SEARCH scan_counters USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
    'SEARCH flags USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
    'USE TEMP B-TREE FOR ORDER BY',
  ]);
  // The way there touches no row either, and nothing is counted for the total.
  expect(plans.filter((other) => other !== page)).toEqual(
    expect.arrayContaining([[index], ['SEARCH accounts USING INTEGER PRIMARY KEY (rowid=?)']]),
  );
});

test('the pages together are all QRs, each once, newest first', async () => {
  const seen: { createdAtMs: number; code: string }[] = [];
  for (let offset = 0; offset < 5000; offset += 100) {
    const { qrs, total } = await store.listPage(owner.accountId, 100, offset);
    expect(total).toBe(count);
    seen.push(...qrs);
  }
  const sorted = seen.toSorted(
    (a, b) => b.createdAtMs - a.createdAtMs || (a.code < b.code ? -1 : 1),
  );
  expect(seen.map(({ code }) => code)).toEqual(sorted.map(({ code }) => code));
  expect(new Set(seen.map(({ code }) => code)).size).toBe(5000);
  expect((await store.listPage(owner.accountId, 100, count - 1)).qrs).toHaveLength(1);
  expect((await store.listPage(owner.accountId, 100, count)).qrs).toEqual([]);
});

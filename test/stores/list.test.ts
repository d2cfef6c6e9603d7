import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { QrCursor } from '../../src/core/ports.ts';
import { addAccount, createFolders, storesOn } from './folder.ts';
import { addManyQrs, planOf, statementsOf } from './many-qrs.ts';
import { newQr } from './qr-store.suite.ts';

const { newFolder, openIn } = createFolders();
const noon = Date.UTC(2026, 5, 1, 12);
const database = openIn(newFolder());
const { $client: client } = database;
const create = () => storesOn(database).qrs;
const owner = await addAccount(database, 'many@example.com');
const count = 20_000;
addManyQrs(client, owner, count);

test('order and offset of a list need its index only, and the total is a counter', async () => {
  const plans = (await statementsOf(client, () => create().listPage(owner.accountId, 1, 0))).map(
    (sql) => planOf(client, sql),
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

describe('reading codes in batches', () => {
  const setUp = async () => {
    const database = openIn(newFolder());
    const store = storesOn(database).qrs;
    const owner = await addAccount(database, 'anna@example.com');
    return { database, store, owner };
  };

  test('returns codes that contain the text in code or destination', async () => {
    const { store, owner } = await setUp();
    const menu = newQr(owner, { destination: 'https://example.com/Menu?100%25_off' });
    const shop = newQr(owner, { destination: 'https://shop.example/%', createdAtMs: noon - 1 });
    for (const qr of [menu, shop]) await store.insert(qr, null);
    const found = async (text: string) => {
      const { found, next } = await store.searchBatch(owner.accountId, null, text, 100);
      expect(next).toBeNull();
      return found.map(({ code }) => code);
    };
    expect(await found('mENU')).toEqual([menu.code]);
    expect(await found(shop.code.toUpperCase())).toEqual([shop.code]);
    expect(await found('example')).toEqual([menu.code, shop.code]);
    expect(await found('%25_o')).toEqual([menu.code]);
    expect(await found('e%e')).toEqual([]);
    expect(await found("' or 1=1 --")).toEqual([]);
    expect(await store.searchBatch(owner.accountId + 1, null, 'example', 100)).toEqual({
      found: [],
      next: null,
    });
  });

  test('returns each code once in the order of the list, with any batch size', async () => {
    const { store, owner } = await setUp();
    for (let nth = 0; nth < 40; nth++) {
      const createdAtMs = noon + Math.floor(nth / 8) * 1000;
      const destination = `https://example.com/${nth % 3 === 0 ? 'needle' : 'hay'}`;
      await store.insert(newQr(owner, { createdAtMs, destination }), null);
    }
    const listed = (await store.listPage(owner.accountId, 100, 0)).qrs
      .filter(({ destination }) => destination.endsWith('needle'))
      .map(({ code }) => code);
    expect(listed).toHaveLength(14);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 50 }), async (limit) => {
        const codes: string[] = [];
        let cursor: QrCursor | null = null;
        for (let batches = 0; batches <= 40; batches++) {
          const batch = await store.searchBatch(owner.accountId, cursor, 'needle', limit);
          codes.push(...batch.found.map(({ code }) => code));
          cursor = batch.next;
          if (cursor === null) break;
        }
        expect(cursor).toBeNull();
        expect(codes).toEqual(listed);
      }),
      { numRuns: 20 },
    );
  });

  test('seeks to the cursor on the index', async () => {
    const { database, store, owner } = await setUp();
    await store.insert(newQr(owner), null);
    const statements = await statementsOf(database.$client, async () => {
      await store.searchBatch(owner.accountId, null, '', 1);
      await store.searchBatch(owner.accountId, null, 'example', 1);
    });
    const plans = statements.map((statement) => planOf(database.$client, statement).join());
    expect(
      plans.filter((plan) =>
        plan.includes('qrs_listed (account_id=? AND archived=? AND created_at<?)'),
      ),
    ).toHaveLength(1);
  });
});

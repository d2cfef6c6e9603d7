import { expect, test } from 'bun:test';
import { StoreUnavailable } from '../../src/core/errors.ts';
import { usedShortUrlPrefixes } from '../../src/sql/database/startup-queries.ts';
import type { DrizzleConnection } from '../../src/sqlite/database/drizzle.ts';
import { runQueries } from '../../src/sqlite/database/queries.ts';
import { addAccount, createFolders, storesOn } from './folder.ts';
import { newQr, type Owner, qrStoreSuite } from './qr-store.suite.ts';

const { newFolder, openIn } = createFolders();

function setUp(
  database: DrizzleConnection,
  pending: readonly { hits: number; lastMs: number }[] = [],
) {
  const forgotten: string[] = [];
  let owners = 0;
  return {
    forgotten,
    store: storesOn(database, {
      linkStore: { forget: (code) => forgotten.push(code) },
      scanLog: { pending: () => [...pending] },
    }).qrs,
    countKeys: async () =>
      Number(database.$client.query('SELECT count(*) FROM idempotency_keys').values()[0]?.[0]),
    newOwner: (): Promise<Owner> => addAccount(database, `${owners++}@example.com`),
  };
}

qrStoreSuite('sqlite', () => setUp(openIn(newFolder())));

test('scans that are committed and not aggregated are counted', async () => {
  const { store, newOwner } = setUp(openIn(newFolder()), [
    { hits: 2, lastMs: 5 },
    { hits: 1, lastMs: 4 },
  ]);
  const owner = await newOwner();
  const qr = newQr(owner);
  await store.insert(qr, null);
  const counted = { scans: 3, lastScanMs: 5 };
  expect(await store.find(owner.accountId, qr.code)).toMatchObject(counted);
  expect((await store.listPage(owner.accountId, 1, 0)).qrs).toMatchObject([counted]);
});

test('a change removes the code from the cache of redirect targets', async () => {
  const { store, newOwner, forgotten } = setUp(openIn(newFolder()));
  const owner = await newOwner();
  const qr = newQr(owner);
  await store.insert(qr, null);
  await store.changeDestination(owner.accountId, qr.code, 'https://b/', 0);
  await store.changeStatus(owner.accountId, qr.code, 'active', 'paused');
  expect(forgotten).toEqual([qr.code, qr.code]);
});

test('each short-URL prefix is stored once', async () => {
  const database = openIn(newFolder());
  const { store, newOwner } = setUp(database);
  const owner = await newOwner();
  for (const base of ['https://a.example', 'https://b.example/q', 'https://a.example'])
    await store.insert(newQr(owner, { shortLink: `${base}/01234567` }), null);
  expect(runQueries(database.$client, usedShortUrlPrefixes()).sort()).toEqual([
    'https://a.example',
    'https://b.example/q',
  ]);
});

test('while another connection writes, changes are unavailable and reads go on', async () => {
  const folder = newFolder();
  const { store, newOwner } = setUp(openIn(folder));
  const owner = await newOwner();
  const qr = newQr(owner);
  await store.insert(qr, null);
  const other = openIn(folder).$client;
  other.run('BEGIN IMMEDIATE');
  for (const change of [
    () => store.insert(newQr(owner), null),
    () => store.changeDestination(owner.accountId, qr.code, 'https://b/', 0),
    () => store.changeStatus(owner.accountId, qr.code, 'active', 'paused'),
  ])
    await expect(change()).rejects.toBeInstanceOf(StoreUnavailable);
  expect(await store.find(owner.accountId, qr.code)).toMatchObject({
    destination: 'https://example.com/',
    status: 'active',
  });
  expect((await store.listPage(owner.accountId, 1, 0)).total).toBe(1);
  other.run('ROLLBACK');
  expect(await store.insert(newQr(owner), null)).toBe('stored');
});

import { expect, test } from 'bun:test';
import { StoreUnavailable } from '../../src/core/errors.ts';
import { hitKey } from '../../src/core/scans/hit-entries.ts';
import { usedShortUrlPrefixes } from '../../src/sql/database/startup-queries.ts';
import { runQueries } from '../../src/sqlite/database/queries.ts';
import { createScanCounters } from '../../src/sqlite/scans/counters.ts';
import { createFolders, storesOn } from './folder.ts';
import { addOwner, addQr, newQr } from './rows.ts';
import { deleteAll, storeSuites } from './suites.ts';

const { newFolder, openIn } = createFolders();
const folder = newFolder();
const database = openIn(folder);
const { $client } = database;
const stores = storesOn(database);
const addToCounters = createScanCounters($client);

storeSuites({
  name: 'sqlite',
  stores,
  others: storesOn(openIn(folder)),
  empty: async () => {
    $client.run(`PRAGMA foreign_keys = OFF; ${deleteAll.join(';')}; PRAGMA foreign_keys = ON`);
  },
  addScans: async (qrId, timesMs) => {
    for (const atMs of timesMs) addToCounters([hitKey(qrId, 'scan'), atMs, 1]);
  },
  countKeys: async () => Number($client.query('SELECT count(*) FROM idempotency_keys').values()[0]),
});

test('totals are sums of several steps', async () => {
  const database = openIn(newFolder());
  await addOwner(storesOn(database));
  const { totals } = storesOn(database).accounts;
  expect(await totals()).toEqual({ accounts: 1, qrs: 0, scans: 0 });
  database.$client.run('INSERT INTO scan_counters (qr_id, scans, last_scan) VALUES (30000, 3, 0)');
  expect(await totals()).toMatchObject({ scans: 3 });
  database.$client.run(
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000) ' +
      'INSERT INTO scan_counters (qr_id, scans, last_scan) SELECT i, 2, 0 FROM n',
  );
  expect(await totals()).toMatchObject({ scans: 50_003 });
});

test('scans that are committed and not aggregated are counted', async () => {
  const pending = [
    { hits: 2, lastMs: 5 },
    { hits: 1, lastMs: 4 },
  ];
  const { qrs } = storesOn(database, { scanLog: { pending: () => pending } });
  const owner = await addOwner(stores);
  const { code } = await addQr({ qrs }, owner);
  const counted = { scans: 3, lastScanMs: 5 };
  expect(await qrs.find(owner.accountId, code)).toMatchObject(counted);
  expect((await qrs.listPage(owner.accountId, 1, 0)).qrs).toMatchObject([counted]);
});

test('each short-URL prefix is stored once', async () => {
  const owner = await addOwner(stores);
  for (const base of ['https://a.example', 'https://b.example/q', 'https://a.example'])
    await stores.qrs.insert(newQr(owner, { shortLink: `${base}/01234567` }), null);
  const prefixes = runQueries($client, usedShortUrlPrefixes());
  for (const base of ['https://a.example', 'https://b.example/q'])
    expect(prefixes.filter((prefix) => prefix === base)).toHaveLength(1);
});

test('while another connection writes, changes are unavailable and reads go on', async () => {
  const { qrs } = stores;
  const owner = await addOwner(stores);
  const qr = await addQr(stores, owner);
  const other = openIn(folder).$client;
  other.run('BEGIN IMMEDIATE');
  for (const change of [
    () => qrs.insert(newQr(owner), null),
    () => qrs.changeDestination(owner.accountId, qr.code, 'https://b/', 0),
    () => qrs.changeStatus(owner.accountId, qr.code, 'active', 'paused'),
  ])
    await expect(change()).rejects.toBeInstanceOf(StoreUnavailable);
  expect(await qrs.find(owner.accountId, qr.code)).toMatchObject({
    destination: 'https://example.com/',
    status: 'active',
  });
  expect((await qrs.listPage(owner.accountId, 1, 0)).total).toBe(1);
  other.run('ROLLBACK');
  expect(await qrs.insert(newQr(owner), null)).toBe('stored');
});

import { describe, expect, test } from 'bun:test';
import { parseCodeNumber } from '../../src/core/codes/code.ts';
import { codeSorts } from '../../src/core/codes/ports.ts';
import type { QrImageSource } from '../../src/core/codes/qr.ts';
import { StoreUnavailable } from '../../src/core/errors.ts';
import { hitKey } from '../../src/core/scans/hit-entries.ts';
import type { Stores } from '../../src/core/storage.ts';
import { createDamageMonitor } from '../../src/redirect/sqlite/damage.ts';
import { createLinkStore } from '../../src/redirect/sqlite/link-targets.ts';
import { usedShortUrlPrefixes } from '../../src/sql/database/startup-queries.ts';
import { createStoredImages } from '../../src/sql/database/stored-images.ts';
import { runQueries } from '../../src/sqlite/database/queries.ts';
import { createScanCounters } from '../../src/sqlite/hits/counters.ts';
import { until } from '../support/until.ts';
import { addAccount, createFolders, storesOn } from './folder.ts';
import { addManyQrs, planOf, statementsOf } from './many-qrs.ts';
import { acting, addOwner, addQr, command, newQr, noon } from './rows.ts';
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
  const { qrs } = storesOn(database, {
    hits: { pending: () => pending, inSnapshot: (read) => read() },
  });
  const owner = await addOwner(stores);
  const { code } = await addQr({ qrs }, owner);
  const counted = { scans: 3, lastScanMs: 5 };
  expect(await qrs.find(owner.accountId, code)).toMatchObject(counted);
  expect((await qrs.listPage(owner.accountId, 1, 0)).qrs).toMatchObject([counted]);
});

test('each short-URL prefix is stored once', async () => {
  const owner = await addOwner(stores);
  for (const base of ['https://a.example', 'https://b.example/q', 'https://a.example'])
    await stores.qrs.insert(newQr(owner, { shortLink: `${base}/01234567` }), null, command);
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
  const changes = await Promise.allSettled([
    qrs.insert(newQr(owner), null, command),
    qrs.changeDestination(acting(owner.accountId), qr.code, 'https://b/', 0),
    qrs.changeStatus(acting(owner.accountId), qr.code, 'active', 'paused', noon),
  ]);
  const reasons = changes.map((change) => change.status === 'rejected' && change.reason);
  for (const reason of reasons) expect(reason).toBeInstanceOf(StoreUnavailable);
  expect(await qrs.find(owner.accountId, qr.code)).toMatchObject({
    destination: 'https://example.com/',
    status: 'active',
  });
  expect((await qrs.listPage(owner.accountId, 1, 0)).total).toBe(1);
  other.run('ROLLBACK');
  expect(await qrs.insert(newQr(owner), null, command)).toHaveProperty('stored');
});

// test/contract/code-commands.test.ts changes codes beside a server, which redirects by them at the next request.
test('an unknown code is not cached', async () => {
  const store = openIn(newFolder());
  addManyQrs(store.$client, await addAccount(store, 'a@example.com'), 2);
  const links = createLinkStore(store, { record: async () => {} }, createDamageMonitor());
  const fresh = parseCodeNumber('fresh000', 0, 8) ?? -1;
  expect(links.follow(fresh, 'scan', 0).target).toBeNull();
  store.$client.run("UPDATE qrs SET code = 'fresh000' WHERE id = 2");
  expect(links.follow(fresh, 'scan', 0).target).toMatchObject({ qrId: 2 });
});

test('no list, search or look-up reads all codes, accounts or counters', async () => {
  const database = openIn(newFolder());
  const { $client } = database;
  const { accountId, ...owner } = await addAccount(database, 'many@example.com');
  addManyQrs($client, { accountId, ...owner }, 1000);
  const { qrs, flags } = storesOn(database);
  const [last] = (await qrs.listPage(accountId, 1, 500)).qrs;
  const statements = await statementsOf($client, async () => {
    await qrs.listPage(accountId, 1, 0);
    await qrs.searchBatch(accountId, null, '', 1);
    await qrs.searchBatch(accountId, last ?? null, 'example', 1);
    await qrs.find(accountId, last?.code ?? '');
    await flags.find(last?.code ?? '');
    await flags.flagged(1);
    await flags.blocked(1);
  });
  const plans = statements.flatMap((sql) => planOf($client, sql));
  expect(plans.length).toBeGreaterThan(7);
  expect(plans.filter((step) => /SCAN (qrs|accounts|scan_counters)(?! USING)/.test(step))).toEqual(
    [],
  );
  expect(plans.join()).toContain('qrs_listed (account_id=? AND archived=? AND created_at<?)');
});

test('each list is read along an index of its filter', async () => {
  const database = openIn(newFolder());
  const { $client } = database;
  const owner = await addAccount(database, 'lists@example.com');
  addManyQrs($client, owner, 1000);
  const { codeLists, flags, qrs } = storesOn(database);
  const indexes = [
    [{}, 'qrs_listed'],
    [{ isNeverScanned: true }, 'qrs_listed'],
    [{ isArchived: true, quietSinceMs: 5 }, 'qrs_listed'],
    [{ folder: 'a', status: 'paused' }, 'qrs_by_folder'],
    [{ folder: null }, 'qrs_by_folder'],
    [{ designId: 1, isNeverScanned: true }, 'qrs_by_design_id'],
    [{ status: 'paused', isArchived: true }, 'qrs_by_status'],
    [{ isFlagged: true, folder: 'a' }, 'SCAN flags|SEARCH flags USING INTEGER PRIMARY KEY'],
  ] as const;
  const plansOf = async (run: () => Promise<unknown>) =>
    (await statementsOf($client, run)).flatMap((sql) => planOf($client, sql));
  // Other tables are read by the key of a row.
  const isByKey = /qrs|scan_counters|flags/;
  for (const [filter, index] of indexes)
    for (const sort of codeSorts) {
      const plans = await plansOf(async () => {
        await codeLists.count(owner.accountId, filter, 100);
        await codeLists.indexedPage(owner.accountId, filter, sort, 10, 600, 1000);
        await codeLists.slice(owner.accountId, filter, sort, null, 10);
      });
      const expected = sort === 'name' && index === 'qrs_listed' ? 'qrs_by_name|qrs_listed' : index;
      expect(plans.filter((step) => new RegExp(expected).test(step)).length).toBeGreaterThan(0);
      const others = plans.filter(
        (step) =>
          isByKey.test(step) &&
          !/USING INTEGER PRIMARY KEY|COVERING INDEX/.test(step) &&
          !new RegExp(expected).test(step),
      );
      expect(others).toEqual([]);
      expect(plans.filter((step) => step.includes('AUTOMATIC'))).toEqual([]);
    }
  const ofFlags = await plansOf(async () => {
    await flags.summary(owner.accountId);
    await qrs.searchBatch(owner.accountId, null, '', 10, { isFlagged: true });
  });
  expect(ofFlags.filter((step) => /SCAN qrs/.test(step))).toEqual([]);
});

describe('the last use of a key', () => {
  async function setUp() {
    const folder = newFolder();
    const store = openIn(folder);
    const { accountId } = await addAccount(store, 'a@example.com');
    const { keys } = storesOn(store);
    await keys.replace(acting(accountId), 'hash', 'last', 1000);
    const isWritten = (stores: Pick<Stores, 'keys'>, atMs: number) =>
      until(async () => (await stores.keys.findByAccount(accountId))?.lastUsedAtMs === atMs);
    return { folder, keys, accountId, isWritten };
  }

  test('is written at once, and again after a minute', async () => {
    const { folder, keys, accountId, isWritten } = await setUp();
    const other = storesOn(openIn(folder));
    for (const [atMs, written] of [
      [100_000, 100_000],
      [159_999, 100_000],
      [160_000, 160_000],
    ] as const) {
      keys.recordUse(accountId, atMs);
      await isWritten(other, written);
    }
    await keys.replace(acting(accountId), 'next', 'last', 170_000);
    expect((await keys.findByAccount(accountId))?.lastUsedAtMs).toBeNull();
    keys.recordUse(accountId, 170_001);
    await isWritten({ keys }, 170_001);
  });

  test('does not fail a request when it cannot be written', async () => {
    const { folder, keys, accountId } = await setUp();
    const other = openIn(folder).$client;
    other.run('BEGIN IMMEDIATE');
    expect(() => keys.recordUse(accountId, 100_000)).not.toThrow();
    other.run('ROLLBACK');
  });
});

describe('stored images', async () => {
  const count = 203;
  const store = openIn(newFolder());
  addManyQrs(store.$client, await addAccount(store, 'a@example.com'), count);
  const codesById = store.$client
    .query<{ code: string }, []>('SELECT code FROM qrs ORDER BY id')
    .all()
    .map(({ code }) => code);
  const imagesOf = ({ $client }: typeof store, random?: () => number) =>
    createStoredImages(async (queries) => runQueries($client, queries), random);
  const codesOf = (some: AsyncIterable<QrImageSource>) => Array.fromAsync(some, ({ code }) => code);

  test('all images are those of every code once, oldest first', async () => {
    expect(await codesOf(imagesOf(store).allImages())).toEqual(codesById);
  });

  test('a sample is random, spread over all ages, and has no duplicates', async () => {
    for (const size of [1, 10, 50, count - 1])
      for (const random of [0, 0.5, 0.999]) {
        const sample = await codesOf(imagesOf(store, () => random).sampleImages(size));
        expect(sample).toHaveLength(size);
        for (const [range, code] of sample.entries()) {
          const place = codesById.indexOf(code);
          expect(place).toBeGreaterThanOrEqual(Math.floor((range * count) / size));
          expect(place).toBeLessThanOrEqual(((range + 1) * count) / size);
        }
        expect(new Set(sample).size).toBe(size);
      }
    const sampleOf = (random: number) => codesOf(imagesOf(store, () => random).sampleImages(10));
    expect(await sampleOf(0)).not.toEqual(await sampleOf(0.9));
  });

  test('a sample as large as all is all, and one of no codes is empty', async () => {
    expect(await codesOf(imagesOf(store).sampleImages(count))).toEqual(codesById);
    expect(await codesOf(imagesOf(openIn(newFolder())).sampleImages(5))).toEqual([]);
  });
});

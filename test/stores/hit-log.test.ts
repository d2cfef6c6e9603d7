import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHitLog } from '../../src/redirect/sqlite/hit-log.ts';
import { createFolding } from '../../src/sqlite/hits/folding.ts';
import { until } from '../support/until.ts';
import { createFolders } from './folder.ts';
import {
  addCodes,
  appendRows,
  counters,
  expected,
  type Hit,
  hitLogOf,
  hitRows,
  hour,
  noon,
  silentLog,
} from './scans.ts';

const { newFolder, openIn } = createFolders();

const scan: Hit = { qrId: 1, kind: 'scan', atMs: noon };

/** A folder with codes. */
async function setUp() {
  const folder = newFolder();
  const store = openIn(folder);
  await addCodes(store);
  /** Adds what the log has to the counters, as a server does at its end. */
  const fold = () => createFolding(store.$client, folder).close();
  return { folder, store, fold, path: join(folder, 'hits.db') };
}

describe('recording', () => {
  test('commits the hits of one tick as one row before any of them resolves', async () => {
    const { folder, store, fold } = await setUp();
    const log = hitLogOf(folder, store);
    const rowsSeen = await Promise.all(
      [1, 2, 3, 1, 2].map(async (qrId) => {
        await log.record(qrId, 'scan', noon);
        return hitRows(folder);
      }),
    );
    expect(rowsSeen).toEqual(Array(5).fill([1]));
    await log.record(1, 'head', noon);
    expect(hitRows(folder)).toEqual([1, 2]);
    expect(log.status()).toMatchObject({ committed: 6, buffered: 0, problem: null });
    expect(log.end()).toBe(0);
    fold();
    expect(counters(store).scans).toEqual({ 1: [2, noon], 2: [2, noon], 3: [1, noon] });
  });

  test('deletes what is in the counters beside the next hits, and never gives an id again', async () => {
    const { folder, store, fold } = await setUp();
    let log = hitLogOf(folder, store);
    await appendRows(log, [[scan], [scan], [scan]]);
    fold();
    log.end();
    log.close();
    // Nothing is left to be counted.
    expect(readdirSync(folder).filter((name) => name.startsWith('hits'))).toEqual([]);

    log = hitLogOf(folder, store);
    await appendRows(log, [[scan], [scan]]);
    fold();
    // A process that was killed.
    const next = hitLogOf(folder, store);
    expect(hitRows(folder)).toEqual([1, 2]);
    await appendRows(next, [[scan]]);
    expect(hitRows(folder)).toEqual([3]);
    // A power cut that took the last rows.
    fold();
    const database = new Database(join(folder, 'hits.db'));
    database.run('DELETE FROM hits');
    database.close();
    await appendRows(hitLogOf(folder, store), [[scan]]);
    expect(hitRows(folder)).toEqual([4]);
    fold();
    expect(counters(store).scans).toEqual({ 1: [7, noon] });
  });

  test('keeps the log at its end while a part of it is not in the counters', async () => {
    const { folder, store, fold } = await setUp();
    const log = hitLogOf(folder, store);
    await appendRows(log, [[scan]]);
    log.end();
    log.close();
    expect(hitRows(folder)).toEqual([1]);
    fold();
    expect(counters(store)).toEqual(expected([scan]));
  });
});

describe('while the log cannot be written', () => {
  /** A log that another program has locked. */
  async function blocked() {
    const set = await setUp();
    const log = hitLogOf(set.folder, set.store);
    const other = new Database(set.path);
    other.run('BEGIN IMMEDIATE');
    return { ...set, log, free: () => other.run('ROLLBACK') };
  }

  test('buffers hits, reports the reason, and counts all of them afterwards', async () => {
    const { store, log, free, fold } = await blocked();
    await log.record(1, 'scan', noon);
    await Promise.all([log.record(1, 'scan', noon + 1), log.record(2, 'head', noon)]);
    await log.record(1, 'scan', noon - hour);
    await until(() => log.status().problem !== null);
    expect(log.status()).toMatchObject({
      committed: 0,
      buffered: 4,
      problem: expect.stringContaining('locked'),
    });
    free();
    await until(() => log.status().buffered === 0);
    expect(log.status()).toMatchObject({ committed: 4, buffered: 0, problem: null });
    await log.record(1, 'scan', noon + 2);
    expect(log.status().committed).toBe(5);
    log.end();
    fold();
    expect(counters(store)).toEqual(
      expected([
        { qrId: 1, kind: 'scan', atMs: noon },
        { qrId: 1, kind: 'scan', atMs: noon + 1 },
        { qrId: 2, kind: 'head', atMs: noon },
        { qrId: 1, kind: 'scan', atMs: noon - hour },
        { qrId: 1, kind: 'scan', atMs: noon + 2 },
      ]),
    );
  });

  test('writes buffered hits at the end', async () => {
    const { store, log, free, fold } = await blocked();
    const many = 2000;
    await Promise.all(
      Array.from({ length: many }, (_, n) => log.record((n % 2) + 1, 'scan', noon)),
    );
    free();
    expect(log.end()).toBe(0);
    fold();
    expect(counters(store).scans['2']).toEqual([many / 2, noon]);
  });

  test('returns the number of lost hits at the end', async () => {
    const { store, log, free, fold } = await blocked();
    await Promise.all([log.record(1, 'scan', noon), log.record(1, 'scan', noon)]);
    expect(log.end()).toBe(2);
    free();
    fold();
    expect(counters(store)).toEqual(expected([]));
  });

  test('a write lock on the database delays nothing', async () => {
    const { folder, store } = await setUp();
    const log = hitLogOf(folder, store);
    const other = openIn(folder).$client;
    other.run('BEGIN IMMEDIATE');
    await log.record(1, 'scan', noon);
    expect(log.status()).toMatchObject({ committed: 1, buffered: 0, problem: null });
    other.run('ROLLBACK');
    log.end();
  });
});

describe('a damaged log', () => {
  const many = Array.from({ length: 400 }, (): Hit[] => [scan]);

  /** A log with rows on several pages, which no process has open. */
  async function withRows() {
    const set = await setUp();
    const log = hitLogOf(set.folder, set.store);
    await appendRows(log, many);
    log.end();
    log.close();
    expect(existsSync(`${set.path}-wal`)).toBe(false);
    return set;
  }

  test.each([
    ['is no database', (path: string) => writeFileSync(path, 'x'.repeat(5000))],
    ['is empty', (path: string) => truncateSync(path, 0)],
    [
      'has a damaged page',
      (path: string) => {
        const bytes = readFileSync(path);
        bytes.fill(0x5a, 2 * 4096, 3 * 4096);
        writeFileSync(path, bytes);
      },
    ],
  ])('that %s is put aside, and redirects and counts go on', async (_, damage) => {
    const { folder, store, fold, path } = await withRows();
    damage(path);
    const damaged = readFileSync(path);
    const messages: string[] = [];
    const log = createHitLog(folder, {
      durability: 'process',
      log: { ...silentLog, error: (message) => messages.push(message) },
      folded: () => 0,
    });
    for (let row = 0; row < 100; row++) await log.record(2, 'scan', noon);
    fold();
    await log.record(2, 'scan', noon);
    // A row that is deleted meets the damage that appending has not met.
    fold();
    await log.record(2, 'scan', noon);
    expect(log.status()).toMatchObject({ committed: 102, buffered: 0, problem: null });
    fold();
    const { scans } = counters(store);
    expect(scans['2']?.[0]).toBe(102);
    // Those in the damaged file are lost.
    expect(scans['1']?.[0] ?? 0).toBeLessThan(many.length);
    const kept = readdirSync(folder).filter((name) => name.startsWith('hits-damaged-'));
    expect(messages).toEqual([expect.stringContaining('was damaged')]);
    expect(readFileSync(join(folder, kept[0] ?? ''))).toEqual(damaged);
    log.end();
  });

  test('that has a damaged row loses only that', async () => {
    const { folder, store, fold, path } = await withRows();
    const database = new Database(path);
    database.run("UPDATE hits SET hits = x'00' WHERE id = 7");
    database.close();
    const log = hitLogOf(folder, store);
    await log.record(1, 'scan', noon);
    fold();
    expect(counters(store).scans).toEqual({ 1: [many.length, noon] });
    log.end();
  });
});

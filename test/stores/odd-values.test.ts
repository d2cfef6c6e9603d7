import type { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { openStore } from '../../src/sqlite/database/store.ts';
import { flawsOf } from '../../src/sqlite/maintenance/integrity.ts';
import { findOutOfRangeValues } from '../../src/sqlite/maintenance/odd-values.ts';
import { keptSchemas, unpack } from './fixtures/fixture.ts';
import { createFolders } from './folder.ts';

const { newFolder, openIn } = createFolders();

/** A database with rows in most tables, as they were once written. */
async function kept(schema: string): Promise<Database> {
  const folder = join(newFolder(), 'data');
  await unpack(schema, folder);
  return openIn(folder).$client;
}

test.each(keptSchemas)('what programs up to %s have written is none', async (schema) => {
  expect(findOutOfRangeValues(await kept(schema))).toEqual([]);
});

test('a plan that ended before 1970 is none', () => {
  const { $client } = openStore(newFolder(), { durability: 'process', busyTimeoutMs: 0 });
  $client.run("INSERT INTO accounts (email, plan_until, created_at) VALUES ('a', -1, 0)");
  expect(findOutOfRangeValues($client)).toEqual([]);
  $client.close();
});

describe('what only damage writes is named, although SQLite finds nothing', () => {
  test.each([
    ['UPDATE scan_counters SET scans = -5 WHERE qr_id = 1', 'scans in the row 1 of scan_counters'],
    ['UPDATE scan_counters SET scans = 1.5 WHERE qr_id = 1', 'scans in the row 1 of scan_counters'],
    [
      "UPDATE scan_counters SET last_scan = 'noon' WHERE qr_id = 1",
      'last_scan in the row 1 of scan_counters',
    ],
    [
      'UPDATE scan_counters SET last_scan = 9e15 WHERE qr_id = 1',
      'last_scan in the row 1 of scan_counters',
    ],
    ["UPDATE qrs SET created_at = 'noon' WHERE id = 1", 'created_at in the row 1 of qrs'],
    ["UPDATE qrs SET destination = x'ff' WHERE id = 1", 'destination in the row 1 of qrs'],
    ["UPDATE qrs SET image_hash = 'hash' WHERE id = 1", 'image_hash in the row 1 of qrs'],
    ["UPDATE qrs SET logo_fit = '{{' WHERE id = 1", 'logo_fit in the row 1 of qrs'],
    ['UPDATE accounts SET qr_count = -1 WHERE id = 1', 'qr_count in the row 1 of accounts'],
    [
      "UPDATE accounts SET plan_until = 'never' WHERE id = 1",
      'plan_until in the row 1 of accounts',
    ],
  ])('%s', async (damage, place) => {
    const database = await kept('0008_scan_log_ids');
    database.run('INSERT INTO scan_counters (qr_id, scans, last_scan) VALUES (1, 1, 0)');
    database.run(damage);
    expect(flawsOf(database)).toEqual([]);
    expect(findOutOfRangeValues(database)).toEqual([place]);
  });
});

test('no more than a few are named', async () => {
  const database = await kept('0008_scan_log_ids');
  database.run("UPDATE qrs SET created_at = 'noon'; UPDATE accounts SET qr_count = -1");
  expect(findOutOfRangeValues(database)).toHaveLength(5);
});

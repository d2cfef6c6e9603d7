import { describe, expect, test } from 'bun:test';
import { findOutOfRangeValues, integrityErrors } from '../../src/sqlite/maintenance/integrity.ts';
import { encodeHits } from '../../src/sqlite/scans/hits.ts';
import { addAccount, createFolders } from './folder.ts';
import { addManyQrs } from './many-qrs.ts';

const { newFolder, openIn } = createFolders();

async function filled() {
  const store = openIn(newFolder());
  addManyQrs(store.$client, await addAccount(store, 'a@example.com'), 10);
  store.$client.run('INSERT INTO scan_counters (qr_id, scans, last_scan) VALUES (1, 1, 0)');
  return store.$client;
}

test('a sound database has no errors, also with a plan that expired before 1970', async () => {
  const database = await filled();
  database.run('UPDATE accounts SET plan_until = -1');
  expect(integrityErrors(database)).toEqual([]);
  expect(findOutOfRangeValues(database)).toEqual([]);
});

describe('a value that only damage writes is found', () => {
  test.each([
    ['UPDATE scan_counters SET scans = -5', 'scans in the row 1 of scan_counters'],
    ['UPDATE scan_counters SET scans = 1.5', 'scans in the row 1 of scan_counters'],
    ["UPDATE scan_counters SET last_scan = 'noon'", 'last_scan in the row 1 of scan_counters'],
    ['UPDATE scan_counters SET last_scan = 9e15', 'last_scan in the row 1 of scan_counters'],
    ["UPDATE qrs SET destination = x'ff' WHERE id = 1", 'destination in the row 1 of qrs'],
    ["UPDATE qrs SET image_hash = 'hash' WHERE id = 1", 'image_hash in the row 1 of qrs'],
    ["UPDATE qrs SET logo_placement = '{{' WHERE id = 1", 'logo_placement in the row 1 of qrs'],
    ["UPDATE accounts SET plan_until = 'never'", 'plan_until in the row 1 of accounts'],
  ])('%s', async (damage, place) => {
    const database = await filled();
    database.run(damage);
    expect(integrityErrors(database)).toEqual([]);
    expect(findOutOfRangeValues(database)).toEqual([place]);
  });

  test('of many, the first few', async () => {
    const database = await filled();
    database.run("UPDATE qrs SET created_at = 'noon'");
    expect(findOutOfRangeValues(database)).toHaveLength(5);
  });
});

test.each([
  ['cut off', encodeHits([8, 0, 1]).slice(0, 23)],
  ['a text', 'scan'],
  ['of no code', encodeHits([-8, 0, 1])],
  ['of no kind', encodeHits([8 + 7, 0, 1])],
  ['without a date', encodeHits([8, Number.NaN, 1])],
  ['of no hits', encodeHits([8, 0, 0])],
  ['of half a hit', encodeHits([8, 0, 0.5])],
])('a row of the scan log that is %s is an integrity error', async (_, row) => {
  const database = await filled();
  database.query('INSERT INTO scan_log (hits) VALUES (?)').run(row);
  expect(integrityErrors(database)).toEqual(['a row of scan_log cannot be read']);
});

import { expect, test } from 'bun:test';
import { encodeHits } from '../../src/core/scans/hit-entries.ts';
import { integrityError } from '../../src/sqlite/maintenance/integrity.ts';
import { createFolders } from './folder.ts';

const { newFolder, openIn } = createFolders();

test.each([
  ['cut off', encodeHits([8, 0, 1]).slice(0, 23)],
  ['a text', 'scan'],
  ['of no code', encodeHits([-8, 0, 1])],
  ['of no kind', encodeHits([8 + 7, 0, 1])],
  ['without a date', encodeHits([8, Number.NaN, 1])],
  ['of no hits', encodeHits([8, 0, 0])],
  ['of half a hit', encodeHits([8, 0, 0.5])],
])('a row of the scan log that is %s is an integrity error', (_, row) => {
  const database = openIn(newFolder()).$client;
  expect(integrityError(database)).toBeNull();
  database.query('INSERT INTO scan_log (hits) VALUES (?)').run(row);
  expect(integrityError(database)).toBe('a row of scan_log cannot be read');
});

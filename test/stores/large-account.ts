import type { Database } from 'bun:sqlite';
import { addManyQrs } from './many-qrs.ts';

const hourMs = 3_600_000;

/**
 * Fills an account with codes of all kinds, in a few statements: names, folders, statuses, archived ones, scans, flags,
 * blocks, and a history. A quarter is paused, half is in the folder "Many", a tenth is archived, a third was never
 * scanned. The rarest of each kind are the oldest, which a list finds last.
 *
 * @returns the range of the ids
 */
export function fillLargeAccount(
  database: Database,
  owner: { accountId: number; designId: number },
  count: number,
  nowMs: number,
): { first: number; last: number } {
  const idOf = (sql: string) =>
    Number(database.query(`SELECT coalesce(${sql}(id), 0) FROM qrs`).values()[0]?.[0]);
  const before = idOf('max');
  addManyQrs(database, owner, count);
  const [first, last] = [before + 1, idOf('max')];
  const own = `FROM qrs WHERE account_id = ${owner.accountId}`;
  database.transaction(() => {
    for (const sql of [
      `UPDATE qrs SET name = 'Table ' || (id * 7919 % 1000003),
         name_key = '1table 0' || printf('%03d', length(id * 7919 % 1000003)) || (id * 7919 % 1000003),
         note = 'printed for the season, stands by the door',
         folder = CASE WHEN id % 2 = 0 THEN 'Many' WHEN id % 4 = 1 THEN 'Folder ' || (id % 50)
           WHEN id < ${first + 40} THEN 'Few' END,
         status = CASE WHEN id % 4 = 0 THEN 'paused' WHEN id % 50 = 1 THEN 'blocked'
           ELSE 'active' END,
         archived = id % 10 = 3
       WHERE account_id = ${owner.accountId}`,
      `INSERT INTO scan_counters (qr_id, account_id, scans, last_scan, scans_in_hour, last_hour)
         SELECT id, account_id, scans, last, scans, last / ${hourMs} * ${hourMs} FROM (
           SELECT id, account_id, CASE WHEN id % 3 = 0 THEN 0 ELSE 1 + id * 7919 % 100 END AS scans,
             CASE WHEN id % 3 = 0 THEN 0 ELSE ${nowMs} - id * 7919 % 5000000000 END AS last ${own})`,
      `INSERT INTO hourly_scans (qr_id, hour, scans)
         SELECT id, ${nowMs} / ${hourMs} * ${hourMs} - ${hourMs} * 24 * (id % 40), 3 ${own}`,
      `INSERT INTO flags (qr_id, list, expression, since)
         SELECT id, 'list ' || id % 3, 'example.com/', ${nowMs} - id ${own} AND id % 20 = 7`,
      `INSERT INTO recheck_queue (qr_id) SELECT id ${own} AND id % 20 = 8`,
      `INSERT INTO former_destinations (qr_id, destination, until)
         SELECT ${first}, destination, created_at ${own} AND id % 4 = 0`,
    ])
      database.run(sql);
  })();
  return { first, last };
}

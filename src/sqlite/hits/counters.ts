import type { Database } from 'bun:sqlite';
import { hitKinds } from '../../core/scans/hit.ts';
import { startOfHour } from '../../core/scans/hit-counts.ts';
import { forEachHit, splitHitKey } from '../../core/scans/hit-entries.ts';

const scanKind = hitKinds.indexOf('scan');

/**
 * Creates a function that adds hits to the counters, inside a transaction.
 * Those of codes that are gone are left out.
 *
 * A code's row in `scan_counters` also counts the scans in the hour of its last scan. The first scan of a
 * later hour moves that count to `hourly_scans`. So most scans write one row instead of two, and no index.
 */
export function createScanCounters(database: Database): (entries: ArrayLike<number>) => void {
  const addToRow = 'scans = scans + ?2, last_scan = max(last_scan, ?3)';
  const addInSameHour = database.query(
    `UPDATE scan_counters SET ${addToRow}, scans_in_hour = scans_in_hour + ?2
       WHERE qr_id = ?1 AND last_hour = ?4`,
  );
  const lastHour = database.query<{ ms: number }, [number]>(
    'SELECT last_hour AS ms FROM scan_counters WHERE qr_id = ?',
  );
  const addRow = database.query(
    `INSERT INTO scan_counters (qr_id, account_id, scans, last_scan)
       SELECT id, account_id, 0, 0 FROM qrs WHERE id = ?1`,
  );
  const addToHour = database.query(
    `INSERT INTO hourly_scans (qr_id, hour, scans) VALUES (?1, ?2, ?3)
       ON CONFLICT (qr_id, hour) DO UPDATE SET scans = scans + ?3`,
  );
  const moveToHour = database.query(
    `INSERT INTO hourly_scans (qr_id, hour, scans)
       SELECT qr_id, ?2, scans_in_hour FROM scan_counters WHERE qr_id = ?1 AND scans_in_hour > 0
       ON CONFLICT (qr_id, hour) DO UPDATE SET scans = scans + excluded.scans`,
  );
  const beginHour = database.query(
    `UPDATE scan_counters SET ${addToRow}, scans_in_hour = ?2, last_hour = ?4
       WHERE qr_id = ?1`,
  );
  const addToTotal = database.query(`UPDATE scan_counters SET ${addToRow} WHERE qr_id = ?1`);
  const addUncounted = database.query(
    `INSERT INTO uncounted_hits (qr_id, kind, hits) SELECT id, ?2, ?3 FROM qrs WHERE id = ?1
       ON CONFLICT (qr_id, kind) DO UPDATE SET hits = hits + ?3`,
  );

  const addScans = (qrId: number, scans: number, lastMs: number) => {
    const hour = startOfHour(lastMs);
    if (addInSameHour.run(qrId, scans, lastMs, hour).changes > 0) return;
    const currentHour = lastHour.get(qrId)?.ms;
    if (currentHour !== undefined && hour < currentHour) {
      // The clock was set back, or scans were buffered while the database could not be written.
      addToHour.run(qrId, hour, scans);
      addToTotal.run(qrId, scans, lastMs);
      return;
    }
    if (currentHour === undefined) {
      if (addRow.run(qrId).changes === 0) return;
    } else moveToHour.run(qrId, currentHour);
    beginHour.run(qrId, scans, lastMs, hour);
  };

  return (entries) =>
    forEachHit(entries, (key, atMs, count) => {
      const { qrId, kind } = splitHitKey(key);
      if (kind === scanKind) addScans(qrId, count, atMs);
      else addUncounted.run(qrId, kind, count);
    });
}

import type { Database } from 'bun:sqlite';
import type { HourlyScans } from '../../core/ports.ts';
import { forEachHit } from './batch.ts';
import { type Count, hourMs, hourOf } from './tally.ts';

/**
 * Adds hits to the counters; run it in a transaction.
 *
 * The counter row of a QR also holds the count for the hour of its last scan. When a scan falls into a
 * later hour, that count moves to `hourly_scans`. Most scans thus write one row instead of two.
 */
export function createScanCounters(database: Database): (entries: ArrayLike<number>) => void {
  const addInHour = database.query(
    `INSERT INTO scan_counters (qr_id, scans, last_scan, scans_in_hour) VALUES (?1, ?2, ?3, ?2)
       ON CONFLICT (qr_id) DO UPDATE
       SET scans = scans + ?2, last_scan = max(last_scan, ?3), scans_in_hour = scans_in_hour + ?2
       WHERE last_scan >= ?4 AND last_scan < ?4 + ${hourMs}`,
  );
  const lastScan = database.query<{ ms: number }, [number]>(
    'SELECT last_scan AS ms FROM scan_counters WHERE qr_id = ?',
  );
  const addToHour = database.query(
    `INSERT INTO hourly_scans (qr_id, hour, scans) VALUES (?1, ?2, ?3)
       ON CONFLICT (qr_id, hour) DO UPDATE SET scans = scans + ?3`,
  );
  const putHourAway = database.query(
    `INSERT INTO hourly_scans (qr_id, hour, scans)
       SELECT qr_id, ?2, scans_in_hour FROM scan_counters WHERE qr_id = ?1 AND scans_in_hour > 0
       ON CONFLICT (qr_id, hour) DO UPDATE SET scans = scans + excluded.scans`,
  );
  const beginHour = database.query(
    'UPDATE scan_counters SET scans = scans + ?2, last_scan = ?3, scans_in_hour = ?2 WHERE qr_id = ?1',
  );
  const addLate = database.query('UPDATE scan_counters SET scans = scans + ?2 WHERE qr_id = ?1');
  const addUncounted = database.query(
    `INSERT INTO uncounted_hits (qr_id, kind, hits) VALUES (?1, ?2, ?3)
       ON CONFLICT (qr_id, kind) DO UPDATE SET hits = hits + ?3`,
  );

  const addScans = (qrId: number, scans: number, lastMs: number) => {
    const hour = hourOf(lastMs);
    if (addInHour.run(qrId, scans, lastMs, hour).changes > 0) return;
    const presentHour = hourOf(lastScan.get(qrId)?.ms ?? 0);
    // The clock was set back, or scans waited while the database could not be written.
    if (hour <= presentHour) {
      addToHour.run(qrId, hour, scans);
      addLate.run(qrId, scans);
      return;
    }
    putHourAway.run(qrId, presentHour);
    beginHour.run(qrId, scans, lastMs);
  };

  return (entries) =>
    forEachHit(entries, addScans, (qrId, kind, hits) => addUncounted.run(qrId, kind, hits));
}

/**
 * Looks up a QR's scans per hour since an instant, oldest first, and adds those that are not in the
 * counters yet.
 */
export function createHourlyScans(
  database: Database,
): (qrId: number, sinceMs: number, unfolded?: readonly Readonly<Count>[]) => HourlyScans[] {
  const select = database.query<HourlyScans, [number, number]>(
    `SELECT hour AS hourMs, sum(scans) AS scans FROM (
       SELECT hour, scans FROM hourly_scans WHERE qr_id = ?1
       UNION ALL SELECT last_scan - last_scan % ${hourMs}, scans_in_hour FROM scan_counters
         WHERE qr_id = ?1 AND scans_in_hour > 0
     ) WHERE hour >= ?2 GROUP BY hour`,
  );
  return (qrId, sinceMs, unfolded = []) => {
    const scans = new Map(select.all(qrId, sinceMs).map((row) => [row.hourMs, row.scans]));
    for (const { hits, lastMs } of unfolded) {
      const hour = hourOf(lastMs);
      if (hour >= sinceMs) scans.set(hour, (scans.get(hour) ?? 0) + hits);
    }
    return Array.from(scans, ([hourMs, scans]) => ({ hourMs, scans })).sort(
      (one, other) => one.hourMs - other.hourMs,
    );
  };
}

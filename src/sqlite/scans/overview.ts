import type { QrCursor } from '../../core/ports.ts';
import { hourMs } from '../../core/scans/hit-counts.ts';
import type { CodeCounters, OverviewStore } from '../../core/scans/overview.ts';
import type { Store } from '../database/open.ts';

const beforeNewest: QrCursor = { createdAtMs: Number.MAX_SAFE_INTEGER, code: '' };

// The index qrs_newest_first has this order, see createQrStore.
const batch = `SELECT id, code, created_at FROM qrs
  WHERE account_id = ?1 AND created_at <= ?2 AND (created_at < ?2 OR code > ?3)
  ORDER BY created_at DESC, code LIMIT ?4`;

/** Creates the store that overviews are computed from. */
export function createOverviewStore({ $client }: Pick<Store, '$client'>): OverviewStore {
  type Batch = [accountId: number, createdAtMs: number, code: string, limit: number];
  // Parameters are in inner SELECTs: beside a joined column, SQLite would prepare a statement at each run.
  const counters = $client.query<CodeCounters, [...Batch, lateMs: number]>(
    `SELECT code, created_at AS createdAtMs, coalesce(scans, 0) AS scans, nullif(last_scan, 0) AS lastScanMs,
       coalesce((SELECT sum(scans) FROM hourly_scans WHERE qr_id = batch.id AND hour >= ?5), 0) +
       CASE WHEN last_scan >= (SELECT ?5) THEN scans_in_hour ELSE 0 END AS lateScans
     FROM (${batch}) AS batch LEFT JOIN scan_counters ON scan_counters.qr_id = batch.id
     ORDER BY created_at DESC, code`,
  );
  const hours = $client.query<{ hourMs: number; scans: number }, [...Batch, sinceMs: number]>(
    `SELECT hour AS hourMs, sum(scans) AS scans FROM (
       SELECT hour, scans FROM hourly_scans
         WHERE qr_id IN (SELECT id FROM (${batch})) AND hour >= ?5
       UNION ALL SELECT last_scan - last_scan % ${hourMs}, scans_in_hour FROM scan_counters
         WHERE qr_id IN (SELECT id FROM (${batch})) AND last_scan >= ?5 AND scans_in_hour > 0
     ) GROUP BY hour`,
  );
  return {
    readCounters: async (accountId, { sinceMs, lateMs }, cursor, limit) => {
      const { createdAtMs, code } = cursor ?? beforeNewest;
      const position = [accountId, createdAtMs, code, limit] as const;
      return {
        codes: counters.all(...position, lateMs),
        hours: hours.all(...position, sinceMs),
      };
    },
  };
}

import type { Database } from 'bun:sqlite';
import { createHitCounts, type HitCounts } from '../../core/scans/hit-counts.ts';
import { decodeHits } from './hits.ts';
import type { SqliteScanLog } from './scan-log.ts';

/**
 * Creates the look-up of hits that are in the scan log and not in the counters yet, for a process that
 * is not the server. The log is read again once another process has changed the database.
 */
export function createPendingHits(database: Database): Pick<SqliteScanLog, 'pending'> {
  const dataVersion = database.query<{ data_version: number }, []>('PRAGMA data_version');
  const rows = database.query<{ hits: unknown }, []>('SELECT hits FROM scan_log');
  let counts: HitCounts | null = null;
  let seenVersion: number | undefined;

  return {
    pending: (qrId, kind) => {
      const version = dataVersion.get()?.data_version;
      if (counts === null || version !== seenVersion) {
        counts = createHitCounts();
        for (const { hits } of rows.iterate()) counts.add(decodeHits(hits) ?? []);
        seenVersion = version;
      }
      return counts.find(qrId, kind);
    },
  };
}

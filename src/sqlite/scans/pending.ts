import type { Database } from 'bun:sqlite';
import { createHitCounts, type HitCounts } from '../../core/scans/hit-counts.ts';
import { readScanLog } from './hits.ts';
import type { SqliteScanLog } from './scan-log.ts';

/**
 * Creates the look-up of hits that are in the scan log and not in the counters yet, for a process that
 * is not the server. The log is read again once another process has changed the database.
 */
export function createPendingHits(database: Database): Pick<SqliteScanLog, 'pending'> {
  const dataVersion = database.query<{ data_version: number }, []>('PRAGMA data_version');
  let counts: HitCounts | null = null;
  let seenVersion: number | undefined;

  return {
    pending: (qrId, kind) => {
      const version = dataVersion.get()?.data_version;
      if (counts === null || version !== seenVersion) {
        counts = createHitCounts();
        for (const { entries } of readScanLog(database)) counts.add(entries ?? []);
        seenVersion = version;
      }
      return counts.find(qrId, kind);
    },
  };
}

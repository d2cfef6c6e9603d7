import type { Database } from 'bun:sqlite';
import { createHitCounts } from '../../core/scans/hit-counts.ts';
import { readScanLog } from './hits.ts';
import type { SqliteScanLog } from './scan-log.ts';

/** The pending hits for a process that is not the server. */
export interface PendingHitsOfCommand extends Pick<SqliteScanLog, 'pending'> {
  /**
   * Runs a read in one transaction with that of the scan log, from which `pending` answers afterwards: a server
   * that moves hits into the counters between both would make them missing.
   */
  inSnapshot<Result>(read: () => Result): Result;
}

/**
 * Creates the look-up of hits that are in the scan log and not in the counters yet, for a process that
 * is not the server. The log is read again once another process has changed the database.
 */
export function createPendingHits(database: Database): PendingHitsOfCommand {
  const dataVersion = database.query<{ data_version: number }, []>('PRAGMA data_version');
  let counts = createHitCounts();
  let seenVersion: number | undefined;

  const readLog = () => {
    const version = dataVersion.get()?.data_version;
    if (version === seenVersion) return;
    counts = createHitCounts();
    for (const { entries } of readScanLog(database)) counts.add(entries ?? []);
    seenVersion = version;
  };

  return {
    inSnapshot: (read) =>
      database.transaction(() => {
        readLog();
        return read();
      })(),
    pending: (qrId, kind) => counts.find(qrId, kind),
  };
}

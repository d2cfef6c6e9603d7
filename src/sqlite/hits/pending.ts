import type { Database } from 'bun:sqlite';
import { createHitCounts } from '../../core/scans/hit-counts.ts';
import {
  addToScanLog,
  foldedRow,
  type HitsFile,
  type HitsRow,
  orNullIfDamaged,
  rowsAfter,
} from '../../redirect/sqlite/hits-file.ts';
import type { PendingHits } from './folding.ts';
import { createHitsView } from './hits-view.ts';
import { readScanLog } from './scan-log.ts';

/** One state of the log of hits, in a transaction. */
export interface PinnedHits {
  /**
   * Reads the hits that are not in the counters of the database, those that came with it included.
   *
   * @param database in a state that is not older than that of the log
   */
  unfolded(database: Database): Generator<HitsRow>;
  /**
   * Adds the hits that are not in the counters of a database to its copy.
   * A server can then do without the log.
   *
   * @param database the copy itself unless it is named
   */
  addTo(copy: Database, database?: Database): void;
  close(): void;
}

/**
 * Pins the state of a data folder's log, before that of the database.
 * Between both, hits may be added to the counters.
 */
export function pinHits(dataFolder: string): PinnedHits {
  const view = createHitsView(dataFolder);
  const file = orNullIfDamaged(view.current);
  if (file !== null) beginRead(file.database);
  return {
    *unfolded(database) {
      yield* readScanLog(database);
      if (file !== null) yield* rowsAfter(file, foldedRow(database, file.log));
    },
    addTo: (copy, database = copy) => {
      if (file !== null) addToScanLog(copy, file, foldedRow(database, file.log));
    },
    close: view.close,
  };
}

/** Begins a transaction that reads, and returns the version of the database that it sees. */
function beginRead(database: Database): number | undefined {
  database.run('BEGIN');
  return dataVersion(database);
}

function dataVersion(database: Database): number | undefined {
  return database.query<{ data_version: number }, []>('PRAGMA data_version').get()?.data_version;
}

/**
 * Creates the look-up of hits that are not in the counters yet, for a process that does not add them.
 * They are read again once another process has changed the database or the log.
 */
export function createPendingHits(
  database: Database,
  dataFolder: string,
): PendingHits & { close(): void } {
  const view = createHitsView(dataFolder);
  let counts = createHitCounts();
  let seen: readonly unknown[] = [];

  const readNew = (versions: readonly unknown[], file: HitsFile | null) => {
    if (seen.length > 0 && versions.every((version, index) => version === seen[index])) return;
    counts = createHitCounts();
    for (const { entries } of readScanLog(database)) counts.add(entries ?? []);
    if (file !== null)
      for (const { entries } of rowsAfter(file, foldedRow(database, file.log)))
        counts.add(entries ?? []);
    seen = versions;
  };

  return {
    inSnapshot: (read) => {
      const file = orNullIfDamaged(view.current);
      const version = file && beginRead(file.database);
      try {
        return database.transaction(() => {
          readNew([file, version, dataVersion(database)], file);
          return read();
        })();
      } finally {
        file?.database.run('COMMIT');
      }
    },
    pending: (qrId, kind) => counts.find(qrId, kind),
    close: view.close,
  };
}

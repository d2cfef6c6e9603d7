import type { Database } from 'bun:sqlite';
import type { HitKind } from '../../core/scans/hit.ts';
import { createHitCounts, type HitCount } from '../../core/scans/hit-counts.ts';
import { errorMessage } from '../../lib/errors.ts';
import { retryLimitMs } from '../../redirect/sqlite/connection.ts';
import { isBusy } from '../../redirect/sqlite/errors.ts';
import {
  foldedRow,
  type HitsFile,
  recordFolded,
  rowsAfter,
} from '../../redirect/sqlite/hits-file.ts';
import { createScanCounters } from './counters.ts';
import { createHitsView } from './hits-view.ts';
import { readScanLog } from './scan-log.ts';

// Many hits together are cheaper to add. Until then, totals are read from the log as well.
const foldMs = 1000;

/** Hits that are committed and not in the counters yet. */
export interface PendingHits {
  /**
   * Runs a read of the database after one of the log, from which `pending` answers then.
   * In this order, because what another process adds to the counters between both would be missing otherwise. The
   * process that adds them itself needs none: it adds them in a turn of the event loop of its own.
   */
  inSnapshot?<Result>(read: () => Result): Result;
  /** Returns the hits of a code and kind, by hour, in the turn of the event loop that read the counters. */
  pending(qrId: number, kind: HitKind): readonly Readonly<HitCount>[];
}

/** Adds the hits of the log to the counters, in the one process that does so. */
export interface Folding extends PendingHits {
  /** Returns why hits cannot be added, or null. They are safe in the log. */
  problem(): string | null;
  /** Adds the rest, and waits some seconds for another process's lock. */
  close(): void;
}

/**
 * Starts to add hits to the counters.
 * First those that came with the database, then those of the log, once a second and at the end. A transaction adds them
 * and records the last row, so that log and counters together are exact at any time.
 *
 * @param database connection that writes
 * @param onError called when the counters cannot be written
 */
export function createFolding(
  database: Database,
  dataFolder: string,
  onError: (error: unknown) => void = () => {},
): Folding {
  const view = createHitsView(dataFolder);
  const addToCounters = createScanCounters(database);
  const deleteRow = database.query('DELETE FROM scan_log WHERE id = ?');
  /** Why the last attempts failed, and since when. */
  let failure: { readonly sinceMs: number; readonly reason: string } | null = null;

  const brought = createHitCounts();
  const broughtRows: number[] = [];
  // A damaged row stays; `waymark doctor` reports it.
  for (const { id, entries } of readScanLog(database))
    if (entries !== null) {
      brought.add(entries);
      broughtRows.push(id);
    }
  const foldBrought = database.transaction(() => {
    addToCounters(brought.sorted());
    for (const id of broughtRows) deleteRow.run(id);
  });

  /** The log that `tail` and both numbers belong to. */
  let file: HitsFile | null = null;
  let tail = createHitCounts();
  let seen = 0;
  let folded = 0;
  const openCurrent = () => {
    const current = view.current();
    if (current === file) return;
    file = current;
    tail = createHitCounts();
    folded = current === null ? 0 : foldedRow(database, current.log);
    seen = folded;
  };
  const readTail = () => {
    if (file === null) return;
    for (const { id, entries } of rowsAfter(file, seen)) {
      tail.add(entries ?? []);
      seen = id;
    }
  };
  const foldTail = database.transaction((log: number) => {
    addToCounters(tail.sorted());
    recordFolded(database, log, seen);
  });

  const writeCounters = (run: () => void) => {
    try {
      run();
    } catch (error) {
      onError(error);
      throw error;
    }
  };
  const fold = () => {
    if (broughtRows.length > 0) {
      writeCounters(() => foldBrought.immediate());
      brought.remove(brought.sorted());
      broughtRows.length = 0;
    }
    openCurrent();
    readTail();
    if (file === null || seen === folded) return;
    const { log } = file;
    writeCounters(() => foldTail.immediate(log));
    tail = createHitCounts();
    folded = seen;
  };
  /** Whether the tail has been read since the last await: a list asks for each of its codes. */
  let isTailRead = false;
  const readTailOnce = () => {
    if (isTailRead) return;
    isTailRead = true;
    queueMicrotask(() => {
      isTailRead = false;
    });
    try {
      // Whether another log is in its place is looked up with each attempt to fold.
      if (file === null) openCurrent();
      readTail();
    } catch {
      // The next attempt to fold reports it.
    }
  };
  const attempt = () => {
    try {
      fold();
      failure = null;
    } catch (error) {
      // Another process's lock is mostly short.
      const graceMs = isBusy(error) ? retryLimitMs : 0;
      const sinceMs = failure?.sinceMs ?? performance.now() + graceMs;
      failure = { sinceMs, reason: errorMessage(error) };
    }
  };
  const timer = setInterval(attempt, foldMs);
  timer.unref();

  return {
    pending: (qrId, kind) => {
      readTailOnce();
      return [...brought.find(qrId, kind), ...tail.find(qrId, kind)];
    },
    problem: () =>
      failure !== null && performance.now() >= failure.sinceMs ? failure.reason : null,
    close: () => {
      clearInterval(timer);
      database.run(`PRAGMA busy_timeout = ${retryLimitMs}`);
      attempt();
      view.close();
    },
  };
}

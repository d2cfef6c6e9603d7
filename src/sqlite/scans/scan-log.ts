import type { Database } from 'bun:sqlite';
import type { HitKind } from '../../core/scans/hit.ts';
import { createHitCounts } from '../../core/scans/hit-counts.ts';
import { type HitEntries, hitCount, hitKey } from '../../core/scans/hit-entries.ts';
import type { ScanLogStatus } from '../../core/storage.ts';
import { errorMessage } from '../../lib/errors.ts';
import { isBusy } from '../database/errors.ts';
import type { Connection } from '../database/open.ts';
import { retryDelayMs, retryLimitMs } from '../database/write.ts';
import { type BackgroundAggregation, createBackgroundAggregation } from './aggregation.ts';
import { encodeHits } from './hits.ts';

export interface SqliteScanLog {
  /**
   * Records a hit. Resolves when it is on disk, or buffered in memory because the database cannot be
   * written now. Never rejects.
   */
  record(qrId: number, kind: HitKind, atMs: number): Promise<void>;
  /** Returns committed hits of one code and kind that are not in the counters yet. */
  readonly pending: BackgroundAggregation['pending'];
  status(): ScanLogStatus;
  /**
   * Writes and aggregates the rest, and waits up to a second for another process's lock. Nothing may be
   * recorded afterwards.
   *
   * @returns the number of hits that could not be written and are lost
   */
  close(): number;
}

const maxRetryDelayMs = 500;

/**
 * Creates the scan log: one append per event-loop tick, aggregated into the counters in the background.
 * A hit resolves after its commit, so that it is on disk before its redirect is sent, or once it is buffered
 * because the database cannot be written. Where a commit waits for the disk, it includes the hits of the next
 * tick.
 */
export function createScanLog({ $client: database }: Connection): SqliteScanLog {
  const append = database.query('INSERT INTO scan_log (hits) VALUES (?)');
  const aggregation = createBackgroundAggregation(database);

  let batch: { entries: HitEntries; recorded: PromiseWithResolvers<void> } | null = null;
  // Counts instead of entries, so that memory is bounded by the number of codes.
  let buffer = createHitCounts();
  let buffered = 0;
  let failure: { sinceMs: number; problem: string | null } | null = null;
  let committed = 0;
  let retryTimer: Timer | null = null;

  const commit = (entries: HitEntries) => {
    const { lastInsertRowid } = append.run(encodeHits(entries));
    aggregation.add(entries, Number(lastInsertRowid));
    committed += hitCount(entries);
  };

  const addToBuffer = (entries: HitEntries) => {
    buffer.add(entries);
    buffered += hitCount(entries);
  };

  const commitBuffer = () => {
    if (buffered > 0) commit(buffer.sorted());
    buffer = createHitCounts();
    buffered = 0;
  };

  const fail = (error: unknown) => {
    failure ??= { sinceMs: performance.now(), problem: null };
    const busy = isBusy(error);
    const durationMs = performance.now() - failure.sinceMs;
    if (!busy || durationMs > retryLimitMs) failure.problem ??= errorMessage(error);
    // Another process's write is usually short, so the first retries follow soon.
    const delayMs = busy ? Math.max(durationMs, retryDelayMs) : maxRetryDelayMs;
    retryTimer ??= setTimeout(retry, Math.min(delayMs, maxRetryDelayMs));
  };

  const retry = () => {
    retryTimer = null;
    try {
      commitBuffer();
      failure = null;
    } catch (error) {
      fail(error);
    }
  };

  const flush = () => {
    if (batch === null) return;
    const { entries, recorded } = batch;
    batch = null;
    try {
      // While writes fail, redirects do not wait for another attempt.
      if (failure === null) commit(entries);
      else addToBuffer(entries);
    } catch (error) {
      addToBuffer(entries);
      fail(error);
    }
    recorded.resolve();
  };

  /** On a full disk, a checkpoint makes room inside the write-ahead log. */
  const commitAfterCheckpoint = () => {
    try {
      commitBuffer();
    } catch {
      database.run('PRAGMA wal_checkpoint(RESTART)');
      commitBuffer();
    }
  };

  const endTick = waitsForDisk(database) ? () => setImmediate(flush) : flush;

  return {
    record: (qrId, kind, atMs) => {
      if (batch === null) {
        batch = { entries: [], recorded: Promise.withResolvers() };
        setImmediate(endTick);
      }
      batch.entries.push(hitKey(qrId, kind), atMs, 1);
      return batch.recorded.promise;
    },
    pending: aggregation.pending,
    status: () => ({
      committed,
      buffered,
      problem: failure?.problem ?? null,
      aggregationProblem: aggregation.problem(),
    }),
    close: () => {
      database.run(`PRAGMA busy_timeout = ${retryLimitMs}`);
      flush();
      try {
        if (failure !== null) commitAfterCheckpoint();
      } catch {
        // The number of lost hits is returned.
      }
      if (retryTimer !== null) clearTimeout(retryTimer);
      aggregation.close();
      return buffered;
    },
  };
}

/** Returns whether a commit waits for the disk (SQLite, `PRAGMA synchronous`). */
function waitsForDisk(database: Database): boolean {
  const row = database.query<{ synchronous: number }, []>('PRAGMA synchronous').get();
  return row !== null && row.synchronous >= 2; // FULL
}

import type { Database } from 'bun:sqlite';
import type { HitKind } from '../../core/scans/hit.ts';
import { createHitCounts } from '../../core/scans/hit-counts.ts';
import { encodeHits, type HitEntries, hitCount, hitKey } from '../../core/scans/hit-entries.ts';
import { errorMessage } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import type { HitLogStatus } from '../storage.ts';
import type { Durability } from './connection.ts';
import { retryDelayMs, retryLimitMs } from './connection.ts';
import { isBusy, isCorruption, isDamage } from './errors.ts';
import { hasSideFiles, hitsPath, openFileNames, watchFiles } from './files.ts';
import { isFolded, lastRow, openHits, putDamagedHitsAside, removeHits } from './hits-file.ts';

/** Writes the log of hits, in the process that answers redirects. */
export interface HitLog {
  /**
   * Records a hit.
   * Resolves when it is on disk, or buffered in memory because the log cannot be written now. Never rejects.
   */
  record(qrId: number, kind: HitKind, atMs: number): Promise<void>;
  status(): HitLogStatus;
  /** Returns which file of the log was moved, deleted or replaced, or null. */
  filesProblem(): string | null;
  /**
   * Writes the rest. Nothing may be recorded afterwards. May be called again to try again.
   *
   * @returns the number of hits that could not be written and are lost
   */
  end(): number;
  /**
   * Closes the log.
   * Removes it if all of it is in the counters. To be called once nobody else has it open.
   */
  close(): void;
}

interface Options {
  readonly durability: Durability;
  readonly log: Logger;
  /**
   * Returns the last row of a log that is in the counters; 0 if none is, or it cannot be read.
   * Never throws.
   */
  readonly folded: (log: number) => number;
  /** Called before the log is opened; throws if it must not be. */
  readonly prepare?: () => void;
}

/** The open log. */
interface Writer {
  append(hits: Uint8Array): void;
  /** Makes room inside the write-ahead log, where the disk is full. */
  makeRoom(): void;
  filesProblem(): string | null;
  /** Whether all rows are in the counters, according to the database that the last server has left. */
  isFolded(): boolean;
  close(): void;
}

const maxRetryDelayMs = 500;
const foldedIntervalMs = 500;
// Deleting them takes less than a millisecond.
const deletedPerCommit = 500;

/**
 * Creates the log of hits: one append per event-loop tick.
 * A hit resolves after its commit, so that it is on disk before its redirect is sent, or once it is buffered because
 * the log cannot be written. Where a commit waits for the disk, it includes the hits of the next tick.
 *
 * A damaged log is put aside and replaced.
 */
export function createHitLog(dataFolder: string, options: Options): HitLog {
  let batch: { entries: HitEntries; recorded: PromiseWithResolvers<void> } | null = null;
  // Counts instead of entries, so that memory is bounded by the number of codes.
  let buffer = createHitCounts();
  let buffered = 0;
  let failure: { sinceMs: number; problem: string | null } | null = null;
  let committed = 0;
  let retryTimer: Timer | null = null;
  let writer: Writer | null = null;
  let isReplaced = false;

  const open = () => {
    options.prepare?.();
    return openWriter(dataFolder, options);
  };

  /** Runs a write. A damaged log is replaced, once: a second time, the disk is the reason. */
  const write = (run: (writer: Writer) => void) => {
    try {
      writer ??= open();
      run(writer);
    } catch (error) {
      if (isReplaced || (!isCorruption(error) && !isDamage(error))) throw error;
      isReplaced = true;
      writer?.close();
      writer = null;
      putDamagedHitsAside(dataFolder, error, options.log);
      writer = open();
      run(writer);
    }
  };

  const commit = (entries: HitEntries) => {
    write((writer) => writer.append(encodeHits(entries)));
    committed += hitCount(entries);
  };

  const addToBuffer = (entries: HitEntries) => {
    buffer.add(entries);
    buffered += hitCount(entries);
  };

  const commitBuffer = () => {
    if (buffered > 0) commit(buffer.sorted());
    else write(() => {});
    buffer = createHitCounts();
    buffered = 0;
  };

  const fail = (error: unknown) => {
    failure ??= { sinceMs: performance.now(), problem: null };
    const busy = isBusy(error);
    const durationMs = performance.now() - failure.sinceMs;
    if (!busy || durationMs > retryLimitMs) failure.problem ??= errorMessage(error);
    // Another program's write is usually short, so the first retries follow soon.
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

  const commitAfterCheckpoint = () => {
    try {
      commitBuffer();
    } catch {
      writer?.makeRoom();
      commitBuffer();
    }
  };

  const endTick = options.durability === 'power' ? () => setImmediate(flush) : flush;

  try {
    write(() => {});
  } catch (error) {
    fail(error);
  }

  return {
    record: (qrId, kind, atMs) => {
      if (batch === null) {
        batch = { entries: [], recorded: Promise.withResolvers() };
        setImmediate(endTick);
      }
      batch.entries.push(hitKey(qrId, kind), atMs, 1);
      return batch.recorded.promise;
    },
    status: () => ({ areRecorded: true, committed, buffered, problem: failure?.problem ?? null }),
    filesProblem: () => writer?.filesProblem() ?? null,
    end: () => {
      flush();
      try {
        if (failure !== null) commitAfterCheckpoint();
        failure = null;
      } catch {
        // The number of lost hits is returned.
      }
      if (retryTimer !== null) clearTimeout(retryTimer);
      return buffered;
    },
    close: () => {
      const isDone = writer?.isFolded() === true && writer.filesProblem() === null;
      writer?.close();
      // Otherwise a command has it open, and would read the next log of that name as this one.
      if (isDone && !hasSideFiles(hitsPath(dataFolder))) removeHits(dataFolder);
    },
  };
}

function openWriter(dataFolder: string, { durability, folded }: Options): Writer {
  const file = openHits(dataFolder, durability);
  const { database, log } = file;
  const insert = database.query('INSERT INTO hits (id, hits) VALUES (?, ?)');
  const deleteRows = database.query('DELETE FROM hits WHERE id BETWEEN ? AND ?');
  const filesProblem = watchFiles(dataFolder, openFileNames(hitsPath(dataFolder)));
  // Ids never start again, also when a power cut has taken rows that are in the counters.
  let last = Math.max(lastRow(file), folded(log));
  let deleted = firstRow(database) - 1;
  let foldedRow = 0;
  let readMs = Number.NEGATIVE_INFINITY;

  const deleteAndInsert = database.transaction((end: number, hits: Uint8Array) => {
    deleteRows.run(deleted + 1, end);
    insert.run(last + 1, hits);
  });
  return {
    append: (hits) => {
      const nowMs = performance.now();
      if (nowMs - readMs > foldedIntervalMs) {
        readMs = nowMs;
        foldedRow = folded(log);
      }
      // Rows that are in the counters are deleted beside a new one, so that deleting costs no commit of its own.
      const end = Math.min(foldedRow, last, deleted + deletedPerCommit);
      if (end > deleted) deleteAndInsert(end, hits);
      else insert.run(last + 1, hits);
      deleted = Math.max(deleted, end);
      last++;
    },
    makeRoom: () => {
      database.run('PRAGMA wal_checkpoint(RESTART)');
    },
    filesProblem,
    isFolded: () => isFolded(dataFolder, file),
    close: () => database.close(),
  };
}

function firstRow(database: Database): number {
  return database.query<{ id: number | null }, []>('SELECT min(id) AS id FROM hits').get()?.id ?? 1;
}

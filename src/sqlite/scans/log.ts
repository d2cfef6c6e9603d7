import type { ScanLog } from '../../core/ports.ts';
import { errorMessage } from '../../lib/errors.ts';
import { type Connection, waitsForDisk } from '../database/open.ts';
import { askAgainMs, isBusy, longestWaitMs } from '../database/write.ts';
import { addHit, type Entries, encode, entryCount, hitsIn, inPieces } from './batch.ts';
import { createUnfolded, type Unfolded } from './pending.ts';
import { createTally } from './tally.ts';

/** How the scan log is doing, for health and metrics. */
export interface ScanLogStatus {
  /** Hits written since the start. */
  readonly committed: number;
  /** Hits in memory that could not be written yet. */
  readonly waiting: number;
  /** Why writes fail. Null while they succeed, and in the first second of another process's write. */
  readonly problem: string | null;
}

export interface SqliteScanLog extends ScanLog {
  /** What is committed and not yet folded into the counters. */
  readonly unfolded: Unfolded['counts'];
  status(): ScanLogStatus;
  /** Why what is written cannot be added up, which only damage explains; null while it can. */
  foldProblem(): string | null;
  /**
   * Writes and folds what is left; waits some seconds for another process that writes. Nothing may be
   * recorded afterwards.
   *
   * @returns how many hits could not be written and are lost; 0 while the database can be written
   */
  close(): number;
}

type Outcome = 'committed' | 'buffered';

// Another process's write is over in moments: it is asked for soon, then ever more seldom.
const retryDelayMs = 500;
const rowHits = 500;

/**
 * Counts hits with one append an event-loop turn and folds the log into the counters afterwards. Where a
 * commit waits for the disk, a turn ends one round of the loop later, so that hits which come in that
 * round need no commit of their own.
 *
 * Everything that arrives in one turn is committed as one row, and each `record` resolves after that
 * commit: an answered redirect is on disk. The append is written out for the driver, past drizzle,
 * because it runs while phones wait.
 *
 * @param onProblem told when writing fails, once it is a problem, and with null when it succeeds again
 * @param onFoldProblem told when what is written cannot be added up
 */
export function createScanLog(
  { $client: database }: Connection,
  onProblem: (problem: string | null) => void = () => {},
  onFoldProblem: (problem: string) => void = () => {},
): SqliteScanLog {
  const append = database.query('INSERT INTO scan_log (entries) VALUES (?)');
  const unfolded = createUnfolded(database, onFoldProblem);

  let batch: {
    entries: Entries;
    outcome: Promise<Outcome>;
    end: (outcome: Outcome) => void;
  } | null = null;
  // Added up, so that a long wait costs no more memory than there are codes.
  let waiting = createTally();
  let waitingHits = 0;
  let failing: { sinceMs: number; problem: string | null } | null = null;
  let committed = 0;
  let retryTimer: Timer | null = null;

  const writeRow = (entries: Entries) => Number(append.run(encode(entries)).lastInsertRowid);
  const writeRows = database.transaction((pieces: readonly Entries[]) => pieces.map(writeRow));

  const commit = (entries: Entries) => {
    // A turn is one row, which needs no transaction around it.
    if (entryCount(entries) <= rowHits) unfolded.add(entries, writeRow(entries));
    else {
      const pieces = [...inPieces(entries, rowHits)];
      const rows = writeRows.immediate(pieces);
      for (const [index, piece] of pieces.entries()) unfolded.add(piece, rows[index] ?? 0);
    }
    committed += hitsIn(entries);
  };

  const keepWaiting = (entries: Entries) => {
    waiting.add(entries);
    waitingHits += hitsIn(entries);
  };

  const commitWaiting = () => {
    if (waitingHits > 0) commit(waiting.entries());
    waiting = createTally();
    waitingHits = 0;
  };

  const fail = (error: unknown) => {
    failing ??= { sinceMs: performance.now(), problem: null };
    const busy = isBusy(error);
    const forMs = performance.now() - failing.sinceMs;
    if (failing.problem === null && (!busy || forMs > longestWaitMs)) {
      failing.problem = errorMessage(error);
      onProblem(failing.problem);
    }
    const delayMs = busy ? Math.min(Math.max(forMs, askAgainMs), retryDelayMs) : retryDelayMs;
    retryTimer ??= setTimeout(retry, delayMs);
  };

  const flush = () => {
    if (batch === null) return;
    const { entries, end } = batch;
    batch = null;
    // While writing fails, no redirect waits for the next attempt: the timer makes it.
    if (failing !== null) {
      keepWaiting(entries);
      return end('buffered');
    }
    try {
      commit(entries);
      end('committed');
    } catch (error) {
      keepWaiting(entries);
      fail(error);
      end('buffered');
    }
  };

  const endTurn = waitsForDisk(database) ? () => setImmediate(flush) : flush;

  const retry = () => {
    retryTimer = null;
    try {
      commitWaiting();
      const told = failing?.problem != null;
      failing = null;
      if (told) onProblem(null);
    } catch (error) {
      fail(error);
    }
  };

  /** Once taken in, the write-ahead log has room inside, also where the disk has none. */
  const commitAtLast = () => {
    try {
      commitWaiting();
    } catch {
      database.run('PRAGMA wal_checkpoint(RESTART)');
      commitWaiting();
    }
  };

  return {
    record: (qrId, kind, atMs) => {
      if (batch === null) {
        const { promise, resolve } = Promise.withResolvers<Outcome>();
        batch = { entries: [], outcome: promise, end: resolve };
        setImmediate(endTurn);
      }
      addHit(batch.entries, qrId, kind, atMs);
      return batch.outcome;
    },
    unfolded: unfolded.counts,
    status: () => ({ committed, waiting: waitingHits, problem: failing?.problem ?? null }),
    foldProblem: unfolded.problem,
    close: () => {
      // Nobody waits for an answer any more, and what is not written now is lost.
      database.run(`PRAGMA busy_timeout = ${longestWaitMs}`);
      flush();
      try {
        commitAtLast();
      } catch {
        // What is lost is said by how much it is.
      }
      if (retryTimer !== null) clearTimeout(retryTimer);
      unfolded.finish();
      return waitingHits;
    },
  };
}

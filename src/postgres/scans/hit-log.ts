import { forEachHit, type HitEntries, hitCount } from '../../core/scans/hit-entries.ts';
import type { ScanLogStatus } from '../../core/storage.ts';
import { isTimeout, postgresMessage } from '../database/errors.ts';
import { createOutbox } from './outbox.ts';
import { createWriteSequence } from './sequence.ts';

/** Writes hits into the scan log, or keeps them in memory while the database cannot be written. */
export interface HitLog {
  /**
   * Writes hits in one statement. Never rejects.
   *
   * @param membership checked by the statement: without it, nothing is written. Null for no check
   * @returns `buffered` if the hits wait in memory
   */
  write(
    hits: HitEntries,
    membership: number | null,
  ): Promise<'written' | 'buffered' | 'not a member'>;
  /** Records that a statement has failed, and tries again until the database can be written. */
  fail(error: unknown): void;
  /** Returns whether the database does not respond at all, so that requests should not wait for it. */
  isSilent(): boolean;
  /** Resolves whether the database can be written, after an attempt that began after the call. */
  reach(): Promise<boolean>;
  /** Tries again at once: another connection to the database works. */
  retry(): void;
  status(): Omit<ScanLogStatus, 'aggregationProblem'>;
  /** Writes the rest. Returns the number of hits that could not be written and are lost. */
  close(): Promise<number>;
}

interface Options {
  /** Identifies this process among all that ever wrote to the database: a random number below 2^53. */
  readonly copy: number;
  /** Runs a statement and returns its rows. */
  readonly execute: (text: string, values: unknown[], deadlineMs?: number) => Promise<unknown[]>;
  /** Called when hits cannot be written, and with null when they can again. */
  readonly onProblem: (problem: string | null) => void;
  /** Called when the database does not respond. Its other connections will not, either. */
  readonly onSilence: () => void;
}

// Between attempts to reach a database that refuses connections. Redirects wait for the next attempt.
const retryDelayMs = 20;
// Between attempts to reach one that does not respond at all. Redirects do not wait.
// Together with the deadline shorter than a change waits for this copy to notice that the database is back.
const silentRetryDelayMs = 500;
const retryDeadlineMs = 1000;
const idleRetryDelayMs = 250;

// Copy and number are unique: a repeated statement writes nothing.
const insert = `INSERT INTO scan_log (copy, number, settled, targets, times, counts)
  SELECT $1::bigint, $2::bigint, $3::bigint, $4::bigint[], $5::bigint[], $6::bigint[]
  WHERE $7::bigint IS NULL OR EXISTS (SELECT FROM memberships WHERE id = $7::bigint)
  ON CONFLICT (copy, number) DO NOTHING RETURNING 1`;

/** Creates the log of hits. */
export function createHitLog({ copy, execute, onProblem, onSilence }: Options): HitLog {
  const sequence = createWriteSequence(copy);
  const outbox = createOutbox(sequence);
  let committed = 0;
  let failure: { readonly problem: string; readonly isSilent: boolean } | null = null;
  let recovery: Promise<boolean> | null = null;
  let retryTimer: Timer | null = null;
  let isClosed = false;

  /** Returns whether the hits were written. */
  const tryToWrite = async (number: number, hits: HitEntries, membership: number | null) => {
    const head = [copy, number, sequence.settledThrough()];
    const rows = await execute(insert, [...head, ...columnsOf(hits), membership]);
    return rows.length > 0;
  };

  const scheduleRetry = (delayMs: number) => {
    if (isClosed) return;
    retryTimer ??= setTimeout(() => {
      retryTimer = null;
      void recover();
    }, delayMs);
  };

  const fail = (error: unknown) => {
    // Replacing the connections ends other statements with other errors.
    const isSilent = isTimeout(error) || failure?.isSilent === true;
    const problem = isSilent ? 'PostgreSQL does not respond' : postgresMessage(error);
    if (failure === null) onProblem(problem);
    if (isSilent) onSilence();
    failure = { problem, isSilent };
    scheduleRetry(isSilent ? silentRetryDelayMs : idleRetryDelayMs);
  };

  /** Writes what waits. Returns whether the database can be written. */
  const tryToRecover = async (): Promise<boolean> => {
    try {
      const before = outbox.size();
      await execute('SELECT 1', [], retryDeadlineMs);
      // A standby responds, but cannot be written.
      if (failure !== null) failure = { ...failure, isSilent: false };
      await outbox.flush(async (number, hits) => void (await tryToWrite(number, hits, null)));
      committed += before;
      if (failure !== null) onProblem(null);
      failure = null;
      return true;
    } catch (error) {
      fail(error);
      return false;
    }
  };

  const recover = async (): Promise<boolean> => {
    recovery ??= tryToRecover().finally(() => {
      recovery = null;
    });
    return recovery;
  };

  const reach = async (): Promise<boolean> => {
    if (failure?.isSilent) return false;
    if (recovery !== null) await recovery;
    else await Bun.sleep(retryDelayMs);
    return failure === null || recover();
  };

  return {
    write: async (hits, membership) => {
      if (failure !== null && !(await reach())) {
        outbox.add(hits);
        // The database may have recovered in the meantime, before these hits were there to be written.
        scheduleRetry(idleRetryDelayMs);
        return 'buffered';
      }
      const number = sequence.next();
      try {
        const isWritten = await tryToWrite(number, hits, membership);
        sequence.settle(number);
        if (!isWritten) return 'not a member';
        committed += hitCount(hits);
        return 'written';
      } catch (error) {
        // It may have been executed.
        outbox.addUncertain(number, hits);
        fail(error);
        return 'buffered';
      }
    },
    fail,
    isSilent: () => failure?.isSilent === true,
    reach,
    retry: () => {
      if (failure === null) return;
      failure = { ...failure, isSilent: false };
      void recover();
    },
    status: () => {
      const buffered = outbox.size();
      const unwritten = buffered > 0 ? 'the last scans are being written' : null;
      return { committed, buffered, problem: failure?.problem ?? unwritten };
    },
    close: async () => {
      isClosed = true;
      if (retryTimer !== null) clearTimeout(retryTimer);
      if (outbox.size() > 0) await recover();
      return outbox.size();
    },
  };
}

/** Returns the columns of hits: targets, times and counts, the last null if each is one. */
function columnsOf(hits: HitEntries): [string, string, string | null] {
  const targets: number[] = [];
  const times: number[] = [];
  const counts: number[] = [];
  forEachHit(hits, (target, atMs, count) => {
    targets.push(target);
    times.push(atMs);
    counts.push(count);
  });
  const areOnes = counts.every((count) => count === 1);
  return [numberArray(targets), numberArray(times), areOnes ? null : numberArray(counts)];
}

/** Returns an array literal of PostgreSQL. Faster than a parameter that the driver converts. */
function numberArray(numbers: readonly number[]): string {
  return `{${numbers.join()}}`;
}

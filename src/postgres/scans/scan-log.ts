import { forEachHit, type HitEntries, hitCount } from '../../core/scans/hit-entries.ts';
import type { HitLogStatus } from '../../core/storage.ts';
import { isTimeout, postgresMessage } from '../database/errors.ts';
import { createOutbox } from './outbox.ts';

/**
 * Writes hits into the scan log, or keeps them in memory while the database cannot be written.
 * Checks regularly whether the database responds.
 */
export interface PostgresScanLog {
  /**
   * Writes hits in one statement. Never rejects.
   *
   * @param version of redirects that the statement requires, null for any
   * @returns false if the version is another, and nothing was written; true also if the hits wait in memory
   */
  write(hits: HitEntries, version: number | null): Promise<boolean>;
  /** Records that a statement has failed, and tries again until the database can be written. */
  fail(error: unknown): void;
  /** Returns whether the database does not respond at all, so that requests should not wait for it. */
  isSilent(): boolean;
  /** Resolves whether the database can be written, after an attempt that began after the call. */
  reach(): Promise<boolean>;
  status(): Omit<HitLogStatus, 'areRecorded'>;
  /** Writes the rest. Returns the number of hits that could not be written and are lost. */
  close(): Promise<number>;
}

export interface ScanLogOptions {
  /** Identifies this process among all that ever wrote to the database: a random number below 2^53. */
  readonly copy: number;
  /** Runs a statement and returns its rows. */
  readonly execute: (text: string, values: unknown[]) => Promise<unknown[]>;
  /** Reads from the database. Rejects when it does not respond in time. */
  readonly check: (deadlineMs: number) => Promise<void>;
  /** Called when hits cannot be written, and with null when they can again. */
  readonly onProblem: (problem: string | null) => void;
  /** Called when the database does not respond. Its other connections will not, either. */
  readonly onSilence: () => void;
}

const checkIntervalMs = 1000;
// Longer than any pause of a busy server.
const checkDeadlineMs = 3000;
// Between attempts to write while that fails.
const retryDelayMs = 250;
// Redirects wait for an attempt of their own if the database refuses connections.
const reachDelayMs = 20;
// They do not wait for a database that does not respond. Nearly all the time, an attempt waits for it.
const silentRetryDelayMs = 50;
const retryDeadlineMs = 1000;

// Copy and number are unique: a repeated statement writes nothing.
const insertIf = (
  condition: string,
) => `INSERT INTO scan_log (copy, number, settled, targets, times, counts)
  SELECT $1::bigint, $2::bigint, $3::bigint, $4::bigint[], $5::bigint[], $6::bigint[]
  WHERE ${condition}
  ON CONFLICT (copy, number) DO NOTHING RETURNING 1`;
const insert = insertIf('TRUE');
const insertAtVersion = insertIf(
  'EXISTS (SELECT FROM redirect_version WHERE version = $7::bigint)',
);

/** Creates the log of hits. */
export function createScanLog({
  copy,
  execute,
  check,
  onProblem,
  onSilence,
}: ScanLogOptions): PostgresScanLog {
  const outbox = createOutbox();
  let committed = 0;
  let failure: { readonly problem: string; readonly isSilent: boolean } | null = null;
  let recovery: Promise<boolean> | null = null;
  let timer: Timer | null = null;
  let isClosed = false;

  /** Returns whether the hits were written. */
  const tryToWrite = async (number: number, hits: HitEntries, version: number | null) => {
    const row = [copy, number, outbox.finishedThrough(), ...columnsOf(hits)];
    const rows = await (version === null
      ? execute(insert, row)
      : execute(insertAtVersion, [...row, version]));
    return rows.length > 0;
  };

  const scheduleCheck = () => {
    if (timer !== null) clearTimeout(timer);
    if (isClosed) return;
    const failedDelayMs = failure?.isSilent === true ? silentRetryDelayMs : retryDelayMs;
    timer = setTimeout(recover, failure === null ? checkIntervalMs : failedDelayMs);
    timer.unref();
  };

  const fail = (error: unknown) => {
    // Replacing the connections ends other statements with other errors.
    const isSilent = isTimeout(error) || failure?.isSilent === true;
    const problem = isSilent ? 'PostgreSQL does not respond' : postgresMessage(error);
    if (failure === null) onProblem(problem);
    if (isSilent) onSilence();
    failure = { problem, isSilent };
    if (recovery === null) scheduleCheck();
  };

  /** Checks the database, and writes what waits. Returns whether the database can be written. */
  const tryToRecover = async (): Promise<boolean> => {
    try {
      await check(failure === null ? checkDeadlineMs : retryDeadlineMs);
      // A standby responds, but cannot be written.
      if (failure !== null) failure = { ...failure, isSilent: false };
      await outbox.flush(async (number, hits) => {
        await tryToWrite(number, hits, null);
        committed += hitCount(hits);
      });
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
      scheduleCheck();
    });
    return recovery;
  };

  const reach = async (): Promise<boolean> => {
    if (failure?.isSilent) return false;
    if (recovery !== null) await recovery;
    else await Bun.sleep(reachDelayMs);
    return recover();
  };

  scheduleCheck();
  return {
    write: async (hits, version) => {
      if (failure !== null && !(await reach())) {
        outbox.add(hits);
        return true;
      }
      const number = outbox.begin();
      try {
        const isWritten = await tryToWrite(number, hits, version);
        outbox.finish(number);
        if (isWritten) committed += hitCount(hits);
        return isWritten;
      } catch (error) {
        // It may have been executed.
        outbox.addUncertain(number, hits);
        fail(error);
        await reach();
        return true;
      }
    },
    fail,
    isSilent: () => failure?.isSilent === true,
    reach,
    status: () => {
      const buffered = outbox.size();
      const unwritten = buffered > 0 ? 'the last scans are being written' : null;
      return { committed, buffered, problem: failure?.problem ?? unwritten };
    },
    close: async () => {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      if (outbox.size() > 0) await recover();
      return outbox.size();
    },
  };
}

/**
 * Returns the columns of hits as array literals.
 * Targets, times and counts, the last null if each is one.
 */
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
  return [`{${targets}}`, `{${times}}`, areOnes ? null : `{${counts}}`];
}

import { SQLiteError } from 'bun:sqlite';
import { StoreUnavailable } from '../../core/errors.ts';

/** How long an answer may wait for another process to finish its write, in milliseconds. */
export const longestWaitMs = 1000;
/**
 * How often it asks, in milliseconds. Asking holds up the thread for the busy timeout, so there is
 * time for redirects in between.
 */
export const askAgainMs = 50;

// Resolves when the write that waits for another process got through or gave up. For the whole module, because
// this process writes to one database; with several, writes would queue behind each other needlessly, but
// no longer than `longestWaitMs`.
let retrying: Promise<void> | null = null;

/**
 * Runs a write and tells a database that cannot be written now (full, read-only, locked, failing
 * disk) from a fault of ours. While another process writes it tries again and again, without holding
 * up the thread in between; of many writes only the first one asks, and the others wait behind it.
 *
 * @param run a whole transaction; runs anew after it failed
 * @throws StoreUnavailable
 */
export async function write<T>(run: () => T): Promise<T> {
  const deadlineMs = performance.now() + longestWaitMs;
  while (retrying !== null) {
    await retrying;
    if (performance.now() > deadlineMs) throw unavailable(null);
  }
  let ended: (() => void) | null = null;
  try {
    for (;;) {
      try {
        return run();
      } catch (error) {
        if (!isUnwritable(error)) throw error;
        if (!isBusy(error) || performance.now() > deadlineMs) throw unavailable(error);
      }
      if (ended === null) {
        const { promise, resolve } = Promise.withResolvers<void>();
        [retrying, ended] = [promise, resolve];
      }
      await Bun.sleep(askAgainMs);
    }
  } finally {
    if (ended !== null) retrying = null;
    ended?.();
  }
}

function unavailable(cause: unknown): StoreUnavailable {
  return new StoreUnavailable('The database cannot be written.', { cause });
}

const unwritable = /^SQLITE_(BUSY|LOCKED|FULL|READONLY|IOERR|CANTOPEN|NOMEM|PERM)/;

/** Whether SQLite refused for the sake of the disk or of another process. */
export function isUnwritable(error: unknown): boolean {
  return unwritable.test(sqliteCode(error));
}

/** Whether another process has the database for itself at the moment. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(error));
}

/** SQLite's name of an error, empty for any other; drizzle wraps what the driver throws. */
function sqliteCode(error: unknown): string {
  const cause = error instanceof Error && !(error instanceof SQLiteError) ? error.cause : error;
  return cause instanceof SQLiteError ? (cause.code ?? '') : '';
}

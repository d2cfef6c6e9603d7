import { StoreUnavailable } from '../../core/errors.ts';
import { isBusy, isUnwritable } from './errors.ts';

/** How long a write is retried while another process writes, in milliseconds. */
export const retryLimitMs = 1000;
/** Delay between attempts in milliseconds. Each blocks the thread for the busy timeout. */
export const retryDelayMs = 50;

// Resolves when the write that is being retried has succeeded or failed. One for the module: this
// process writes to one main database.
let retrying: Promise<void> | null = null;

/**
 * Runs a write. While another process holds the lock, it is retried without blocking the thread; other
 * writes wait for it instead of trying as well.
 *
 * @param run a whole transaction; runs again after it failed
 * @throws StoreUnavailable when the database cannot be written: locked, full, read-only, disk error
 */
export async function write<T>(run: () => T): Promise<T> {
  const deadlineMs = performance.now() + retryLimitMs;
  while (retrying !== null) {
    await retrying;
    if (performance.now() > deadlineMs) throw unavailable(null);
  }
  try {
    return run();
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    if (!isBusy(error)) throw unavailable(error);
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  retrying = promise;
  try {
    return await retry(run, deadlineMs);
  } finally {
    retrying = null;
    resolve();
  }
}

async function retry<T>(run: () => T, deadlineMs: number): Promise<T> {
  for (;;) {
    await Bun.sleep(retryDelayMs);
    try {
      return run();
    } catch (error) {
      if (!isUnwritable(error)) throw error;
      if (!isBusy(error) || performance.now() > deadlineMs) throw unavailable(error);
    }
  }
}

function unavailable(cause: unknown): StoreUnavailable {
  return new StoreUnavailable('The database cannot be written.', { cause });
}

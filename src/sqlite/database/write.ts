import { accountDeleted, StoreUnavailable } from '../../core/errors.ts';
import { isBusy, isMissingReference, isUnwritable, sqliteMessage } from './errors.ts';
import type { Connection } from './open.ts';

/** How long a write is retried while another process writes, in milliseconds. */
export const retryLimitMs = 3000;
/** Delay between attempts in milliseconds. Each blocks the thread for the busy timeout. */
export const retryDelayMs = 50;

// One queue, because a process writes to one database.
let queue: Promise<unknown> = Promise.resolve();
/** Whether another process held the lock at the last attempt. */
let isLocked = false;

/**
 * Runs a write after all earlier ones. While another process holds the lock, it is retried without
 * blocking the thread.
 *
 * @param run a whole transaction
 * @throws StoreUnavailable when the database cannot be written: locked, full, read-only, disk error
 * @throws ApiError when the account has been deleted
 */
export function write<T>(run: () => T): Promise<T> {
  const deadlineMs = performance.now() + retryLimitMs;
  const result = queue.then(() => attempt(run, deadlineMs));
  queue = result.catch(() => {});
  return result;
}

/**
 * Creates a function that runs a transaction that takes the write lock at its start, see {@link write}. It is made once
 * for a connection: drizzle makes its own objects for each transaction, which takes longer than short ones run.
 */
export function createWriteTransaction({ $client }: Connection): <T>(run: () => T) => Promise<T> {
  const { immediate } = $client.transaction((run: () => unknown) => run());
  // The cast is safe: the transaction returns what it has run.
  return (run) => write(() => immediate(run) as ReturnType<typeof run>);
}

/** A write whose time is over is still tried if no other process writes: the disk, or this process, was slow. */
async function attempt<T>(run: () => T, deadlineMs: number): Promise<T> {
  const isLate = () => performance.now() > deadlineMs;
  if (isLocked && isLate()) throw unavailable();
  for (;;) {
    try {
      const result = run();
      isLocked = false;
      return result;
    } catch (error) {
      isLocked = isBusy(error);
      // Only accounts are deleted while something may be added to them.
      if (isMissingReference(error)) throw accountDeleted();
      if (!isUnwritable(error)) throw error;
      if (!isLocked || isLate()) throw unavailable(error);
    }
    await Bun.sleep(retryDelayMs);
  }
}

function unavailable(error?: unknown): StoreUnavailable {
  // Without the statement and its values, which drizzle adds.
  const options = error === undefined ? {} : { cause: new Error(sqliteMessage(error)) };
  return new StoreUnavailable('The database cannot be written.', options);
}

import { accountDeleted, StoreUnavailable } from '../../core/errors.ts';
import { type Connection, retryDelayMs, retryLimitMs } from '../../redirect/sqlite/connection.ts';
import {
  isBusy,
  isMissingReference,
  isUnwritable,
  sqliteMessage,
} from '../../redirect/sqlite/errors.ts';

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

// Of a turn of the event loop. What has not begun by then is committed in the next one.
const maxGroupMs = 5;

/** A transaction that waits to be run, and its promise. */
interface Waiting {
  run(): unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

type Outcome = { readonly result: unknown } | { readonly error: unknown };

/**
 * Creates a function that runs a transaction.
 * It takes the write lock at its start, see {@link write}. Those of one turn of the event loop are committed together,
 * each with a savepoint, because a commit waits for the disk: eight edits at a time take 0.6 of the CPU time that they
 * take with a commit each.
 */
export function createWriteTransaction({ $client }: Connection): <T>(run: () => T) => Promise<T> {
  let waiting: Waiting[] = [];
  const withSavepoint = $client.transaction((run: () => unknown) => run());
  /** Runs transactions, the first of them at least, and returns what became of those that it has run. */
  const { immediate: commitTogether } = $client.transaction((group: readonly Waiting[]) => {
    const [first, ...others] = group;
    if (first === undefined) return [];
    if (others.length === 0) return [{ result: first.run() }];
    const endMs = performance.now() + maxGroupMs;
    const outcomes: Outcome[] = [];
    for (const { run } of group) {
      if (outcomes.length > 0 && performance.now() > endMs) break;
      outcomes.push(outcomeOf(run));
    }
    return outcomes;
  });
  const outcomeOf = (run: () => unknown): Outcome => {
    try {
      return { result: withSavepoint(run) };
    } catch (error) {
      // A full disk ends the whole transaction.
      if (!$client.inTransaction) throw error;
      return { error: translated(error) };
    }
  };
  const commitWaiting = async () => {
    const group = waiting;
    waiting = [];
    try {
      const outcomes = await write(() => commitTogether(group));
      for (const [index, outcome] of outcomes.entries())
        if ('error' in outcome) group[index]?.reject(outcome.error);
        else group[index]?.resolve(outcome.result);
      const rest = group.slice(outcomes.length);
      if (rest.length > 0 && waiting.length === 0) setImmediate(commitWaiting);
      waiting = [...rest, ...waiting];
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  return <T>(run: () => T) =>
    new Promise<T>((resolve, reject) => {
      if (waiting.length === 0) setImmediate(commitWaiting);
      // The cast is safe: the promise gets what `run` returns.
      waiting.push({ run, resolve: (result) => resolve(result as T), reject });
    });
}

/**
 * Tries a write. One whose time is over is still tried if no other process writes.
 * The disk, or this process, was slow.
 */
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
      if (!isLocked || isLate()) throw translated(error);
    }
    await Bun.sleep(retryDelayMs);
  }
}

/** Returns the error for callers of a write that failed. */
function translated(error: unknown): unknown {
  // Only accounts are deleted while something may be added to them.
  if (isMissingReference(error)) return accountDeleted();
  return isUnwritable(error) ? unavailable(error) : error;
}

function unavailable(error?: unknown): StoreUnavailable {
  // Without the statement and its values, which drizzle adds.
  const options = error === undefined ? {} : { cause: new Error(sqliteMessage(error)) };
  return new StoreUnavailable('The database cannot be written.', options);
}

import type { ExclusiveTask, ServerStorage } from '../core/storage.ts';
import { withDeadline } from '../lib/deadline.ts';
import { every } from '../lib/event-loop.ts';
import type { Connection } from '../redirect/postgres/connection.ts';

/**
 * First key of the advisory locks of background tasks.
 * Copies of 1.1.0 hold it with the second key 0 while they lead: a task shares that lock, so that none of both works
 * beside the other.
 */
const lockKey = 0x57_41_59_02;

/** Second key of the lock of a task. */
const taskKeys = {
  aggregation: 1,
  'lists rechecks': 2,
  'provider rechecks': 3,
  backup: 4,
} as const;
type Task = ExclusiveTask | 'aggregation';

/**
 * Returns the SQL expression that takes the lock of a task until the end of the transaction.
 * True if no other copy has it. There is no session to watch: PostgreSQL releases the lock when the transaction ends,
 * however that is.
 */
export function tryLock(task: Task): string {
  const shared = `pg_try_advisory_xact_lock_shared(${lockKey}, 0)`;
  return `(NOT pg_is_in_recovery() AND ${shared} AND pg_try_advisory_xact_lock(${lockKey}, ${taskKeys[task]}))`;
}

// A session that goes silent is ended by PostgreSQL, and its lock is free.
const beatMs = 5_000;
const deadlineMs = 10_000;
const setIdleTimeout = "SET LOCAL idle_in_transaction_session_timeout = '20s'";

/**
 * Creates the function that runs long tasks.
 * A transaction has the lock of each, see `ServerStorage.exclusively`.
 */
export function createExclusiveTasks(connection: Connection): ServerStorage['exclusively'] {
  return async (task, run) => {
    const session = await withDeadline(deadlineMs, () => connection.sql().reserve());
    const execute = <Row>(statement: string) =>
      withDeadline(deadlineMs, () => session.unsafe<Row[]>(statement));
    let isHeld = true;
    try {
      await execute('BEGIN');
      await execute(setIdleTimeout);
      const [row] = await execute<{ got: boolean }>(`SELECT ${tryLock(task)} AS got`);
      if (row?.got === true) {
        const stopBeats = every(beatMs, async () => {
          isHeld &&= await execute('SELECT 1').then(
            () => true,
            () => false,
          );
        });
        try {
          await run(() => isHeld);
        } finally {
          stopBeats();
        }
      }
    } finally {
      isHeld = false;
      // Fails where the session is lost, and with it the transaction.
      await execute('ROLLBACK').catch(() => {});
      session.release();
    }
  };
}

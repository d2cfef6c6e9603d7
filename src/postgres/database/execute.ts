import { withDeadline } from '../../lib/deadline.ts';
import { isConnectionLost, isTimeout } from './errors.ts';
import type { Connection } from './open.ts';

const defaultDeadlineMs = 3000;

/**
 * Runs a statement that a redirect waits for, and returns its rows as arrays. Replaces the pool when the database
 * does not respond or its connections are lost.
 *
 * @throws what PostgreSQL reports, or an error for which `isTimeout` is true
 */
export async function execute(
  connection: Connection,
  text: string,
  values: unknown[],
  deadlineMs = defaultDeadlineMs,
): Promise<unknown[]> {
  const sql = connection.sql();
  try {
    return await withDeadline(deadlineMs, () => sql.unsafe(text, values).values());
  } catch (error) {
    // The other connections are lost as well, and a statement without a response would keep its own.
    const isPoolLost = isTimeout(error) || isConnectionLost(error);
    if (isPoolLost && connection.sql() === sql) connection.reset();
    throw error;
  }
}

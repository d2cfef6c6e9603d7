import { isDeadline, withDeadline } from '../../lib/deadline.ts';
import { createConnection, type PoolOptions } from './connection.ts';
import { isConnectionLost } from './errors.ts';

/** One connection, which is replaced when it is lost. */
export interface Session {
  /**
   * Runs a statement, and returns its rows as arrays.
   *
   * @throws what PostgreSQL reports, or the error of a deadline
   */
  run(text: string, values: readonly unknown[]): Promise<unknown[]>;
  /** Returns how many connections there have been. */
  connections(): number;
  close(): Promise<void>;
}

// Longer than any pause of a busy server.
const silentMs = 3000;
/**
 * How long a statement that others block may go on, at most.
 * PostgreSQL does not notice that its client has given up, and keeps its connection.
 */
const longestMs = 48_000;

/**
 * Creates a session, which connects at its first statement.
 *
 * @param onSilence called when a statement was given up
 */
export function createSession(
  url: string,
  options: Omit<PoolOptions, 'max' | 'maxLookUps' | 'onConnect'>,
  onSilence: () => void = () => {},
): Session {
  let connections = 0;
  let isConnected = false;
  let deadlineMs = silentMs;
  const connection = createConnection(url, {
    ...options,
    max: 1,
    onConnect: () => {
      connections++;
      isConnected = true;
    },
  });
  return {
    run: async (text, values) => {
      const sql = connection.sql();
      try {
        const rows = await withDeadline(isConnected ? deadlineMs : silentMs, () =>
          sql.unsafe(text, [...values]).values(),
        );
        deadlineMs = silentMs;
        return rows;
      } catch (error) {
        // What hangs may be blocked by others. Without a connection, nothing can be.
        if (isDeadline(error) && isConnected) deadlineMs = Math.min(deadlineMs * 2, longestMs);
        if ((isDeadline(error) || isConnectionLost(error)) && connection.sql() === sql) {
          isConnected = false;
          connection.reset();
          if (isDeadline(error)) onSilence();
        }
        throw error;
      }
    },
    connections: () => connections,
    close: connection.close,
  };
}

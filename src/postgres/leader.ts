import { pause } from '../lib/event-loop.ts';
import { postgresMessage } from './database/errors.ts';

/** The election of the copy that runs the tasks that only one may run. */
export interface Election {
  isLeader(): boolean;
  /** Ends the session, and with it the leadership, because PostgreSQL does not respond. Another one follows. */
  reset(): void;
  /** Leaves. Another copy takes over the tasks. */
  close(): Promise<void>;
}

interface Options {
  /** Opens a session of its own. */
  readonly connect: (onClose: () => void) => Bun.SQL;
  /** Runs while this copy is the leader, in the session that makes it one. Rejects if the session ends. */
  readonly lead: (session: Bun.SQL, signal: AbortSignal) => Promise<void>;
  /** Called when `lead` fails although the session works. It runs again soon. */
  readonly onLeadFailure: (problem: string) => void;
}

/** First key of the advisory lock of the leader. */
const leaderLock = 0x57_41_59_02;

const reconnectDelayMs = 250;
// The lock of a leader that was killed is free at once, that of one that is cut off after ten seconds.
const candidateIntervalMs = 2000;

/**
 * Settings of a session that ends soon after the network to its client does, instead of after two hours.
 * PostgreSQL then releases its locks.
 */
export const shortLivedSession = {
  tcp_keepalives_idle: 4,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 10_000,
} as const;

/** Joins the election. The leader is the session that has the advisory lock; there is none on a standby. */
export function joinElection({ connect, lead, onLeadFailure }: Options): Election {
  let isLeader = false;
  let isClosed = false;
  let lost = new AbortController();

  const run = async (session: Bun.SQL, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const [row] = await session<{ isLeader: boolean | null }[]>`
        SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_try_advisory_lock(${leaderLock}::int, 0) END AS "isLeader"`;
      if (row?.isLeader !== true) {
        await pause(candidateIntervalMs);
        continue;
      }
      isLeader = !signal.aborted;
      try {
        await lead(session, signal);
      } catch (error) {
        // Throws if the session is lost, and with it the lock.
        await session`SELECT 1`;
        onLeadFailure(postgresMessage(error));
        await pause(candidateIntervalMs);
      }
    }
  };

  const runForever = async () => {
    while (!isClosed) {
      const ending = new AbortController();
      lost = ending;
      const sql = connect(() => ending.abort());
      const running = sql.reserve().then((session) => run(session, ending.signal));
      const aborted = new Promise((resolve) => {
        ending.signal.addEventListener('abort', resolve, { once: true });
      });
      await Promise.race([running, aborted]).catch(() => {});
      ending.abort();
      isLeader = false;
      await sql.close({ timeout: 0 });
      if (!isClosed) await pause(reconnectDelayMs);
    }
  };
  const ended = runForever();

  return {
    isLeader: () => isLeader,
    reset: () => lost.abort(),
    close: async () => {
      isClosed = true;
      lost.abort();
      await ended;
    },
  };
}

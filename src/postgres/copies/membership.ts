import { withDeadline } from '../../lib/deadline.ts';
import { pause } from '../../lib/event-loop.ts';
import { postgresMessage } from '../database/errors.ts';
import { channel, formatMessage, type Message, parseMessage } from './channel.ts';

/** This copy among all copies that use the database. */
export interface Membership {
  /** The number of the current membership, or null. */
  current(): number | null;
  /** Whether this copy runs the tasks that only one copy may run. */
  isLeader(): boolean;
  /** Leaves. Another copy takes over the tasks. */
  close(): Promise<void>;
}

interface Options {
  /** Identifies this process in messages. Its own changes need no response. */
  readonly origin: number;
  /** Opens connections of their own, since a membership lasts as long as its connections. */
  readonly connect: (onClose: () => void) => Bun.SQL;
  /** Called when messages arrive from now on, after some may have been missed. */
  readonly onJoin: (membership: number) => void;
  /** Called when messages may be missed from now on. */
  readonly onLeave: () => void;
  /** Called with each message. A change takes effect before it returns. */
  readonly onMessage: (message: Message) => void;
  /** Runs while this copy is the leader, in the session that makes it one. Rejects if the session ends. */
  readonly lead: (session: Bun.SQL, signal: AbortSignal) => Promise<void>;
  /** Called when `lead` fails although the session works. It runs again soon. */
  readonly onLeadFailure: (problem: string) => void;
}

/** First key of the advisory lock of the leader. */
const leaderLock = 0x57_41_59_02;

const rejoinDelayMs = 250;
// The lock of a leader that was killed is free at once, that of one that is cut off after ten seconds.
const candidateIntervalMs = 2000;
const checkIntervalMs = 2000;
const checkDeadlineMs = 3000;

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

/**
 * Joins the copies of the database, and joins again whenever the connection is lost. Each membership is a row in a
 * table. Without the row the copy is no member, whether it knows that or not.
 */
export function joinCopies(options: Options): Membership {
  const ended = new AbortController();
  let isLeader = false;
  let current: number | null = null;
  /** The last membership, whose row may still be there. */
  let last: number | null = null;
  let leave = async () => {};

  const join = async (): Promise<void> => {
    const lost = new AbortController();
    const membership = Math.floor(Math.random() * 2 ** 31);
    const sql = options.connect(() => lost.abort());
    const end = async () => {
      lost.abort();
      await sql.close({ timeout: 0 });
    };
    leave = end;
    try {
      const presence = await sql.reserve();
      await sql.listen(channel, (payload) => {
        const message = parseMessage(payload);
        if (message === null) return;
        options.onMessage(message);
        if (message.type === 'change' && message.origin !== options.origin)
          respond(presence, message, membership).catch(() => lost.abort());
      });
      // Nobody needs to wait for the last one any more.
      if (last !== null) await presence`DELETE FROM memberships WHERE id = ${last}`;
      last = membership;
      await presence`INSERT INTO memberships (id) VALUES (${membership})`;
      if (lost.signal.aborted) return;
      leave = async () => {
        const remove = async () => presence`DELETE FROM memberships WHERE id = ${membership}`;
        await withDeadline(checkDeadlineMs, remove).catch(() => {});
        await end();
      };
      current = membership;
      options.onJoin(membership);
      const candidate = await sql.reserve();
      await Promise.race([
        runForLeader(candidate, lost.signal),
        checkRegularly(presence, membership, lost.signal),
        aborted(lost.signal),
      ]);
    } finally {
      isLeader = false;
      current = null;
      options.onLeave();
      await end();
    }
  };

  const respond = async (
    session: Bun.SQL,
    { origin, token }: Pick<Message, 'origin' | 'token'>,
    membership: number,
  ): Promise<void> => {
    const seen = formatMessage({ type: 'seen', origin, token, membership });
    await session`SELECT pg_notify(${channel}, ${seen})`;
  };

  const runForLeader = async (session: Bun.SQL, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const [row] = await session<{ is_leader: boolean }[]>`
        SELECT pg_try_advisory_lock(${leaderLock}::int, 0) AS is_leader`;
      if (row?.is_leader !== true) {
        await pause(candidateIntervalMs);
        continue;
      }
      isLeader = true;
      try {
        await options.lead(session, signal);
      } catch (error) {
        // Throws if the session is lost, and with it the lock.
        await session`SELECT 1`;
        options.onLeadFailure(postgresMessage(error));
        await pause(candidateIntervalMs);
      }
    }
  };

  /**
   * Returns when another process has removed this member. Rejects when the session does not respond: the network was
   * cut, or PostgreSQL has ended it meanwhile.
   */
  const checkRegularly = async (
    session: Bun.SQL,
    membership: number,
    signal: AbortSignal,
  ): Promise<void> => {
    let isMember = true;
    while (isMember && !signal.aborted) {
      await pause(checkIntervalMs);
      const rows = await withDeadline(
        checkDeadlineMs,
        () => session`SELECT FROM memberships WHERE id = ${membership}`,
      );
      isMember = rows.length > 0;
    }
  };

  const stayJoined = async () => {
    while (!ended.signal.aborted) {
      await join().catch(() => {});
      await pause(rejoinDelayMs);
    }
  };
  void stayJoined();

  return {
    current: () => current,
    isLeader: () => isLeader,
    close: async () => {
      ended.abort();
      await leave();
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

import type { Connection } from '../database/open.ts';
import { channel, formatMessage, type Message, parseMessage } from './channel.ts';

/**
 * First key of the advisory lock that each running copy holds, with its own number as the second key: PostgreSQL
 * releases it when the copy ends or loses its connection.
 */
export const presenceLock = 0x57_41_59_01;

// A copy that does not respond is cut off: PostgreSQL has not noticed yet that the connection is lost.
const maxWaitMs = 2000;
const recheckMs = 200;

/**
 * Tells all copies that the redirect of some codes has changed. To be called after the commit and before the
 * change is answered. Resolves when no copy has an earlier target of the codes in memory.
 */
export type Announce = (codes: readonly string[]) => Promise<void>;

export interface Announcer {
  readonly announce: Announce;
  /** Takes a message of the channel. */
  receive(message: Message): void;
}

const presentCopies = `ARRAY(
  SELECT objid::int FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = ${presenceLock}
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;

/** @param origin number of this process, below 2^31; a copy has dropped the codes itself */
export function createAnnouncer(connection: Pick<Connection, 'sql'>, origin: number): Announcer {
  /** Copies that have responded, by token. */
  const responses = new Map<number, Set<number>>();
  let lastToken = 0;
  let wake = Promise.withResolvers<void>();

  const copiesIn = async (statement: string, values: unknown[] = []): Promise<number[]> => {
    const [row] = await connection.sql().unsafe<{ copies: Iterable<unknown> }[]>(statement, values);
    return Array.from(row?.copies ?? [], Number);
  };

  return {
    announce: async (codes) => {
      const token = ++lastToken;
      const seen = new Set([origin]);
      responses.set(token, seen);
      try {
        let copies = await copiesIn(`SELECT ${presentCopies} AS copies, pg_notify($1, $2)`, [
          channel,
          formatMessage({ type: 'change', origin, token, codes }),
        ]);
        const deadlineMs = performance.now() + maxWaitMs;
        while (copies.some((copy) => !seen.has(copy)) && performance.now() < deadlineMs) {
          const { promise } = wake;
          const isWoken = await Promise.race([promise.then(() => true), Bun.sleep(recheckMs)]);
          if (isWoken !== true) copies = await copiesIn(`SELECT ${presentCopies} AS copies`);
        }
      } finally {
        responses.delete(token);
      }
    },
    receive: (message) => {
      if (message.type !== 'seen' || message.origin !== origin) return;
      responses.get(message.token)?.add(message.copy);
      wake.resolve();
      wake = Promise.withResolvers();
    },
  };
}

/** Creates the announcements of a command, which is no copy itself. Listens from the first one on. */
export function createCommandAnnounce(connection: Pick<Connection, 'sql'>): Announce {
  const announcer = createAnnouncer(connection, Math.floor(Math.random() * 2 ** 31));
  let listening: Promise<unknown> | null = null;
  return async (codes) => {
    listening ??= connection.sql().listen(channel, (payload) => {
      const message = parseMessage(payload);
      if (message !== null) announcer.receive(message);
    });
    await listening;
    await announcer.announce(codes);
  };
}

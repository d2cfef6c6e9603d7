import type { Connection } from '../database/open.ts';
import { channel, formatMessage, type Message, parseMessage } from './channel.ts';

// A member that does not respond was killed, or has lost its connection. Longer than a copy that redirects from
// memory needs to notice that the database is back.
const maxWaitMs = 2000;
const recheckMs = 200;

/** The announcement of one change of redirects. */
export interface Announcement {
  /** Returns the message to send with the transaction. */
  payload(codes: readonly string[]): string;
  /**
   * To be called after the commit and before the change is answered. Resolves when each member has dropped the
   * codes from memory, or has been removed from the table of memberships.
   */
  confirmed(codes: readonly string[]): Promise<void>;
  end(): void;
}

export interface Announcer {
  begin(): Promise<Announcement>;
  /** Takes a message of the channel. */
  receive(message: Message): void;
}

/** The copy in whose process the changes are made. */
interface Own {
  membership(): number | null;
  drop(codes: readonly string[]): void;
}

/** @param origin number of this process, below 2^31 */
export function createAnnouncer(
  connection: Pick<Connection, 'sql'>,
  origin: number,
  own: Own = { membership: () => null, drop: () => {} },
): Announcer {
  /** Memberships that have responded, by token. */
  const responses = new Map<number, Set<number>>();
  let lastToken = 0;
  let wake = Promise.withResolvers<void>();

  /** Returns the members that have not responded. */
  const missing = async (seen: ReadonlySet<number>): Promise<number[]> => {
    const rows = await connection
      .sql()
      .unsafe<{ id: number }[]>('SELECT id::float8 AS id FROM memberships');
    return rows.map(({ id }) => id).filter((id) => !seen.has(id) && id !== own.membership());
  };

  const expel = async (members: readonly number[]) => {
    await connection
      .sql()
      .unsafe('DELETE FROM memberships WHERE id = ANY ($1::bigint[])', [`{${members.join()}}`]);
  };

  const waitForMembers = async (seen: ReadonlySet<number>): Promise<void> => {
    const deadlineMs = performance.now() + maxWaitMs;
    let silent = await missing(seen);
    while (silent.length > 0) {
      if (performance.now() >= deadlineMs) return expel(silent);
      const { promise } = wake;
      const isWoken = await Promise.race([promise.then(() => true), Bun.sleep(recheckMs)]);
      if (isWoken === true) silent = silent.filter((member) => !seen.has(member));
      else silent = await missing(seen);
    }
  };

  return {
    begin: async () => {
      const token = ++lastToken;
      const seen = new Set<number>();
      responses.set(token, seen);
      return {
        payload: (codes) => formatMessage({ type: 'change', origin, token, codes }),
        confirmed: async (codes) => {
          own.drop(codes);
          await waitForMembers(seen);
        },
        end: () => void responses.delete(token),
      };
    },
    receive: (message) => {
      if (message.type !== 'seen' || message.origin !== origin) return;
      responses.get(message.token)?.add(message.membership);
      wake.resolve();
      wake = Promise.withResolvers();
    },
  };
}

/** Creates the announcer of a command, which is no copy itself. Listens from the first announcement on. */
export function createCommandAnnouncer(connection: Pick<Connection, 'sql'>): Announcer {
  const announcer = createAnnouncer(connection, Math.floor(Math.random() * 2 ** 31));
  let listening: Promise<unknown> | null = null;
  return {
    begin: async () => {
      listening ??= connection.sql().listen(channel, (payload) => {
        const message = parseMessage(payload);
        if (message !== null) announcer.receive(message);
      });
      await listening;
      return announcer.begin();
    },
    receive: announcer.receive,
  };
}

import { wentBackCondition } from '../../core/lost-changes.ts';
import { withDeadline } from '../../lib/deadline.ts';
import { every } from '../../lib/event-loop.ts';
import type { WaitingHits } from '../hits/waiting-hits.ts';
import type { RedirectOptions, RedirectStorage } from '../storage.ts';
import { notWrittenCondition } from '../storage.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { followClock, readClock } from './clock.ts';
import { createConnection, sessionSettings } from './connection.ts';
import { createLinkStore, followSettings } from './link-targets.ts';
import { changesChannel } from './redirect-version.ts';
import { createSession } from './session.ts';

// Ends what others block for long, on the connection that stays.
const followTimeoutMs = 10_000;
const connectTimeoutSeconds = 3;
const checkIntervalMs = 1000;

export interface PostgresRedirectOptions extends RedirectOptions {
  readonly waiting: WaitingHits;
  /** Returns the password for a new connection. */
  readonly password: () => string;
}

/**
 * Opens what the redirect server needs.
 * The schema can be any since 1.0.0.
 */
export function openForRedirects(
  url: string,
  { durability, log, waiting, password }: PostgresRedirectOptions,
): RedirectStorage {
  const options = {
    statementTimeoutMs: followTimeoutMs,
    // Otherwise the operator's setting, which may wait for a standby.
    settings: { ...followSettings, ...(durability === 'process' && { synchronous_commit: 'off' }) },
    password,
  };
  const sessions = {
    hits: createSession(url, options, () => listener.reconnect()),
    lookUps: createSession(url, options),
  };
  const linkStore = createLinkStore(sessions, {
    // Never used before, since a copy and the number of a statement identify its hits.
    copy: Math.floor(Math.random() * 2 ** 53),
    waiting,
    onProblem: (problem) =>
      problem === null
        ? log.info('the database can be written again, scans included')
        : log.error('the database cannot be written: scans wait in hits.db', { cause: problem }),
    onUnknown: (scans) =>
      log.warn('scans are not counted, because the database does not have their codes', { scans }),
  });
  const listener = listen(url, password, linkStore.receive, linkStore.check);
  const stopChecks = every(checkIntervalMs, linkStore.check, () => {});
  const stopClock = followClock(sessions.lookUps);
  const scanStatus = () => ({ ...linkStore.status(), areRecorded: true });

  return {
    // The statement that writes a hit requires the version of the redirects, so that none is outdated.
    linkStore: {
      follow: linkStore.follow,
      pausedPage: linkStore.pausedPage,
      domainOf: linkStore.domainOf,
      hasNonce: linkStore.hasNonce,
      refresh: () => {},
    },
    scanStatus,
    conditions: [
      notWrittenCondition(scanStatus, (buffered, problem) => {
        const inMemory = waiting.inMemory();
        const place =
          inMemory === 0
            ? `Scans that wait in hits.db: ${buffered}.`
            : `Scans that wait: ${buffered}, of them in memory: ${inMemory}, because ${waiting.problem()}. A restart would lose these.`;
        return `The database cannot be written (${problem}); ${place} Check PostgreSQL.`;
      }),
      wentBackCondition(linkStore.lostChanges),
    ],
    sizes: () => null,
    lastBackupMs: async () => null,
    hasDueChanges: async (nowMs) => {
      const due = 'SELECT 1 FROM planned_changes WHERE next_at <= $1 LIMIT 1';
      try {
        return (await sessions.lookUps.run(due, [nowMs])).length > 0;
      } catch {
        return false;
      }
    },
    hasDatabase: true,
    close: async () => {
      stopChecks();
      stopClock();
      const lost = await linkStore.close();
      const scans = linkStore.status().buffered - lost;
      if (scans > 0) log.warn('scans wait in hits.db for the next start', { scans });
      await Promise.all([listener.close(), sessions.hits.close(), sessions.lookUps.close()]);
      return lost;
    },
  };
}

/** Returns whether a database has a schema, and reads its clock. False if it does not respond. */
export async function canRedirect(url: string): Promise<boolean> {
  const connection = createConnection(url, { max: 1, statementTimeoutMs: followTimeoutMs });
  try {
    const statement = "SELECT to_regclass('waymark') IS NOT NULL AS has";
    const [row] = await connection.sql().unsafe<{ has: boolean }[]>(statement);
    await readClock((text) => connection.sql().unsafe(text).values());
    return row?.has === true;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}

/**
 * Listens for changes of redirects in a session of its own, which is opened again whenever it ends.
 *
 * @param onOpen called when it listens: what happened before is not told
 */
function listen(
  url: string,
  password: () => string,
  receive: (payload: string) => void,
  onOpen: () => Promise<void>,
) {
  let isClosed = false;
  let session: Bun.SQL | null = null;
  const open = async (): Promise<void> => {
    session?.close({ timeout: 0 }).catch(() => {});
    const sql = new Bun.SQL(url, {
      max: 1,
      password,
      connectionTimeout: connectTimeoutSeconds,
      onclose: () => {
        if (!isClosed && sql === session) void circuit.open(null);
      },
      connection: { ...sessionSettings, ...followSettings },
    });
    session = sql;
    await withDeadline(connectTimeoutSeconds * 1000, () => sql.listen(changesChannel, receive));
    onOpen().catch(() => {});
  };
  const circuit = createCircuitBreaker({ attempt: open });
  void circuit.open(null);

  return {
    reconnect: () => void circuit.open(null),
    close: async () => {
      isClosed = true;
      circuit.end();
      await session?.close({ timeout: 0 });
    },
  };
}

import { notWrittenCondition } from '../core/scans/conditions.ts';
import type { RedirectOptions, RedirectStorage } from '../core/storage.ts';
import { pause } from '../lib/event-loop.ts';
import { createLinkStore, followConnections, followSettings } from './codes/link-targets.ts';
import { changesChannel } from './codes/redirect-version.ts';
import { createConnection, sessionSettings } from './database/open.ts';

// The client gives up earlier. This ends what it has given up.
const followTimeoutMs = 10_000;
const connectTimeoutSeconds = 3;
const reconnectDelayMs = 250;

/**
 * Opens what the redirect server needs.
 * The schema can be any since 1.0.0.
 */
export function openForRedirects(
  url: string,
  { durability, log }: RedirectOptions,
): RedirectStorage {
  const connection = createConnection(url, {
    max: followConnections,
    statementTimeoutMs: followTimeoutMs,
    // Otherwise the operator's setting, which may wait for a standby.
    settings: { ...followSettings, ...(durability === 'process' && { synchronous_commit: 'off' }) },
  });
  const linkStore = createLinkStore(connection, {
    // Never used before, since a copy and the number of a statement identify its hits.
    copy: Math.floor(Math.random() * 2 ** 53),
    onProblem: (problem) =>
      problem === null
        ? log.info('the database can be written again, scans included')
        : log.error('the database cannot be written: scans wait in memory', { cause: problem }),
    onSilence: () => listener.reconnect(),
  });
  const listener = listen(url, linkStore.receive);
  const scanStatus = () => ({ ...linkStore.status(), areRecorded: true });

  return {
    // The statement that writes a hit requires the version of the redirects, so that none is outdated.
    linkStore: { follow: linkStore.follow, pausedPage: linkStore.pausedPage, refresh: () => {} },
    scanStatus,
    conditions: [
      notWrittenCondition(
        scanStatus,
        (buffered, problem) =>
          `The database cannot be written (${problem}); ${buffered} scans wait in memory. Check PostgreSQL.`,
      ),
    ],
    sizes: () => null,
    lastBackupMs: async () => null,
    hasDueChanges: async (nowMs) => {
      const due = 'SELECT 1 FROM planned_changes WHERE next_at <= $1 LIMIT 1';
      try {
        return (await connection.sql().unsafe(due, [nowMs])).length > 0;
      } catch {
        return false;
      }
    },
    finish: () => {},
    close: async () => {
      const lost = await linkStore.close();
      await Promise.all([listener.close(), connection.close()]);
      return lost;
    },
  };
}

/** Returns whether a database has a schema. False if it does not respond. */
export async function canRedirect(url: string): Promise<boolean> {
  const connection = createConnection(url, { max: 1, statementTimeoutMs: followTimeoutMs });
  try {
    const statement = "SELECT to_regclass('waymark') IS NOT NULL AS has";
    const [row] = await connection.sql().unsafe<{ has: boolean }[]>(statement);
    return row?.has === true;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}

/** Listens for changes of redirects in a session of its own, which is opened again whenever it ends. */
function listen(url: string, receive: (payload: string) => void) {
  let isClosed = false;
  let session = open();

  function open(): Bun.SQL {
    const sql = new Bun.SQL(url, {
      max: 1,
      connectionTimeout: connectTimeoutSeconds,
      onclose: () => void again(sql),
      connection: { ...sessionSettings, ...followSettings },
    });
    sql.listen(changesChannel, receive).catch(() => again(sql));
    return sql;
  }

  async function again(ended: Bun.SQL): Promise<void> {
    if (isClosed || ended !== session) return;
    // What happens until it listens again is checked by the version.
    ended.close({ timeout: 0 }).catch(() => {});
    await pause(reconnectDelayMs);
    if (!isClosed && ended === session) session = open();
  }

  return {
    reconnect: () => void again(session),
    close: async () => {
      isClosed = true;
      await session.close({ timeout: 0 });
    },
  };
}

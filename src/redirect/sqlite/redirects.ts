import { existsSync } from 'node:fs';
import { DiskFull } from '../../core/errors.ts';
import { errorMessage } from '../../lib/errors.ts';
import { every } from '../../lib/event-loop.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { trimEndWhere } from '../../lib/trim.ts';
import type { FollowedLink, HitLogStatus, RedirectOptions, RedirectStorage } from '../storage.ts';
import { notWrittenCondition } from '../storage.ts';
import { type Connection, isShared, openForReading } from './connection.ts';
import { createDamageMonitor, type DamageMonitor, readableCodes } from './damage.ts';
import { corruptDatabase, isDamage } from './errors.ts';
import {
  createPrivateFolder,
  databasePath,
  databaseSizes,
  hasDatabase,
  hasRoom,
  hitsPath,
  lockNames,
  readOnlyProblem,
  rejectReadOnly,
  replacedFilesCondition,
  watchFiles,
} from './files.ts';
import { createHitLog, type HitLog } from './hit-log.ts';
import { addPendingHits, foldedRow, returnHits } from './hits-file.ts';
import { createLinkStore, type SqliteLinkStore } from './link-targets.ts';
import { lock } from './lock.ts';
import { hasEarlierSchema } from './schema-version.ts';

const roomIntervalMs = 2000;

const unknown: FollowedLink = { ready: null, target: null };
const unreadable: FollowedLink = { ready: null, target: 'unavailable' };

/**
 * Opens what the redirect server of a data folder needs, whatever the schema:
 * `waymark.db` read-only, also if it is damaged, and `hits.db`, whose only writer it is. Until the app has created the
 * database, every code is unknown.
 *
 * Where the folder cannot be written, redirects are not counted.
 *
 * @throws DatabaseUnusable when another server runs on the folder, no code can be read, or there is no database and
 *   one is required
 */
export function openForRedirects(
  dataFolder: string,
  { durability, log, isDatabaseRequired }: RedirectOptions,
): RedirectStorage {
  // An app could not start. A server that only redirects writes nothing.
  if (!isDatabaseRequired) rejectReadOnly(dataFolder);
  const readOnly = readOnlyProblem(dataFolder);
  // Once: one that is moved away while the server runs can be moved back.
  if (readOnly === null) createPrivateFolder(dataFolder);
  const unlock: (() => void)[] = [];
  const takeLock = () => {
    if (unlock.length === 0) unlock.push(lock(dataFolder, 'redirects'));
  };
  const releaseLock = () => {
    for (const release of unlock.splice(0)) release();
  };
  if (readOnly === null)
    try {
      takeLock();
    } catch (error) {
      // The hits wait in memory until there is room. Without a database, there is nothing to redirect.
      if (!(error instanceof DiskFull) || !hasDatabase(dataFolder)) throw error;
    }
  const hasDatabaseAtStart = hasDatabase(dataFolder);
  const damage = createDamageMonitor();
  const links = createLinks(dataFolder, damage);
  let hits: HitLog;
  try {
    if (isDatabaseRequired || hasDatabaseAtStart) links.open();
    hits =
      readOnly === null
        ? createHitLog(dataFolder, { durability, log, folded: links.folded, prepare: takeLock })
        : uncounted(readOnly);
  } catch (error) {
    links.close();
    releaseLock();
    throw error;
  }
  links.recordHits(hits);
  const lockProblem = watchFiles(dataFolder, readOnly === null ? [lockNames.redirects] : []);

  return {
    linkStore: links,
    conditions: [
      damage.condition,
      notWrittenCondition(hits.status, (buffered, problem) =>
        readOnly === null
          ? `Scans cannot be written, and ${formatNumber(buffered)} wait in memory: ${withoutStop(problem)}. Free some disk ` +
            'space, or end the program that locks hits.db. They are written then; a restart before would lose them.'
          : `${withoutStop(problem)}, so scans are not counted. Give the data folder to the user that runs Waymark.`,
      ),
      replacedFilesCondition(() => lockProblem() ?? hits.filesProblem()),
    ],
    sizes: () => databaseSizes(dataFolder),
    scanStatus: hits.status,
    lastBackupMs: async () => links.lastBackupMs(),
    hasDueChanges: async (nowMs) => links.hasDueChanges(nowMs),
    hasDatabase: hasDatabaseAtStart,
    close: async (isAppClosed) => {
      const lost = hits.end();
      links.close();
      try {
        if (isAppClosed) addPendingHits(dataFolder);
        hits.close();
        if (readOnly === null && isOutdated(dataFolder)) returnHits(dataFolder);
      } catch (error) {
        log.error('scans wait in hits.db for the next start', { cause: errorMessage(error) });
      }
      releaseLock();
      return lost;
    },
  };
}

/**
 * Returns whether there are hits and the app has not migrated the database.
 * A version that keeps serving after a refused upgrade may not know the log.
 */
function isOutdated(dataFolder: string): boolean {
  if (!existsSync(hitsPath(dataFolder)) || !hasDatabase(dataFolder)) return false;
  const { $client } = openForReading(dataFolder);
  try {
    return hasEarlierSchema($client);
  } finally {
    $client.close();
  }
}

/** Creates the log of a folder that cannot be written. */
function uncounted(problem: string): HitLog {
  const status: HitLogStatus = { areRecorded: false, committed: 0, buffered: 0, problem };
  return {
    record: async () => {},
    status: () => status,
    filesProblem: () => null,
    end: () => 0,
    close: () => {},
  };
}

/** Short links of a database that may not exist yet. */
interface Links extends SqliteLinkStore {
  /** @throws DatabaseUnusable */
  open(): void;
  recordHits(hits: Pick<HitLog, 'record'>): void;
  /** Returns the last row of a log that is in the counters; 0 if none is, or it cannot be read. */
  folded(log: number): number;
  lastBackupMs(): number | null;
  hasDueChanges(nowMs: number): boolean;
  close(): void;
}

function createLinks(dataFolder: string, damage: DamageMonitor): Links {
  let opened: { readonly connection: Connection; readonly store: SqliteLinkStore } | null = null;
  let hits: Pick<HitLog, 'record'> | null = null;
  let stopReopening: (() => void) | null = null;

  const closeOpened = () => {
    opened?.connection.$client.close();
    opened = null;
  };
  const open = () => {
    const connection = openForReading(dataFolder);
    try {
      // The app is creating it.
      if (!hasCodes(connection)) return connection.$client.close();
      rejectUnreadable(dataFolder, connection);
      const record: HitLog['record'] = (...hit) => hits?.record(...hit) ?? Promise.resolve();
      opened = { connection, store: createLinkStore(connection, { record }, damage) };
    } catch (error) {
      connection.$client.close();
      throw error;
    }
    // On a full disk, it keeps the app out, or does not see its changes.
    if (!isShared(connection)) stopReopening ??= every(roomIntervalMs, reopen);
  };
  const reopen = () => {
    try {
      if (opened !== null && isShared(opened.connection)) {
        stopReopening?.();
        return;
      }
      if (!hasRoom(dataFolder)) return;
      closeOpened();
      open();
    } catch {
      // The next attempt, or the next request, opens it.
    }
  };
  /** Returns the store, or what to answer without one. */
  const storeOr = (): SqliteLinkStore | FollowedLink => {
    if (opened !== null) return opened.store;
    try {
      if (!hasDatabase(dataFolder)) return unknown;
      open();
    } catch {
      return unreadable;
    }
    // `open` has set it, unless the app is creating the database.
    return (opened as { store: SqliteLinkStore } | null)?.store ?? unknown;
  };

  return {
    open,
    recordHits: (log) => {
      hits = log;
    },
    follow: (key, kind, atMs, flaggedKind) => {
      const store = storeOr();
      return 'follow' in store ? store.follow(key, kind, atMs, flaggedKind) : store;
    },
    pausedPage: async (qrId) => (await opened?.store.pausedPage(qrId)) ?? null,
    domainOf: (host) => {
      const store = storeOr();
      return 'follow' in store ? store.domainOf(host) : null;
    },
    hasNonce: async (nonce) => {
      const store = storeOr();
      return 'follow' in store && store.hasNonce(nonce);
    },
    refresh: () => opened?.store.refresh(),
    folded: (log) => {
      try {
        return opened === null ? 0 : foldedRow(opened.connection.$client, log);
      } catch {
        return 0;
      }
    },
    lastBackupMs: () => (opened === null ? null : lastBackupMs(opened.connection)),
    hasDueChanges: (nowMs) => {
      const due = 'SELECT 1 FROM planned_changes WHERE next_at <= ? LIMIT 1';
      try {
        return opened !== null && opened.connection.$client.query(due).get(nowMs) !== null;
      } catch {
        return false;
      }
    },
    close: () => {
      stopReopening?.();
      closeOpened();
    },
  };
}

function hasCodes({ $client }: Connection): boolean {
  return (
    $client.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'qrs'").get() !==
    null
  );
}

/**
 * Rejects a database of which no code can be read.
 *
 * @throws DatabaseCorrupt
 */
function rejectUnreadable(dataFolder: string, { $client }: Connection): void {
  try {
    $client.query('SELECT code, destination FROM qrs LIMIT 1').get();
  } catch (error) {
    if (!isDamage(error)) throw error;
    const [first] = readableCodes($client);
    if (first === undefined) throw corruptDatabase(databasePath(dataFolder), 'no code can be read');
  }
}

/** Returns the time of the last backup, or null if there is none or it cannot be read. */
export function lastBackupMs({ $client }: Connection): number | null {
  try {
    // A database that is only read may have an old schema.
    if (hasEarlierSchema($client)) return null;
    const select = 'SELECT finished_at AS atMs FROM last_backup';
    return $client.query<{ atMs: number }, []>(select).get()?.atMs ?? null;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return null;
  }
}

/** Returns a reason without the full stop at its end, for the middle of a sentence. */
function withoutStop(reason: string): string {
  return trimEndWhere(reason, (unit) => unit === '.');
}

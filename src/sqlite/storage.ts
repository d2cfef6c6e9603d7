import { DatabaseUnusable, DiskFull } from '../core/errors.ts';
import type {
  CommandStorage,
  ServerOptions,
  ServerStorage,
  Storage,
  StorageReader,
  Stores,
} from '../core/storage.ts';
import { memoize } from '../lib/memoize.ts';
import { createReader } from '../sql/database/reader.ts';
import { createRecorders, hasRows, type RunQueries } from '../sql/database/startup-queries.ts';
import { createLinkStore } from './codes/link-targets.ts';
import { serverConditions } from './conditions.ts';
import { createDamageMonitor } from './damage/monitor.ts';
import type { DrizzleConnection } from './database/drizzle.ts';
import { withDatabaseErrors } from './database/errors.ts';
import { databasePath, databaseSizes, hasDatabase, rejectReadOnly } from './database/files.ts';
import { isLocked, lockFolder } from './database/lock.ts';
import { missingSteps } from './database/migrate.ts';
import {
  type Connection,
  closeConnection,
  openConnection,
  openForReading,
} from './database/open.ts';
import { runQueries } from './database/queries.ts';
import { write } from './database/write.ts';
import type { DialectParts } from './dialect.ts';
import { createFolding } from './hits/folding.ts';
import { createHitLog } from './hits/hit-log.ts';
import { foldedRow, rejectOrphanedHits, returnHits } from './hits/hits-file.ts';
import { findHitsError, findIntegrityError, rejectCorrupt } from './maintenance/integrity.ts';
import { lastBackupMs } from './maintenance/last-backup.ts';

// Waiting for another process's write blocks the thread, and so all redirects.
const busyTimeoutMs = 20;

/**
 * Creates the storage in a data folder. What a server start does not need is loaded on first use, which
 * shortens the time that short links are down in a restart.
 */
export function createSqliteStorage(dataFolder: string): Storage {
  return {
    name: dataFolder,
    exists: async () => hasDatabase(dataFolder),
    isServed: async () => isLocked(dataFolder),
    whileStopped: async (run) => {
      const unlock = lockFolder(dataFolder);
      try {
        return await run();
      } finally {
        unlock();
      }
    },
    readSnapshot: async (use) => {
      const { openForCommand } = await import('./database/command.ts');
      const { readSnapshot } = await import('./maintenance/snapshot.ts');
      const { pinHits } = await import('./hits/pending.ts');
      const hits = pinHits(dataFolder);
      const connection = openForCommand(dataFolder, {});
      try {
        return await readSnapshot(connection, hits, use);
      } finally {
        connection.$client.close();
        hits.close();
      }
    },
    writeSnapshot: async (snapshot, { verify }) => {
      const { writeSnapshot } = await import('./maintenance/snapshot.ts');
      await writeSnapshot(dataFolder, snapshot, verify);
    },
    openForServer: (options) => openForServer(dataFolder, options),
    openForRedirects: async (damage) => {
      const { openForRedirects } = await import('./redirects.ts');
      return openForRedirects(dataFolder, damage);
    },
    openForCommand: async (options) => {
      const { openForCommand } = await import('./database/command.ts');
      const { createPendingHits } = await import('./hits/pending.ts');
      const connection = openForCommand(dataFolder, options);
      const hits = createPendingHits(connection.$client, dataFolder);
      const erasure = createErasure(connection);
      return {
        // A command has no cache, and a running server notices changes of the database.
        ...(await storesOn(connection, { hits }, erasure.note)),
        ...recordersOn(connection),
        close: async () => {
          const problem = await erasure.finish();
          connection.$client.close();
          hits.close();
          if (problem !== null) throw new DatabaseUnusable(problem);
        },
      } satisfies CommandStorage;
    },
    openForReading: async () => readerOf(dataFolder, openForReading(dataFolder)),
    backUp: async (file, options) => {
      const { backUp, recordBackup } = await import('./maintenance/backup.ts');
      const backup = backUp(dataFolder, file, options);
      recordBackup(dataFolder, options.nowMs);
      return backup;
    },
    repair: async (file, options) => {
      const { repair } = await import('./maintenance/repair.ts');
      return repair(dataFolder, file, options);
    },
    restore: async (file, options) => {
      const { restore } = await import('./maintenance/restore.ts');
      return restore(file, dataFolder, options);
    },
  };
}

async function openForServer(dataFolder: string, options: ServerOptions): Promise<ServerStorage> {
  rejectReadOnly(dataFolder);
  // First, because a second server must not migrate the schema of a running one.
  const unlock = lockFolder(dataFolder);
  try {
    return await openLocked(dataFolder, options, unlock);
  } catch (error) {
    // The server tries again.
    if (error instanceof DiskFull) unlock();
    throw error;
  }
}

async function openLocked(
  dataFolder: string,
  { durability, check, log }: ServerOptions,
  unlock: () => void,
): Promise<ServerStorage> {
  await checkExisting(dataFolder, check);
  rejectOrphanedHits(dataFolder);
  const connection = openConnection(dataFolder, { durability, busyTimeoutMs });
  const damage = createDamageMonitor();
  const links = openForReading(dataFolder);
  const hitLog = createHitLog(dataFolder, {
    durability,
    log,
    folded: (number) => foldedRow(links.$client, number),
  });
  const folding = createFolding(connection.$client, dataFolder, damage.note);
  const linkStore = createLinkStore(links, hitLog, damage);
  const erasure = createErasure(connection);
  const status = () => ({ ...hitLog.status(), aggregationProblem: folding.problem() });

  return {
    linkStore,
    scanStatus: status,
    // There is no other server of a data folder.
    isLeader: () => true,
    isNew: !runQueries(connection.$client, hasRows('accounts')),
    stores: memoize(async () => {
      const { withDrizzle } = await import('./database/drizzle.ts');
      return storesOn(withDrizzle(connection), { linkStore, hits: folding, damage }, erasure.note);
    }),
    conditions: serverConditions(dataFolder, { ...hitLog, status }, damage),
    sizes: () => databaseSizes(dataFolder),
    lastBackupMs: async () => lastBackupMs(connection),
    ...recordersOn(connection),
    close: async () => {
      const lost = hitLog.end();
      links.$client.close();
      folding.close();
      const problem = await erasure.finish();
      if (problem !== null) log.warn(problem);
      closeConnection(connection);
      hitLog.close();
      unlock();
      return lost;
    },
  };
}

/** Checks an existing database read-only, so that the previous version can continue after a failure. */
async function checkExisting(dataFolder: string, check: ServerOptions['check']): Promise<void> {
  if (!hasDatabase(dataFolder)) return;
  const connection = openForReading(dataFolder);
  try {
    rejectCorrupt(dataFolder, connection);
    // There is none if the creation was interrupted.
    if (!runQueries(connection.$client, hasRows('sqlite_schema'))) return;
  } catch (error) {
    connection.$client.close();
    throw error;
  }
  try {
    await check(readerOf(dataFolder, connection));
  } catch (error) {
    connection.$client.close();
    // The version that goes on instead may not know the log of hits.
    returnHits(dataFolder);
    throw error;
  }
  connection.$client.close();
}

async function storesOn(
  connection: DrizzleConnection,
  parts: DialectParts,
  onErased: () => void,
): Promise<Stores> {
  const { createSqliteDialect } = await import('./dialect.ts');
  const { createSqlStores } = await import('../sql/stores.ts');
  const { notingErasure } = await import('./maintenance/erasure.ts');
  return notingErasure(createSqlStores(createSqliteDialect(connection, parts)), onErased);
}

/** Erases deleted text from the free space before a connection is closed, if an account was deleted on it. */
function createErasure({ $client }: Connection) {
  let isNeeded = false;
  return {
    note: () => {
      isNeeded = true;
    },
    /** Returns what is wrong, or null. */
    finish: async (): Promise<string | null> => {
      if (!isNeeded) return null;
      const { eraseFreeSpace } = await import('./maintenance/erasure.ts');
      const reason = eraseFreeSpace($client);
      return (
        reason &&
        `What was deleted may still be in the free space of the database: ${reason}. Once that is over, "waymark backup" and ` +
          '"waymark restore --force" of that file write it anew'
      );
    },
  };
}

const recordersOn = ({ $client }: Connection) =>
  createRecorders((queries) =>
    write(() => $client.transaction(() => runQueries($client, queries)).immediate()),
  );

function readerOf(dataFolder: string, connection: Connection): StorageReader {
  const { $client } = connection;
  const name = databasePath(dataFolder);
  const run: RunQueries = async (queries) =>
    withDatabaseErrors(name, 'read', () => runQueries($client, queries));
  return createReader(run, {
    name,
    isStandby: false,
    isOutdated: missingSteps($client).length > 0,
    withRedirects: async (use, accountId = null) => {
      const { withRedirectMap } = await import('./maintenance/redirect-map.ts');
      return withRedirectMap(connection, use, accountId);
    },
    integrityError: async () => findIntegrityError(dataFolder, connection, 'full'),
    hitsError: async () => findHitsError(dataFolder),
    sizes: async () => databaseSizes(dataFolder),
    close: async () => $client.close(),
  });
}

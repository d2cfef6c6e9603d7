import { DatabaseUnreachable, DiskFull, StoreUnavailable } from '../core/errors.ts';
import type { ServerOptions, ServerStorage } from '../core/storage.ts';
import { openForReading } from '../redirect/sqlite/connection.ts';
import { createDamageMonitor } from '../redirect/sqlite/damage.ts';
import { DatabaseLocked } from '../redirect/sqlite/errors.ts';
import { databaseSizes, hasDatabase, hasRoom, rejectReadOnly } from '../redirect/sqlite/files.ts';
import { rejectOrphanedHits } from '../redirect/sqlite/hits-file.ts';
import { lockForApp } from '../redirect/sqlite/lock.ts';
import { lastBackupMs } from '../redirect/sqlite/redirects.ts';
import { hasRows } from '../sql/database/startup-queries.ts';
import { appConditions } from './conditions.ts';
import { withDrizzle } from './database/drizzle.ts';
import { closeConnection, openConnection } from './database/open.ts';
import { runQueries } from './database/queries.ts';
import { createFolding } from './hits/folding.ts';
import { rejectCorrupt } from './maintenance/integrity.ts';
import { readerOf } from './reader.ts';
import { openStores } from './stores.ts';

// Another program's write is mostly short. Meanwhile, this process answers nothing.
const busyTimeoutMs = 20;

/**
 * Opens the database of a data folder for the app server.
 * Checks and migrates it, or creates it in the folder that the redirect server has made, and adds the hits of the
 * redirect server to the counters.
 *
 * @throws DatabaseUnusable; the database is unchanged then. StoreUnavailable while an earlier app still runs
 */
export async function openForApp(
  dataFolder: string,
  { durability, isDatabaseRequired, check }: ServerOptions,
): Promise<ServerStorage> {
  rejectReadOnly(dataFolder);
  if (isDatabaseRequired && !hasDatabase(dataFolder))
    throw new DatabaseUnreachable(
      `There is no database in the data folder ${dataFolder} any more, although this server uses it. Put the folder and ` +
        'its files back.',
    );
  // First, because nobody else may write the database or migrate it.
  const unlock = await lockForApp(dataFolder);
  try {
    await checkExisting(dataFolder, check);
    rejectOrphanedHits(dataFolder);
    const connection = openConnection(dataFolder, { durability, busyTimeoutMs });
    const damage = createDamageMonitor();
    const folding = createFolding(connection.$client, dataFolder, damage.note);
    const parts = { hits: folding, damage };
    const { stores, recorders } = openStores(withDrizzle(connection), parts);
    return {
      // There is no other app of a data folder.
      limits: async () => null,
      exclusively: async (_, run) => {
        await run(() => true);
      },
      isNew: !runQueries(connection.$client, hasRows('accounts')),
      stores: async () => stores,
      conditions: [damage.condition, ...appConditions(dataFolder, folding.problem)],
      sizes: () => databaseSizes(dataFolder),
      lastBackupMs: async () => lastBackupMs(connection),
      ...recorders,
      close: async () => {
        folding.close();
        closeConnection(connection);
        unlock();
      },
    };
  } catch (error) {
    unlock();
    // Where the disk is full, the redirect server reads the database alone. Otherwise another try may succeed.
    if (!(error instanceof DatabaseLocked)) throw error;
    throw hasRoom(dataFolder) ? new StoreUnavailable(error.message) : new DiskFull(error.message);
  }
}

/** Checks an existing database read-only, so that the previous version can continue after a failure. */
async function checkExisting(dataFolder: string, check: ServerOptions['check']): Promise<void> {
  if (!hasDatabase(dataFolder)) return;
  const connection = openForReading(dataFolder);
  try {
    rejectCorrupt(dataFolder, connection);
    // There is none if the creation was interrupted.
    if (runQueries(connection.$client, hasRows('sqlite_schema')))
      await check(readerOf(dataFolder, connection));
  } finally {
    connection.$client.close();
  }
}

import { copySnapshot, type Snapshot } from '../core/backups/snapshot.ts';
import { DatabaseUnusable, StoreUnavailable } from '../core/errors.ts';
import { scanConditions } from '../core/scans/conditions.ts';
import {
  type Backup,
  type CommandStorage,
  type Restored,
  type ServerOptions,
  type ServerStorage,
  type ServerVersion,
  type Storage,
  WouldReplaceDatabase,
} from '../core/storage.ts';
import { version } from '../lib/build/version.ts';
import { memoize } from '../lib/memoize.ts';
import {
  findLastVersion,
  hasRows,
  lastBackupMs,
  recordBackup,
  recordServedPrefixes,
  recordServerVersion,
} from '../sql/database/startup-queries.ts';
import { databaseName, isUnavailable, postgresMessage } from './database/errors.ts';
import {
  type Connection,
  createConnection,
  inspect,
  isServed,
  prepare,
  serverName,
  withDatabaseErrors,
} from './database/open.ts';
import { runQueries } from './database/queries.ts';
import { readSnapshot, writeSnapshot } from './maintenance/snapshot.ts';
import { databaseSize, readerOf } from './reader.ts';
import { startServing } from './serving.ts';

// A copy does not need more at a time: most requests take less than a millisecond of the database.
const serverPool = {
  max: 8,
  maxLookUps: 2,
  statementTimeoutMs: 10_000,
  settings: {
    application_name: serverName,
    // Planning a read takes as long as running it. All plans use indexes, whatever the parameters.
    plan_cache_mode: 'force_generic_plan',
    jit: 'off',
  },
};
// A command may run for long, such as a check of all codes.
const commandPool = { max: 2, statementTimeoutMs: 0 };
const sizeIntervalMs = 60_000;

/** Reads and writes backups, which are SQLite files whatever the database is. */
export interface BackupFiles {
  /** Writes a snapshot into a file and checks it. */
  write(
    file: string,
    snapshot: Snapshot,
    options: { replace: boolean; nowMs: number },
  ): Promise<Backup>;
  /**
   * Reads a backup.
   *
   * @param readCurrent reads what is replaced by it and kept as a file; null if there is nothing
   * @param use replaces the database
   * @throws WouldReplaceDatabase when there is something to replace and `options` do not allow it
   */
  restore(
    file: string,
    readCurrent: Storage['readSnapshot'] | null,
    options: { replace: boolean; nowMs: number },
    use: (snapshot: Snapshot) => Promise<void>,
  ): Promise<Restored>;
}

/**
 * Creates the storage in a PostgreSQL database.
 *
 * @param files of backups
 */
export function createPostgresStorage(url: string, files: BackupFiles): Storage {
  const connectForCommand = () => createConnection(url, commandPool);
  /** Runs an operation on a connection of its own. */
  const withConnection = async <T>(run: (connection: Connection) => Promise<T>): Promise<T> => {
    const connection = connectForCommand();
    try {
      return await withDatabaseErrors(connection, () => run(connection));
    } finally {
      await connection.close();
    }
  };

  const storage: Storage = {
    name: databaseName(url),
    exists: () => withConnection(async (connection) => !(await inspect(connection)).isEmpty),
    isServed: () => withConnection((connection) => isServed(connection, 'any')),
    whileStopped: async (run) => {
      await withConnection(rejectServed);
      return run();
    },
    openForServer: (options) => openForServer(url, options),
    openForRedirects: async () => {
      throw new DatabaseUnusable(
        'A server on PostgreSQL cannot only redirect. Turn WAYMARK_REDIRECT_ONLY off: known codes redirect from ' +
          'memory while the database is away.',
      );
    },
    openForCommand: async ({ create = false, upgrade = false }) => {
      const { createStores } = await import('./stores.ts');
      const connection = connectForCommand();
      try {
        const { isEmpty, missingSteps } = await inspect(connection);
        if (isEmpty && !create) throw missingTables(connection);
        if (!isEmpty && missingSteps > 0 && !upgrade) throw await outdated(connection);
        await prepare(connection);
      } catch (error) {
        await connection.close();
        throw error;
      }
      return {
        ...createStores(connection),
        recordServerVersion: versionRecorder(connection),
        close: connection.close,
      } satisfies CommandStorage;
    },
    openForReading: async () => {
      const connection = connectForCommand();
      try {
        const state = await inspect(connection);
        if (state.isEmpty) throw missingTables(connection);
        return readerOf(connection, state);
      } catch (error) {
        await connection.close();
        throw error;
      }
    },
    repair: async () => {
      throw new DatabaseUnusable(
        'Waymark repairs SQLite databases only. For a damaged PostgreSQL, see its documentation on data corruption.',
      );
    },
    readSnapshot: (use) =>
      withConnection(async (connection) => {
        const { isEmpty, missingSteps } = await inspect(connection);
        if (isEmpty) throw missingTables(connection);
        if (missingSteps > 0) throw await outdated(connection);
        return readSnapshot(connection, use);
      }),
    writeSnapshot: (snapshot, options) =>
      withConnection(async (connection) => {
        await prepare(connection);
        await rejectServed(connection);
        await writeSnapshot(connection, snapshot, options);
      }),
    backUp: async (file, options) => {
      const backup = await storage.readSnapshot((snapshot) => files.write(file, snapshot, options));
      await withConnection(({ sql }) => runQueries(sql(), recordBackup(options.nowMs)));
      return backup;
    },
    restore: (file, options) =>
      storage.whileStopped(async () => {
        const hasAccounts = await withConnection(async (connection) => {
          await prepare(connection);
          return runQueries(connection.sql(), hasRows('accounts'));
        });
        const replace = async (snapshot: Snapshot) => {
          await copySnapshot(snapshot, (copied, verify) =>
            storage.writeSnapshot(copied, { replace: true, verify }),
          );
        };
        const readCurrent = hasAccounts ? storage.readSnapshot : null;
        try {
          return await files.restore(file, readCurrent, options, replace);
        } catch (error) {
          throw error instanceof WouldReplaceDatabase
            ? new WouldReplaceDatabase(databaseName(url), error.losses)
            : error;
        }
      }),
  };
  return storage;
}

async function rejectServed(connection: Connection): Promise<void> {
  if (await isServed(connection, 'any'))
    throw new DatabaseUnusable(
      `A Waymark server uses the database ${databaseName(connection.url)}. Stop all of them first.`,
    );
}

async function openForServer(
  url: string,
  { durability, log, check }: ServerOptions,
): Promise<ServerStorage> {
  const connection = createConnection(url, serverPool);
  try {
    const state = await inspect(connection);
    if (!state.isEmpty) await check(readerOf(connection, state));
    await prepare(connection);
    return await serverStorageOn(connection, durability, log);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function serverStorageOn(
  connection: Connection,
  durability: ServerOptions['durability'],
  log: ServerOptions['log'],
): Promise<ServerStorage> {
  const isNew = !(await runQueries(connection.sql(), hasRows('accounts')));
  const serving = startServing(connection, { durability, log });
  let databaseBytes = await databaseSize(connection);
  const sizeTimer = setInterval(async () => {
    databaseBytes = await databaseSize(connection).catch(() => databaseBytes);
  }, sizeIntervalMs);
  sizeTimer.unref();

  return {
    linkStore: serving.linkStore,
    scanStatus: serving.status,
    isLeader: serving.isLeader,
    isNew,
    stores: memoize(async () => {
      const { createStores } = await import('./stores.ts');
      return createStores(connection);
    }),
    conditions: scanConditions(serving.status, {
      notWritten: (buffered, problem) =>
        `The database cannot be written (${problem}); ${buffered} scans wait in memory. Check PostgreSQL.`,
      notAggregated: (problem) => `Scans cannot be aggregated: ${problem}. Check PostgreSQL.`,
      rejectsWrites: false,
    }),
    sizes: () => ({ databaseBytes, walBytes: 0, freeDiskBytes: null }),
    lastBackupMs: () => runQueries(connection.sql(), lastBackupMs()),
    recordServerVersion: versionRecorder(connection),
    recordServedPrefixes: (prefixes) =>
      withWriteErrors(() =>
        connection.sql().begin((sql) => runQueries(sql, recordServedPrefixes(prefixes))),
      ),
    close: async () => {
      clearInterval(sizeTimer);
      const lost = await serving.close();
      await connection.close();
      return lost;
    },
  };
}

function versionRecorder(connection: Connection): ServerStorage['recordServerVersion'] {
  return (version: ServerVersion, atMs: number) =>
    withWriteErrors(() => runQueries(connection.sql(), recordServerVersion(version, atMs)));
}

/** @throws StoreUnavailable when the database cannot be written */
async function withWriteErrors(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    throw new StoreUnavailable('The database cannot be written.', {
      cause: new Error(postgresMessage(error)),
    });
  }
}

function missingTables({ url }: Connection): DatabaseUnusable {
  return new DatabaseUnusable(
    `There is no database of Waymark in ${databaseName(url)}: it has no tables. "waymark serve" or "waymark account create" ` +
      'creates them, and "waymark move" fills them from a data folder.',
  );
}

async function outdated({ url, sql }: Connection): Promise<DatabaseUnusable> {
  const last = await runQueries(sql(), findLastVersion());
  const earlier = last === null ? 'an earlier version' : `Waymark ${last}`;
  return new DatabaseUnusable(
    `The database ${databaseName(url)} was last used by ${earlier}. Start a server of Waymark ${version} ` +
      'first: it checks that the images of all codes stay the same, and then upgrades the database.',
  );
}

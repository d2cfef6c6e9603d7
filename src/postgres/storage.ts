import { DatabaseUnusable } from '../core/errors.ts';
import { notAggregatedCondition } from '../core/scans/conditions.ts';
import type { CommandStorage, ServerOptions, ServerStorage, Storage } from '../core/storage.ts';
import { every } from '../lib/event-loop.ts';
import { memoize } from '../lib/memoize.ts';
import {
  type Connection,
  createConnection,
  type PoolOptions,
} from '../redirect/postgres/connection.ts';
import { databaseName, withDatabaseErrors, withStoreErrors } from '../redirect/postgres/errors.ts';
import { acceptLoss } from '../redirect/postgres/lost-changes.ts';
import {
  createRecorders,
  earlierDatabase,
  hasRows,
  lastBackupMs,
  recordBackup,
} from '../sql/database/startup-queries.ts';
import { keepFilled } from './database/derived-columns.ts';
import { type DatabaseState, inspect, isServed, prepare, serverName } from './database/open.ts';
import { requireOwnSessions } from './database/pooler.ts';
import { runQueries } from './database/queries.ts';
import { watchConnection } from './database/watch.ts';
import { createExclusiveTasks } from './exclusive.ts';
import { readSnapshot, writeSnapshot } from './maintenance/snapshot.ts';
import { databaseSize, readerOf } from './reader.ts';
import { startAggregation } from './scans/aggregation.ts';

// A copy does not need more at a time: most requests take less than a millisecond of the database.
const serverPool = {
  max: 8,
  maxLookUps: 2,
  isGuarded: true,
  statementTimeoutMs: 10_000,
  settings: {
    application_name: serverName,
    // Planning a read takes as long as running it. All plans use indexes, whatever the parameters.
    plan_cache_mode: 'force_generic_plan',
    jit: 'off',
  },
};
// A command may run for long, such as a check of all codes.
const commandPool = {
  max: 2,
  statementTimeoutMs: 0,
  // What a snapshot reads.
  settings: { bytea_output: 'hex' },
};
const sizeIntervalMs = 60_000;

/** The storage without backups, which are SQLite files. */
export interface PostgresStorage extends Omit<Storage, 'backUp' | 'restore'> {
  /** Records the time of a backup. */
  recordBackup(atMs: number): Promise<void>;
  /** Migrates the schema before a restore, and returns whether there are accounts. */
  prepareRestore(): Promise<boolean>;
}

/**
 * Creates the storage in a PostgreSQL database.
 *
 * @param password returns that of a new connection
 */
export function createPostgresStorage(url: string, password: () => string): PostgresStorage {
  /** Runs an operation on a connection of its own. */
  const withConnection = async <T>(run: (connection: Connection) => Promise<T>): Promise<T> => {
    const connection = createConnection(url, commandPool);
    try {
      return await withDatabaseErrors(connection, () => run(connection));
    } finally {
      await connection.close();
    }
  };

  return {
    name: databaseName(url),
    exists: () => withConnection(async (connection) => !(await inspect(connection)).isEmpty),
    isServed: () => withConnection((connection) => isServed(connection, 'any')),
    whileStopped: async (run) => {
      await withConnection(rejectServed);
      return run();
    },
    openForServer: async ({ log, check }) => {
      await withDatabaseErrors({ url }, () => requireOwnSessions(url, password));
      return open(url, { ...serverPool, password }, async (connection, state) => {
        if (!state.isEmpty) await check(readerOf(connection, state));
        await prepare(connection);
        return serverStorageOn(connection, log);
      });
    },
    openForCommand: ({ create = false, upgrade = false }) =>
      open(url, commandPool, async (connection, state) => {
        if (!(state.isEmpty ? create : upgrade)) await rejectUnprepared(connection, state);
        await prepare(connection);
        const { createStores } = await import('./dialect.ts');
        return {
          ...createStores(connection),
          ...recordersOn(connection),
          eraseFreeSpace: async () => null,
          close: connection.close,
        } satisfies CommandStorage;
      }),
    acceptLoss: () =>
      withConnection(async (connection) => {
        await rejectUnprepared(connection, await inspect(connection));
        await connection.sql().unsafe(acceptLoss);
      }),
    openForReading: () =>
      open(url, commandPool, async (connection, state) => {
        rejectEmpty(connection, state);
        return readerOf(connection, state);
      }),
    repair: async () => {
      throw new DatabaseUnusable(
        'Waymark repairs SQLite databases only. For a damaged PostgreSQL, see its documentation on data corruption.',
      );
    },
    readSnapshot: (use) =>
      withConnection(async (connection) => {
        await rejectUnprepared(connection, await inspect(connection));
        return readSnapshot(connection, use);
      }),
    writeSnapshot: (snapshot, options) =>
      withConnection(async (connection) => {
        await prepare(connection);
        await rejectServed(connection);
        await writeSnapshot(connection, snapshot, options);
      }),
    recordBackup: (atMs) => withConnection(({ sql }) => runQueries(sql(), recordBackup(atMs))),
    prepareRestore: () =>
      withConnection(async (connection) => {
        await prepare(connection);
        return runQueries(connection.sql(), hasRows('accounts'));
      }),
  };
}

/** Opens a database, and closes the connections if that fails. */
async function open<T>(
  url: string,
  pool: PoolOptions,
  use: (connection: Connection, state: DatabaseState) => Promise<T>,
): Promise<T> {
  const connection = createConnection(url, pool);
  try {
    return await use(connection, await inspect(connection));
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function rejectServed(connection: Connection): Promise<void> {
  if (await isServed(connection, 'any'))
    throw new DatabaseUnusable(
      `A Waymark server uses the database ${databaseName(connection.url)}. Stop all of them first.`,
    );
}

async function serverStorageOn(
  connection: Connection,
  log: ServerOptions['log'],
): Promise<ServerStorage> {
  const isNew = !(await runQueries(connection.sql(), hasRows('accounts')));
  let databaseBytes = await databaseSize(connection);
  const stopSizes = every(sizeIntervalMs, async () => {
    databaseBytes = await databaseSize(connection).catch(() => databaseBytes);
  });
  const stopFilling = keepFilled(connection.sql);
  const stopWatch = watchConnection(connection);
  const aggregation = startAggregation(connection, log);

  return {
    exclusively: createExclusiveTasks(connection),
    isNew,
    limits: async () => {
      const { createLimits } = await import('./limits/limits.ts');
      return createLimits(connection);
    },
    stores: memoize(async () => {
      const { createStores } = await import('./dialect.ts');
      return createStores(connection);
    }),
    conditions: [
      notAggregatedCondition(
        aggregation.problem,
        (problem) => `Scans cannot be aggregated: ${problem}. Check PostgreSQL.`,
      ),
    ],
    sizes: () => ({ databaseBytes, walBytes: 0, freeDiskBytes: null }),
    lastBackupMs: () => runQueries(connection.sql(), lastBackupMs()),
    ...recordersOn(connection),
    close: async () => {
      stopSizes();
      stopFilling();
      stopWatch();
      await aggregation.close();
      await connection.close();
    },
  };
}

const recordersOn = (connection: Connection) =>
  createRecorders((queries) =>
    withStoreErrors(() => connection.sql().begin((sql) => runQueries(sql, queries))),
  );

function rejectEmpty({ url }: Connection, { isEmpty }: DatabaseState): void {
  if (isEmpty)
    throw new DatabaseUnusable(
      `There is no database of Waymark in ${databaseName(url)}: it has no tables. "waymark serve" or "waymark account create" ` +
        'creates them, and "waymark move" fills them from a data folder.',
    );
}

/** Rejects a database that is empty or of an earlier version. */
async function rejectUnprepared(connection: Connection, state: DatabaseState): Promise<void> {
  rejectEmpty(connection, state);
  const { url, sql } = connection;
  if (state.missingSteps > 0)
    throw await runQueries(sql(), earlierDatabase(`The database ${databaseName(url)}`));
}

import type { SQL } from 'bun';
import { DatabaseUnusable } from '../../core/errors.ts';
import { version } from '../../lib/build/version.ts';
import { databaseName, withDatabaseErrors } from './errors.ts';
import { type MigrationState, migrate, readMigrationState } from './migrate.ts';

/** Connections to one database. Their pools can be replaced while in use. */
export interface Connection {
  readonly url: string;
  /** Returns the current pool. Not to be kept, see {@link Connection.reset}. */
  sql(): SQL;
  /**
   * Returns the current pool for look-ups by a key.
   * PostgreSQL runs those of one connection one after the other without switching processes, and they never wait behind
   * a longer statement.
   */
  lookUps(): SQL;
  /** Replaces the pools, whose connections may wait forever for a server that is gone. */
  reset(): void;
  close(): Promise<void>;
}

export interface PoolOptions {
  /** Connections at the same time. */
  readonly max: number;
  /** Further connections for look-ups. Without, they share the others. */
  readonly maxLookUps?: number;
  /** After which PostgreSQL ends a statement; 0 for never. */
  readonly statementTimeoutMs: number;
  /** Further settings of the sessions. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Settings of every session, whatever the defaults of the database and the user. */
export const sessionSettings = {
  application_name: 'waymark',
  // A request would fail if the server ended its idle connection at that moment.
  idle_session_timeout: '0',
  // Transactions lock what they rely on. Stricter ones would fail beside others.
  default_transaction_isolation: 'read committed',
} as const;
const anyServerName = 'waymark serve';
/** The same, of the main connections of a server. */
export const serverName = `${anyServerName} ${version}`;

// An index scan skips rows that were removed from the scan log. A sequential scan and a bitmap scan read them.
const lookUpSettings = { enable_seqscan: 'off', enable_bitmapscan: 'off' };

const connectTimeoutSeconds = 5;
/** The oldest version whose behaviour is tested. */
const minServerVersion = 15;

/** Creates the pools. They connect at their first statement. */
export function createConnection(
  url: string,
  { max, maxLookUps = 0, statementTimeoutMs, settings }: PoolOptions,
): Connection {
  const open = (connections: number, more?: typeof lookUpSettings) =>
    new Bun.SQL(url, {
      max: connections,
      connectionTimeout: connectTimeoutSeconds,
      connection: {
        ...sessionSettings,
        statement_timeout: String(statementTimeoutMs),
        ...settings,
        ...more,
      },
    });
  const openAll = () => {
    const sql = open(max);
    return { sql, lookUps: maxLookUps > 0 ? open(maxLookUps, lookUpSettings) : sql };
  };
  const closeAll = ({ sql, lookUps }: ReturnType<typeof openAll>, timeout: number) =>
    Promise.all([...new Set([sql, lookUps])].map((pool) => pool.close({ timeout })));
  let pools = openAll();
  return {
    url,
    sql: () => pools.sql,
    lookUps: () => pools.lookUps,
    reset: () => {
      closeAll(pools, 0).catch(() => {});
      pools = openAll();
    },
    close: async () => {
      await closeAll(pools, 1);
    },
  };
}

/** State of a database before its use. */
export interface DatabaseState extends MigrationState {
  /** A standby, or a database that is set to read-only. */
  readonly isReadOnly: boolean;
}

/**
 * Reads the state of a database.
 *
 * @throws DatabaseUnusable when it cannot be reached or read, is too old, of a later version or not Waymark's
 */
export async function inspect(connection: Connection): Promise<DatabaseState> {
  return withDatabaseErrors(connection, async () => {
    const [server] = await connection
      .sql()
      .unsafe<{ version: number; name: string; encoding: string; readOnly: string }[]>(
        `SELECT current_setting('server_version_num')::int / 10000 AS version,
         current_setting('server_version') AS name,
         current_setting('server_encoding') AS encoding,
         current_setting('transaction_read_only') AS "readOnly"`,
      );
    if (server === undefined || server.version < minServerVersion)
      throw new DatabaseUnusable(
        `The database ${databaseName(connection.url)} is on PostgreSQL ${server?.name}, but Waymark needs ` +
          `version ${minServerVersion} or later. Upgrade PostgreSQL first.`,
      );
    if (server.encoding !== 'UTF8')
      throw new DatabaseUnusable(
        `The database ${databaseName(connection.url)} has the encoding ${server.encoding}, but Waymark needs UTF8: links ` +
          'and names may have any character. Create another one with "createdb --encoding UTF8 --template template0 ' +
          'NAME", and name it in WAYMARK_DATABASE_URL. If this one has codes, copy them with pg_dump and psql first.',
      );
    const state = await readMigrationState(connection.sql(), databaseName(connection.url));
    return { ...state, isReadOnly: server.readOnly === 'on' };
  });
}

/** Returns whether a server of any version uses the database, or one of a version other than this. */
export async function isServed(connection: Connection, by: 'any' | 'others'): Promise<boolean> {
  const servers = await connection.sql().unsafe(
    `SELECT FROM pg_stat_activity WHERE datname = current_database()
       AND application_name LIKE $1 AND application_name <> $2 LIMIT 1`,
    [`${anyServerName}%`, by === 'others' ? serverName : ''],
  );
  return servers.length > 0;
}

/**
 * Migrates the schema. Creates it in an empty database.
 *
 * @throws DatabaseUnusable when the database is read-only, the user may not change it, or servers of an earlier
 *   version could not keep running
 */
export async function prepare(connection: Connection): Promise<void> {
  const { isReadOnly, missingSteps, isBreaking } = await inspect(connection);
  if (isReadOnly)
    throw new DatabaseUnusable(
      `The database ${databaseName(connection.url)} is read-only, such as a standby. Name the primary ` +
        'server in WAYMARK_DATABASE_URL.',
    );
  if (isBreaking && (await isServed(connection, 'others')))
    throw new DatabaseUnusable(
      `Servers of another version use the database ${databaseName(connection.url)}, and they cannot use the schema ` +
        `of Waymark ${version}. Stop all of them, and start again.`,
    );
  if (missingSteps > 0) await withDatabaseErrors(connection, () => migrate(connection.sql()));
}

import type { SQL } from 'bun';
import { DatabaseUnusable } from '../../core/errors.ts';
import { version } from '../../lib/build/version.ts';
import { withDeadline } from '../../lib/deadline.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { readClock } from './clock.ts';
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
  /** Notes that the database did not respond, or could not be written. */
  noteOutage(): void;
  /** Returns how long ago the last outage was noticed, in milliseconds. */
  sinceOutageMs(): number;
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
  /** Returns the password for a new connection; by default that of the URL. */
  readonly password?: () => string;
  /** Called when a connection can be used. */
  readonly onConnect?: () => void;
  /**
   * Whether statements are rejected while the database cannot be reached.
   * Otherwise each of them opens all connections of its pool again.
   */
  readonly isGuarded?: boolean;
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

const probeMs = 3000;

/** Creates the pools. They connect at their first statement. */
export function createConnection(url: string, options: PoolOptions): Connection {
  const { max, maxLookUps = 0, isGuarded = false } = options;
  let outageMs = Number.NEGATIVE_INFINITY;
  const noteOutage = () => {
    outageMs = performance.now();
  };
  const openAll = (): Pools => {
    let established = 0;
    const isCurrent = () => pools.sql === sql;
    const watch = {
      onConnect: () => {
        established++;
        options.onConnect?.();
      },
      onClose: (error: unknown) => {
        if (!isCurrent()) return;
        noteOutage();
        // One that could not be established.
        if (established === 0 && isGuarded) void circuit.open(error);
        established = Math.max(0, established - 1);
      },
    };
    const sql = openPool(url, max, { ...options, ...watch });
    const lookUps =
      maxLookUps > 0 ? openPool(url, maxLookUps, { ...options, ...watch }, lookUpSettings) : sql;
    return { sql, lookUps };
  };
  const closeAll = ({ sql, lookUps }: Pools, timeout: number) =>
    Promise.all([...new Set([sql, lookUps])].map((pool) => pool.close({ timeout })));
  let pools: Pools = { sql: rejecting, lookUps: rejecting };
  const replace = (replacement: Pools) => {
    const replaced = pools;
    pools = replacement;
    if (replaced.sql !== rejecting) closeAll(replaced, 0).catch(() => {});
  };
  const circuit = createCircuitBreaker({
    attempt: async () => {
      noteOutage();
      replace({ sql: rejecting, lookUps: rejecting });
      const probe = openPool(url, 1, { ...options, onConnect: () => {} });
      try {
        await withDeadline(probeMs, () => probe.unsafe('SELECT 1'));
      } finally {
        await probe.close({ timeout: 0 }).catch(() => {});
      }
    },
    onClose: () => replace(openAll()),
  });
  replace(openAll());
  return {
    url,
    sql: () => pools.sql,
    lookUps: () => pools.lookUps,
    reset: () => {
      if (isGuarded) void circuit.open(null);
      else replace(openAll());
    },
    noteOutage,
    sinceOutageMs: () => performance.now() - outageMs,
    close: async () => {
      circuit.end();
      const closed = pools;
      pools = { sql: rejecting, lookUps: rejecting };
      if (closed.sql !== rejecting) await closeAll(closed, 1);
    },
  };
}

interface Pools {
  readonly sql: SQL;
  readonly lookUps: SQL;
}

function openPool(
  url: string,
  max: number,
  { statementTimeoutMs, settings, password, onConnect, onClose }: WatchedOptions,
  more?: typeof lookUpSettings,
): SQL {
  return new Bun.SQL(url, {
    max,
    connectionTimeout: connectTimeoutSeconds,
    ...(password && { password }),
    onconnect: (error) => {
      if (error === null) onConnect?.();
    },
    onclose: (error) => onClose?.(error),
    connection: {
      ...sessionSettings,
      statement_timeout: String(statementTimeoutMs),
      ...settings,
      ...more,
    },
  });
}

interface WatchedOptions extends PoolOptions {
  readonly onClose?: (error: unknown) => void;
}

/** A pool that rejects every statement, as one does that cannot connect. */
const rejecting: SQL = (() => {
  const reject = () => {
    const error = Object.assign(new Error('PostgreSQL cannot be reached'), {
      code: 'ERR_POSTGRES_CONNECTION_REFUSED',
    });
    const rejection = Promise.reject(error);
    rejection.catch(() => {});
    return Object.assign(rejection, { values: () => rejection, simple: () => rejection });
  };
  // The cast is safe: no more of a pool is used.
  return { unsafe: reject, begin: reject, reserve: reject } as unknown as SQL;
})();

/** State of a database before its use. */
export interface DatabaseState extends MigrationState {
  /** A standby, or a database that is set to read-only. */
  readonly isReadOnly: boolean;
}

/**
 * Reads the state of a database, and its clock.
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
    await readClock((text) => connection.sql().unsafe(text).values());
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

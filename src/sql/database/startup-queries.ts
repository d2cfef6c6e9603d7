import { ownerlessEmail } from '../../core/accounts/account.ts';
import type { StoredSecret } from '../../core/accounts/ports.ts';
import { DatabaseUnusable } from '../../core/errors.ts';
import type { ServerStorage, ServerVersion } from '../../core/storage.ts';
import { version } from '../../lib/build/version.ts';

/**
 * Queries of a start.
 * They do without drizzle, which a start does not load, and also work on the schema of an earlier version. They yield
 * SQL for both databases with the values of `$1`, `$2`, …, and get the rows of each statement. SQLite runs them in one
 * turn of the event loop, PostgreSQL awaits each.
 */
export type Queries<Result> = Generator<
  readonly [sql: string, values: readonly (string | number)[]],
  Result,
  readonly Readonly<Record<string, unknown>>[]
>;

/** Runs queries on a database. */
export type RunQueries = <Result>(queries: Queries<Result>) => Promise<Result>;

/** Returns whether a table has any row. */
export function* hasRows(table: 'accounts' | 'qrs' | 'sqlite_schema'): Queries<boolean> {
  return (yield [`SELECT 1 FROM ${table} LIMIT 1`, []]).length > 0;
}

/** Returns whether any account is an operator. True while there is no account. */
export function* hasOperator(): Queries<boolean> {
  const isReal = `email <> '${ownerlessEmail}'`;
  const operators = yield [`SELECT 1 FROM accounts WHERE is_operator AND ${isReal} LIMIT 1`, []];
  if (operators.length > 0) return true;
  return (yield [`SELECT 1 FROM accounts WHERE ${isReal} LIMIT 1`, []]).length === 0;
}

function* prefixesIn(table: 'short_url_prefixes' | 'served_prefixes'): Queries<string[]> {
  const rows = yield [`SELECT prefix FROM ${table} ORDER BY prefix`, []];
  return rows.map(({ prefix }) => String(prefix));
}

/**
 * Returns the addresses in printed codes that are no domains, in alphabetical order: those of the main domain.
 * Each is `scheme://host[:port][/path]`.
 */
export const usedShortUrlPrefixes = () => prefixesIn('short_url_prefixes');

/** Returns the short URL of the server that started last. Version 1.1.0 also recorded its aliases. */
export const servedPrefixes = () => prefixesIn('served_prefixes');

/** Returns the secrets of all second factors as they are stored. */
export function* storedSecrets(): Queries<StoredSecret[]> {
  try {
    const rows = yield [
      'SELECT id, totp_secret FROM accounts WHERE totp_secret IS NOT NULL ORDER BY id',
      [],
    ];
    return rows.map((row) => ({
      accountId: Number(row['id']),
      secret: String(row['totp_secret']),
    }));
  } catch {
    // Schemas of the first versions have none.
    return [];
  }
}

/** Returns the version that served the database last, or null when none has. */
export function* lastServerVersion(): Queries<ServerVersion | null> {
  const [row] = yield [
    'SELECT version, renderer FROM server_versions ORDER BY id DESC LIMIT 1',
    [],
  ];
  return row === undefined
    ? null
    : { version: String(row['version']), renderer: String(row['renderer']) };
}

/** Returns the version that served a database of any schema last, or null if it does not tell. */
export function* findLastVersion(): Queries<string | null> {
  try {
    return (yield* lastServerVersion())?.version ?? null;
  } catch {
    // A schema of another version may not have the table.
    return null;
  }
}

/**
 * Creates the error for a database of an earlier version, which a command may not upgrade.
 *
 * @param database begins the message, `The database NAME`
 */
export function* earlierDatabase(database: string): Queries<DatabaseUnusable> {
  const last = yield* findLastVersion();
  const earlier = last === null ? 'an earlier version' : `Waymark ${last}`;
  return new DatabaseUnusable(
    `${database} was last used by ${earlier}. Start the server of Waymark ${version} first: it checks that the ` +
      'images of all codes stay the same, and then upgrades the database.',
  );
}

/** Records the version that serves the database from now on, if it differs from the last one. */
function* recordServerVersion(server: ServerVersion, atMs: number): Queries<void> {
  const last = yield* lastServerVersion();
  if (last?.version === server.version && last.renderer === server.renderer) return;
  yield [
    'INSERT INTO server_versions (version, renderer, since) VALUES ($1, $2, $3)',
    [server.version, server.renderer, atMs],
  ];
}

/**
 * Returns the functions of a storage that record what serves it.
 *
 * @param write runs queries in a transaction, and rejects with StoreUnavailable when the database cannot be written
 */
export function createRecorders(
  write: (queries: Queries<void>) => Promise<void>,
): Pick<ServerStorage, 'recordServerVersion'> {
  return {
    recordServerVersion: (version, atMs) => write(recordServerVersion(version, atMs)),
  };
}

/** Records the time of a backup. */
export function* recordBackup(atMs: number): Queries<void> {
  yield [
    `INSERT INTO last_backup (id, finished_at) VALUES (1, $1)
     ON CONFLICT (id) DO UPDATE SET finished_at = excluded.finished_at`,
    [Math.round(atMs)],
  ];
}

/** Returns the time of the last backup, or null if there is none. */
export function* lastBackupMs(): Queries<number | null> {
  const [row] = yield ['SELECT finished_at AS "atMs" FROM last_backup', []];
  return row === undefined ? null : Number(row['atMs']);
}

// New codes have the highest ids.
const newestCodes = 1000;

/**
 * Returns the newest time of codes, scans and starts, or null if there is none.
 *
 * @param maxCounters counters of codes to look at; a hundred thousand take some milliseconds
 */
export function* newestTimeMs(maxCounters: number): Queries<number | null> {
  const [row] = yield [
    `SELECT max(at) AS at FROM (
       SELECT max(created_at) AS at FROM (SELECT created_at FROM qrs ORDER BY id DESC LIMIT ${newestCodes}) AS codes
       UNION ALL SELECT max(last_scan) FROM (SELECT last_scan FROM scan_counters LIMIT $1) AS counters
       UNION ALL SELECT max(since) FROM server_versions) AS times`,
    [maxCounters],
  ];
  const at = row?.['at'] ?? null;
  return at === null ? null : Number(at);
}

/** Returns the time of the first account or start, or null if there is none. */
export function* firstTimeMs(): Queries<number | null> {
  const [row] = yield [
    `SELECT min(at) AS at FROM (
       SELECT min(created_at) AS at FROM accounts UNION ALL SELECT min(since) FROM server_versions) AS times`,
    [],
  ];
  const at = row?.['at'] ?? null;
  return at === null ? null : Number(at);
}

/** Returns the id of an account, or null. */
export function* accountIdOf(email: string): Queries<number | null> {
  const [row] = yield ['SELECT id FROM accounts WHERE email = $1', [email]];
  return row === undefined ? null : Number(row['id']);
}

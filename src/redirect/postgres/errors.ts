import {
  accountDeleted,
  DatabaseUnreachable,
  DatabaseUnusable,
  OutcomeUnknown,
  StoreUnavailable,
} from '../../core/errors.ts';

/** Returns PostgreSQL's code of an error (SQLSTATE), such as `23505`, or an empty string. */
export function sqlState(error: unknown): string {
  const cause = driverError(error);
  return cause instanceof Error && 'errno' in cause ? String(cause.errno ?? '') : '';
}

/** Returns the driver's code, such as `ERR_POSTGRES_CONNECTION_CLOSED`, or an empty string. */
function driverCode(error: unknown): string {
  const cause = driverError(error);
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}

/** Returns PostgreSQL's message, without the statement that drizzle adds. */
export function postgresMessage(error: unknown): string {
  const cause = driverError(error);
  return cause instanceof Error ? cause.message : String(cause);
}

/** Returns the error that drizzle has wrapped, or the error itself. */
function driverError(error: unknown): unknown {
  const isWrapped = error instanceof Error && !('errno' in error) && error.cause instanceof Error;
  return isWrapped ? error.cause : error;
}

/** Returns whether the server could not be reached or has ended the connection. */
export function isConnectionLost(error: unknown): boolean {
  return (
    /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME|TLS|AUTHENTICATION_FAILED)/.test(driverCode(error)) ||
    // Shut down, crashed, starting up.
    /^(08|57P0[123])/.test(sqlState(error))
  );
}

/**
 * Returns whether a failure is temporary and changed nothing.
 * No connection, no resources or disk, read-only, a deadlock, a lock or statement timeout; and tables that cannot be seen
 * for a moment, because of rights or the search path.
 */
export function isUnavailable(error: unknown): boolean {
  return (
    isConnectionLost(error) ||
    /^(28|3D000|3F000|42501|42P01|53|25006|40|55P03|57|58)/.test(sqlState(error))
  );
}

/**
 * Returns whether the server may have executed the statement.
 * The connection was lost while it ran, or the server crashed.
 */
function isOutcomeUnknown(error: unknown): boolean {
  return (
    /^ERR_POSTGRES_(CONNECTION_CLOSED|IDLE|LIFETIME)/.test(driverCode(error)) ||
    sqlState(error) === '57P02'
  );
}

/**
 * Returns a temporary failure as StoreUnavailable, and a missing account as ApiError.
 * Any other error is unchanged.
 *
 * @param mayBeDone whether a lost connection leaves open what was done: by a commit, or a write without transaction
 */
export function toStoreError(error: unknown, mayBeDone: boolean): unknown {
  // A row refers to a missing one: only accounts are deleted while something may be added to them.
  if (sqlState(error) === '23503') return accountDeleted();
  if (!isUnavailable(error)) return error;
  const options = { cause: new Error(postgresMessage(error)) };
  return mayBeDone && isOutcomeUnknown(error)
    ? new OutcomeUnknown(
        'The connection to the database was lost. A change may have been made.',
        options,
      )
    : new StoreUnavailable('The database does not respond or cannot be written.', options);
}

/** Runs an operation. A temporary failure rejects with StoreUnavailable, see {@link toStoreError}. */
export async function withStoreErrors<Result>(
  operation: () => PromiseLike<Result>,
  mayBeDone = false,
): Promise<Result> {
  try {
    return await operation();
  } catch (error) {
    throw toStoreError(error, mayBeDone);
  }
}

/** Names the database of a URL for people: `waymark on db.example.com:5432`, without user and password. */
export function databaseName(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${decodeURIComponent(pathname.slice(1))} on ${hostname}:${port || '5432'}`;
}

/** What to do about a connection pooler that gives each transaction another session. */
export const sessionModeAdvice =
  'Waymark needs sessions of its own, for prepared statements, LISTEN and locks: name PostgreSQL itself in ' +
  'WAYMARK_DATABASE_URL, or set the pooler, such as PgBouncer, to session mode (pool_mode = session).';

/** What to do about PostgreSQL's errors, by the beginning of the code. */
const advices: readonly (readonly [RegExp, string])[] = [
  [
    /^08P01/,
    'Name PostgreSQL itself in WAYMARK_DATABASE_URL. A connection pooler, such as PgBouncer, works only in session mode ' +
      '(pool_mode = session), if it ignores settings that it does not know (ignore_startup_parameters).',
  ],
  [
    /^(?:42P01|3F000)/,
    'The tables of Waymark cannot be seen: check the search path and the rights of the user of WAYMARK_DATABASE_URL.',
  ],
  // A prepared statement exists already, or does not.
  [/^(?:42P05|26000)/, sessionModeAdvice],
  [/^28/, 'Check the user and the password in WAYMARK_DATABASE_URL, and pg_hba.conf.'],
  [/^3D000/, 'Create the database ("createdb"), or name another in WAYMARK_DATABASE_URL.'],
  [/^42501/, 'Make the user of WAYMARK_DATABASE_URL the owner of the database.'],
  [/^53300/, 'Raise max_connections of PostgreSQL, or end other clients.'],
  [/^53100/, 'Free some space on the disk of PostgreSQL.'],
  [/^25006/, 'Name the primary server in WAYMARK_DATABASE_URL: this one is read-only.'],
  [
    /^55P03/,
    'Another session holds a table that the upgrade changes, such as pg_dump or a VACUUM. Wait until it has ended, and ' +
      'start again. Copies of the earlier version keep serving meanwhile.',
  ],
  [/^57P03/, 'PostgreSQL is starting or stopping. Try again in a moment.'],
];

const unreachableAdvice =
  'Check that PostgreSQL runs and that WAYMARK_DATABASE_URL has its host and port.';

/**
 * Runs an operation of a start or a command.
 * Turns PostgreSQL's errors into messages for operators.
 *
 * @param url of the database; the messages have no password
 */
export async function withDatabaseErrors<T>(
  { url }: { readonly url: string },
  operation: () => Promise<T>,
): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    const state = sqlState(error);
    const advice =
      advices.find(([pattern]) => pattern.test(state))?.[1] ??
      (isUnavailable(error) ? unreachableAdvice : null);
    if (advice === null) throw error;
    throw new (isUnavailable(error) ? DatabaseUnreachable : DatabaseUnusable)(
      `The database ${databaseName(url)} cannot be used: ${postgresMessage(error)}. ${advice}`,
    );
  }
}

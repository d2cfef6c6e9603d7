import { DatabaseUnusable } from '../../core/errors.ts';
import { version } from '../../lib/build/version.ts';
import { readClock } from '../../redirect/postgres/clock.ts';
import type { Connection } from '../../redirect/postgres/connection.ts';
import { databaseName, withDatabaseErrors } from '../../redirect/postgres/errors.ts';
import { type MigrationState, migrate, readMigrationState } from './migrate.ts';

const anyServerName = 'waymark serve';
/** The same, of the main connections of a server. */
export const serverName = `${anyServerName} ${version}`;

/** The oldest version whose behaviour is tested. */
const minServerVersion = 15;

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

import type { Database } from 'bun:sqlite';
import type { ServerVersion } from '../../core/storage.ts';

/**
 * Queries of a server start. They do without drizzle, which a start does not load, and also work on the
 * schema of an earlier version.
 */

/** An open database, of any schema. */
interface Connection {
  readonly $client: Database;
}

/** Returns whether a table has any row. `sqlite_schema` has none if the creation was interrupted. */
export function hasRows(
  { $client }: Connection,
  table: 'accounts' | 'qrs' | 'sqlite_schema',
): boolean {
  return $client.query(`SELECT 1 FROM ${table} LIMIT 1`).get() !== null;
}

/** Returns the short-URL prefixes of all codes in alphabetical order, each `scheme://host[:port][/path]`. */
export function usedShortUrlPrefixes({ $client }: Connection): string[] {
  return $client
    .query<{ prefix: string }, []>('SELECT prefix FROM short_url_prefixes ORDER BY prefix')
    .all()
    .map(({ prefix }) => prefix);
}

/** Returns the short-URL prefixes of the server that started last. */
export function servedPrefixes({ $client }: Connection): string[] {
  return $client
    .query<{ prefix: string }, []>('SELECT prefix FROM served_prefixes ORDER BY prefix')
    .all()
    .map(({ prefix }) => prefix);
}

/** Records the short-URL prefixes that are served from now on, if they differ from the last ones. */
export function recordServedPrefixes(connection: Connection, prefixes: readonly string[]): void {
  const sorted = [...new Set(prefixes)].sort();
  if (servedPrefixes(connection).join() === sorted.join()) return;
  connection.$client.transaction(() => {
    connection.$client.run('DELETE FROM served_prefixes');
    const insert = connection.$client.query('INSERT INTO served_prefixes VALUES (?)');
    for (const prefix of sorted) insert.run(prefix);
  })();
}

/** Returns the version that served the database last, or null when none has. */
export function lastServerVersion({ $client }: Connection): ServerVersion | null {
  return $client
    .query<ServerVersion, []>(
      'SELECT version, renderer FROM server_versions ORDER BY id DESC LIMIT 1',
    )
    .get();
}

/** Returns the version that served a database of any schema last, or null if it does not tell. */
export function findLastVersion(connection: Connection): string | null {
  try {
    return lastServerVersion(connection)?.version ?? null;
  } catch {
    // A schema of another version may not have the table.
    return null;
  }
}

/** Records the version that serves the database from now on, if it differs from the last one. */
export function recordServerVersion(
  connection: Connection,
  { version, renderer }: ServerVersion,
  atMs: number,
): void {
  const last = lastServerVersion(connection);
  if (last?.version === version && last.renderer === renderer) return;
  connection.$client
    .query('INSERT INTO server_versions (version, renderer, since) VALUES (?, ?, ?)')
    .run(version, renderer, atMs);
}

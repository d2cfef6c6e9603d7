import type { SQL, TransactionSQL } from 'bun';
import type { ServerVersion } from '../../core/storage.ts';

/** Queries of a start. They do without drizzle and also work on the schema of an earlier version. */

/** Returns whether a table has any row. */
export async function hasRows(sql: SQL, table: 'accounts' | 'qrs'): Promise<boolean> {
  return (await sql.unsafe(`SELECT 1 FROM ${table} LIMIT 1`)).length > 0;
}

/** Returns the short-URL prefixes of all codes in alphabetical order, each `scheme://host[:port][/path]`. */
export async function usedShortUrlPrefixes(sql: SQL): Promise<string[]> {
  const rows = await sql.unsafe<{ prefix: string }[]>(
    'SELECT prefix FROM short_url_prefixes ORDER BY prefix',
  );
  return rows.map(({ prefix }) => prefix);
}

/** Returns the short-URL prefixes of the server that started last. */
export async function servedPrefixes(sql: SQL): Promise<string[]> {
  const rows = await sql.unsafe<{ prefix: string }[]>(
    'SELECT prefix FROM served_prefixes ORDER BY prefix',
  );
  return rows.map(({ prefix }) => prefix);
}

/** Records the short-URL prefixes that are served from now on, if they differ from the last ones. */
export async function recordServedPrefixes(sql: SQL, prefixes: readonly string[]): Promise<void> {
  const sorted = [...new Set(prefixes)].sort();
  if ((await servedPrefixes(sql)).join() === sorted.join()) return;
  await sql.begin(async (transaction) => {
    await transaction.unsafe('DELETE FROM served_prefixes');
    // Another copy may be starting with the same settings.
    for (const prefix of sorted)
      await transaction.unsafe('INSERT INTO served_prefixes VALUES ($1) ON CONFLICT DO NOTHING', [
        prefix,
      ]);
  });
}

/** Returns the version that served the database last, or null when none has. */
export async function lastServerVersion(sql: SQL | TransactionSQL): Promise<ServerVersion | null> {
  const [row] = await sql.unsafe<ServerVersion[]>(
    'SELECT version, renderer FROM server_versions ORDER BY id DESC LIMIT 1',
  );
  return row ?? null;
}

/** Returns the version that served a database of any schema last, or null if it does not tell. */
export async function findLastVersion(sql: SQL | TransactionSQL): Promise<string | null> {
  try {
    return (await lastServerVersion(sql))?.version ?? null;
  } catch {
    // A schema of another version may not have the table.
    return null;
  }
}

/** Records the version that serves the database from now on, if it differs from the last one. */
export async function recordServerVersion(
  sql: SQL,
  { version, renderer }: ServerVersion,
  atMs: number,
): Promise<void> {
  const last = await lastServerVersion(sql);
  if (last?.version === version && last.renderer === renderer) return;
  await sql.unsafe('INSERT INTO server_versions (version, renderer, since) VALUES ($1, $2, $3)', [
    version,
    renderer,
    atMs,
  ]);
}

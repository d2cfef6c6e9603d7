import { Database } from 'bun:sqlite';
import { labelNames } from '../../core/codes/fields.ts';
import { repairAdvice } from '../../core/errors.ts';
import type { StoredRedirects } from '../../core/storage.ts';
import type { Connection } from '../../redirect/sqlite/connection.ts';
import { readableCodes } from '../../redirect/sqlite/damage.ts';
import { isDamage } from '../../redirect/sqlite/errors.ts';
import { hasEarlierSchema } from '../../redirect/sqlite/schema-version.ts';
import { readRedirectMap } from '../../sql/database/redirect-map.ts';
import { runQueries } from '../database/queries.ts';

/**
 * Reads codes for an export in one transaction, see {@link readRedirectMap}.
 * Of a damaged database, it reads what can be read.
 *
 * @param use writes the export; may iterate over the redirects several times
 */
export async function withRedirectMap<T>(
  { $client: database }: Connection,
  use: (map: StoredRedirects) => Promise<T>,
  accountId: number | null,
): Promise<T> {
  database.run('BEGIN');
  try {
    return await use(
      (await readSound(database, accountId)) ?? (await salvage(database, accountId)),
    );
  } finally {
    endTransaction(database);
  }
}

const mapOf = (database: Database, accountId: number | null, isOutdated: boolean) =>
  readRedirectMap(async (queries) => runQueries(database, queries), accountId, isOutdated);

/** Returns the map of a sound database, or null if it is damaged. */
async function readSound(
  database: Database,
  accountId: number | null,
): Promise<StoredRedirects | null> {
  const countOf = (from: string) =>
    database.query<{ codes: number }, []>(`SELECT count(*) AS codes FROM ${from}`).get()?.codes;
  try {
    // Reads every page of the table, and every page of the index. A stopped code has an empty destination.
    const inTable = countOf('qrs NOT INDEXED WHERE length(destination) >= 0');
    const inIndex = countOf('(SELECT code FROM qrs ORDER BY code)');
    return inTable === inIndex
      ? await mapOf(database, accountId, hasEarlierSchema(database))
      : null;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return null;
  }
}

/** Copies the codes that can be read into memory, to sort them, and returns the map of them. */
async function salvage(database: Database, accountId: number | null): Promise<StoredRedirects> {
  // Not a temporary table: SQLite refuses to write any after it has met damage.
  const salvaged = new Database(':memory:');
  salvaged.run('CREATE TABLE short_url_prefixes (prefix TEXT PRIMARY KEY)');
  salvaged.run(
    `CREATE TABLE qrs (code TEXT PRIMARY KEY, short_link TEXT, destination TEXT, status TEXT, archived, ${labelNames})`,
  );
  const addPrefix = salvaged.query('INSERT OR IGNORE INTO short_url_prefixes VALUES (?)');
  const insert = salvaged.query(
    `INSERT OR IGNORE INTO qrs VALUES (?, ?, ?, ?, ?, ${labelNames.map(() => '?')})`,
  );
  let lost = 0;
  let isEndKnown = true;
  const rows = readableCodes(database, ({ first, last }) => {
    isEndKnown &&= last !== null;
    lost += (last ?? first) - first + 1;
  });
  for (const { code, short_link: shortLink, destination, status, ...row } of rows) {
    if (accountId !== null && row['account_id'] !== accountId) continue;
    const labels = labelNames.map((name) => row[name] ?? null);
    insert.run(code, shortLink, destination, status, row['archived'] ?? 0, ...labels);
    addPrefix.run(shortLink.slice(0, shortLink.lastIndexOf('/')));
  }
  const missing =
    lost === 0
      ? 'The database is damaged. All codes could be read'
      : `The database is damaged: ${isEndKnown ? '' : 'at least '}${lost} codes cannot be read and are missing in the export`;
  const map = await mapOf(salvaged, null, true);
  return { ...map, dailyScans: null, missing: `${missing}. ${repairAdvice}` };
}

function endTransaction(database: Database): void {
  try {
    database.run('ROLLBACK');
  } catch (error) {
    // The connection is closed next.
    if (!isDamage(error)) throw error;
  }
}

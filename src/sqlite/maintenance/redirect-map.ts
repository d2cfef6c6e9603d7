import { Database } from 'bun:sqlite';
import { labelNames } from '../../core/codes/fields.ts';
import { repairAdvice } from '../../core/errors.ts';
import type { StoredRedirect, StoredRedirects } from '../../core/storage.ts';
import { usedShortUrlPrefixes } from '../../sql/database/startup-queries.ts';
import { readableCodes } from '../damage/readable-rows.ts';
import { isDamage } from '../database/errors.ts';
import { hasColumn } from '../database/migrate.ts';
import type { Connection } from '../database/open.ts';
import { runQueries } from '../database/queries.ts';

/**
 * Reads the codes of all accounts, or of one, for an export, in one transaction and with bounded memory. Of a damaged database, it
 * reads what can be read.
 *
 * @param use writes the export; may iterate over the redirects several times
 */
export async function withRedirectMap<T>(
  connection: Connection,
  use: (map: StoredRedirects) => Promise<T>,
  accountId: number | null,
): Promise<T> {
  const { $client: database } = connection;
  database.run('BEGIN');
  try {
    const columns = columnsOf(database);
    return await use(readMap(connection, columns, accountId) ?? salvageMap(database, accountId));
  } finally {
    endTransaction(database);
  }
}

/** Returns the map of a sound database, or null if it is damaged. Reads all codes once to find out. */
function readMap(
  connection: Connection,
  columns: string,
  accountId: number | null,
): StoredRedirects | null {
  const { $client: database } = connection;
  try {
    // Reads every page of the table, and every page of the index.
    const inTable = countCodes(database, 'qrs NOT INDEXED WHERE length(destination) > 0');
    const inIndex = countCodes(database, '(SELECT code FROM qrs ORDER BY code)');
    if (inTable !== inIndex) return null;
    const from = accountId === null ? 'qrs' : `(SELECT * FROM qrs WHERE account_id = ${accountId})`;
    return mapOf(database, columns, runQueries(database, usedShortUrlPrefixes()), null, from);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return null;
  }
}

/** Copies the codes that can be read into memory, to sort them, and returns the map of them. */
function salvageMap(database: Database, accountId: number | null): StoredRedirects {
  // Not a temporary table: SQLite refuses to write any after it has met damage.
  const salvaged = new Database(':memory:');
  salvaged.run(
    `CREATE TABLE qrs (code TEXT PRIMARY KEY, short_link TEXT, destination TEXT, status TEXT, archived, ${labelNames})`,
  );
  const insert = salvaged.query(
    `INSERT OR IGNORE INTO qrs VALUES (?, ?, ?, ?, ?, ${labelNames.map(() => '?')})`,
  );
  const prefixes = new Set<string>();
  let [lost, isEndKnown] = [0, true];
  const rows = readableCodes(database, ({ first, last }) => {
    isEndKnown &&= last !== null;
    lost += (last ?? first) - first + 1;
  });
  for (const { code, short_link: shortLink, destination, status, ...row } of rows) {
    if (accountId !== null && row['account_id'] !== accountId) continue;
    const labels = labelNames.map((name) => row[name] ?? null);
    insert.run(code, shortLink, destination, status, row['archived'] ?? 0, ...labels);
    prefixes.add(shortLink.slice(0, shortLink.lastIndexOf('/')));
  }
  const missing =
    lost === 0
      ? 'The database is damaged. All codes could be read'
      : `The database is damaged: ${isEndKnown ? '' : 'at least '}${lost} codes cannot be read and are missing in the export`;
  return mapOf(salvaged, columnsOf(salvaged), [...prefixes], `${missing}. ${repairAdvice}`);
}

function mapOf(
  database: Database,
  columns: string,
  prefixes: readonly string[],
  missing: string | null,
  from = 'qrs',
): StoredRedirects {
  return {
    // Dense links are in upper case. Their prefix is the same.
    prefixes: [...new Set(prefixes.map((prefix) => prefix.toLowerCase()))],
    codes: countCodes(database, from),
    active: countCodes(database, `${from} WHERE status = 'active'`),
    missing,
    redirects: function* () {
      // A new statement for each iteration, because a statement has one position only.
      const rows = database.prepare<
        Omit<StoredRedirect, 'isArchived'> & { readonly isArchived: unknown },
        []
      >(`SELECT ${columns} FROM ${from} ORDER BY code`);
      for (const row of rows.iterate()) yield { ...row, isArchived: row.isArchived === 1 };
    },
  };
}

/** Returns the columns of an export, in SQL. The schema of an earlier version lacks some labels. */
function columnsOf(database: Database): string {
  const orNull = (column: string) => (hasColumn(database, 'qrs', column) ? column : 'NULL');
  const labels = labelNames.map((name) => `${orNull(name)} AS ${name}`);
  return `code, short_link AS shortLink, destination, status, ${orNull('archived')} AS isArchived, ${labels}`;
}

function countCodes(database: Database, from: string): number {
  return (
    database.query<{ count: number }, []>(`SELECT count(*) AS count FROM ${from}`).get()?.count ?? 0
  );
}

function endTransaction(database: Database): void {
  try {
    database.run('ROLLBACK');
  } catch (error) {
    // The connection is closed next.
    if (!isDamage(error)) throw error;
  }
}

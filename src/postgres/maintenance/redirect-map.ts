import { labelNames } from '../../core/codes/fields.ts';
import type { StoredRedirect, StoredRedirects } from '../../core/storage.ts';
import { usedShortUrlPrefixes } from '../../sql/database/startup-queries.ts';
import type { Connection } from '../database/open.ts';
import { runQueries } from '../database/queries.ts';

const codesPerRead = 5000;

/** Reads the codes of all accounts, or of one, for an export, in one snapshot and with bounded memory. */
export function withRedirectMap<T>(
  connection: Connection,
  use: (map: StoredRedirects) => Promise<T>,
  accountId: number | null,
): Promise<T> {
  return connection.sql().begin('isolation level repeatable read read only', async (snapshot) => {
    const [counts] = await snapshot.unsafe<{ codes: string; active: string }[]>(
      "SELECT count(*) AS codes, count(*) FILTER (WHERE status = 'active') AS active FROM qrs WHERE $1::bigint IS NULL OR account_id = $1",
      [accountId],
    );
    const prefixes = await runQueries(snapshot, usedShortUrlPrefixes());
    return use({
      // Dense links are in upper case. Their prefix is the same.
      prefixes: [...new Set(prefixes.map((prefix) => prefix.toLowerCase()))],
      codes: Number(counts?.codes ?? 0),
      active: Number(counts?.active ?? 0),
      missing: null,
      redirects: async function* () {
        for (let last: string | undefined = ''; last !== undefined; ) {
          const rows: StoredRedirect[] = await snapshot.unsafe<StoredRedirect[]>(
            `SELECT code, short_link AS "shortLink", destination, status, archived AS "isArchived", ${labelNames} FROM qrs
             WHERE code > $1 AND ($2::bigint IS NULL OR account_id = $2) ORDER BY code LIMIT ${codesPerRead}`,
            [last, accountId],
          );
          yield* rows;
          last = rows.at(-1)?.code;
        }
      },
    });
  });
}

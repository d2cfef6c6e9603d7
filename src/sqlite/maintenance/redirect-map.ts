import type { QrStatus } from '../../core/codes/qr.ts';
import type { Connection } from '../database/open.ts';
import { usedShortUrlPrefixes } from '../database/startup-queries.ts';

interface Row {
  readonly code: string;
  readonly shortLink: string;
  readonly destination: string;
  readonly status: QrStatus;
  readonly name: string | null;
  readonly note: string | null;
}

/**
 * Reads all codes for an export, in one transaction and with bounded memory.
 *
 * @param use writes the export; may iterate over the redirects several times
 */
export async function withRedirectMap<T>(
  connection: Connection,
  use: (map: {
    prefixes: string[];
    codes: number;
    active: number;
    redirects: () => Iterable<Row>;
  }) => Promise<T>,
): Promise<T> {
  const { $client: database } = connection;
  const count = (sql: string) => database.query<{ count: number }, []>(sql).get()?.count ?? 0;
  database.run('BEGIN');
  // The schema of an earlier version has no names.
  const hasNames =
    count("SELECT count(*) AS count FROM pragma_table_info('qrs') WHERE name = 'name'") > 0;
  const labels = hasNames ? 'name, note' : 'NULL AS name, NULL AS note';
  try {
    return await use({
      // Dense links are in upper case. Their prefix is the same.
      prefixes: [
        ...new Set(usedShortUrlPrefixes(connection).map((prefix) => prefix.toLowerCase())),
      ],
      codes: count('SELECT count(*) AS count FROM qrs'),
      active: count("SELECT count(*) AS count FROM qrs WHERE status = 'active'"),
      redirects: () =>
        // A new statement for each iteration, because a statement has one position only.
        database
          .prepare<Row, []>(
            `SELECT code, short_link AS shortLink, destination, status, ${labels} FROM qrs ORDER BY code`,
          )
          .iterate(),
    });
  } finally {
    database.run('ROLLBACK');
  }
}

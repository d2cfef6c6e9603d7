import type { QrStatus } from '../../core/codes/qr.ts';
import { usedShortBases } from '../codes/short-urls.ts';
import type { Connection } from '../database/open.ts';

interface Row {
  readonly code: string;
  readonly shortLink: string;
  readonly destination: string;
  readonly status: QrStatus;
}

/**
 * Walks all codes for an export, as they are at one instant however long it takes.
 *
 * @param use may walk as often as it likes; bounded memory
 */
export async function withRedirectMap<T>(
  connection: Connection,
  use: (map: {
    bases: string[];
    codes: number;
    active: number;
    redirects: () => Iterable<Row>;
  }) => Promise<T>,
): Promise<T> {
  const { $client: database } = connection;
  const count = (sql: string) => database.query<{ count: number }, []>(sql).get()?.count ?? 0;
  database.run('BEGIN');
  try {
    return await use({
      // Dense links are printed in capitals; they live in the same place.
      bases: [...new Set(usedShortBases(connection).map((base) => base.toLowerCase()))],
      codes: count('SELECT count(*) AS count FROM qrs'),
      active: count("SELECT count(*) AS count FROM qrs WHERE status = 'active'"),
      redirects: () =>
        // A statement of its own for each walk: one that is prepared once can be walked once at a time.
        database
          .prepare<Row, []>(
            'SELECT code, short_link AS shortLink, destination, status FROM qrs ORDER BY code',
          )
          .iterate(),
    });
  } finally {
    database.run('ROLLBACK');
  }
}

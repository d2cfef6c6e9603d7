import type { StorageReader } from '../core/storage.ts';
import type { Connection } from '../redirect/postgres/connection.ts';
import { databaseName } from '../redirect/postgres/errors.ts';
import { readLostChanges } from '../redirect/postgres/lost-changes.ts';
import { createReader } from '../sql/database/reader.ts';
import type { DatabaseState } from './database/open.ts';
import { runQueries } from './database/queries.ts';

/** Reads a database of any version, see `StorageReader`. */
export function readerOf(
  connection: Connection,
  { missingSteps, isReadOnly }: DatabaseState,
): StorageReader {
  return createReader((queries) => runQueries(connection.sql(), queries), {
    name: databaseName(connection.url),
    isOutdated: missingSteps > 0,
    isStandby: isReadOnly,
    withRedirects: async (use, accountId = null) => {
      const { readRedirectMap } = await import('../sql/database/redirect-map.ts');
      return connection
        .sql()
        .begin('isolation level repeatable read read only', async (sql) =>
          use(
            await readRedirectMap(
              (queries) => runQueries(sql, queries),
              accountId,
              missingSteps > 0,
            ),
          ),
        );
    },
    // PostgreSQL has checksums and pg_amcheck of its own.
    integrityError: async () => null,
    hitsError: async () => null,
    lostChanges: async () =>
      missingSteps > 0 ? null : readLostChanges((text) => connection.sql().unsafe(text).values()),
    sizes: async () => ({
      databaseBytes: await databaseSize(connection),
      walBytes: 0,
      freeDiskBytes: null,
    }),
    close: connection.close,
  });
}

/** Returns the size of the database in bytes. */
export async function databaseSize(connection: Connection): Promise<number> {
  const [row] = await connection
    .sql()
    .unsafe<{ bytes: string }[]>('SELECT pg_database_size(current_database()) AS bytes');
  return Number(row?.bytes ?? 0);
}

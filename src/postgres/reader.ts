import type { StorageReader } from '../core/storage.ts';
import { memoize } from '../lib/memoize.ts';
import { databaseName } from './database/errors.ts';
import type { Connection, DatabaseState } from './database/open.ts';
import {
  hasRows,
  lastServerVersion,
  servedPrefixes,
  usedShortUrlPrefixes,
} from './database/startup-queries.ts';

/** Reads a database of any version, see `StorageReader`. */
export function readerOf(
  connection: Connection,
  { missingSteps, isReadOnly }: DatabaseState,
): StorageReader {
  const load = memoize(async () => {
    const { withDrizzle } = await import('./database/drizzle.ts');
    const { createPostgresDialect } = await import('./dialect.ts');
    const { createDesignStore } = await import('../sql/designs/designs.ts');
    const { createStoredImages } = await import('../sql/designs/stored-images.ts');
    const dialect = createPostgresDialect(withDrizzle(connection.sql));
    return { designs: createDesignStore(dialect), images: createStoredImages(dialect) };
  });
  // The schema of an earlier version lacks the column.
  const hasPngHashes = memoize(async () => {
    const columns = await connection
      .sql()
      .unsafe(
        "SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('designs') AND attname = 'png_hash'",
      );
    return columns.length > 0;
  });
  return {
    name: databaseName(connection.url),
    isOutdated: missingSteps > 0,
    isStandby: isReadOnly,
    hasCodes: () => hasRows(connection.sql(), 'qrs'),
    servedPrefixes: () => servedPrefixes(connection.sql()),
    usedShortUrlPrefixes: () => usedShortUrlPrefixes(connection.sql()),
    lastServerVersion: () => lastServerVersion(connection.sql()),
    designs: {
      find: async (id) => (await load()).designs.find(id),
      pngHash: async (id) => ((await hasPngHashes()) ? (await load()).designs.pngHash(id) : null),
    },
    allImages: async function* () {
      yield* (await load()).images.all();
    },
    sampleImages: async function* (size) {
      yield* (await load()).images.sample(size);
    },
    withRedirects: async (use) => {
      const { withRedirectMap } = await import('./maintenance/redirect-map.ts');
      return withRedirectMap(connection, use);
    },
    // PostgreSQL has checksums and pg_amcheck of its own.
    integrityError: async () => null,
    sizes: async () => ({
      databaseBytes: await databaseSize(connection),
      walBytes: 0,
      freeDiskBytes: null,
    }),
    close: connection.close,
  };
}

/** Returns the size of the database in bytes. */
export async function databaseSize(connection: Connection): Promise<number> {
  const [row] = await connection
    .sql()
    .unsafe<{ bytes: string }[]>('SELECT pg_database_size(current_database()) AS bytes');
  return Number(row?.bytes ?? 0);
}

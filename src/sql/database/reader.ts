import type { StorageReader } from '../../core/storage.ts';
import { memoize } from '../../lib/memoize.ts';
import type { Dialect } from '../dialect.ts';
import {
  accountIdOf,
  hasRows,
  lastServerVersion,
  newestTimeMs,
  type Queries,
  servedPrefixes,
  usedShortUrlPrefixes,
} from './startup-queries.ts';

/** What a reader needs of a database, and what only the database can tell. */
type Deps = Pick<
  StorageReader,
  'name' | 'isOutdated' | 'isStandby' | 'withRedirects' | 'integrityError' | 'sizes' | 'close'
> & {
  run<Result>(queries: Queries<Result>): Promise<Result>;
  /** Opens the database with drizzle, which is loaded then. */
  openDialect(): Promise<Dialect>;
  /** Whether the table of designs has the column `png_hash`. */
  hasPngHashes(): Promise<boolean>;
};

/** Creates the reader of a database of any version. */
export function createReader({ run, openDialect, hasPngHashes, ...reader }: Deps): StorageReader {
  const load = memoize(async () => {
    const { createDesignStore } = await import('../designs/designs.ts');
    const { createStoredImages } = await import('../designs/stored-images.ts');
    const dialect = await openDialect();
    return { designs: createDesignStore(dialect), images: createStoredImages(dialect) };
  });
  return {
    ...reader,
    accountId: (email) => run(accountIdOf(email)),
    hasCodes: () => run(hasRows('qrs')),
    servedPrefixes: () => run(servedPrefixes()),
    usedShortUrlPrefixes: () => run(usedShortUrlPrefixes()),
    lastServerVersion: () => run(lastServerVersion()),
    newestTimeMs: (maxCounters) => run(newestTimeMs(maxCounters)),
    designs: {
      find: async (id) => (await load()).designs.find(id),
      // The schema of an earlier version lacks the column.
      pngHash: async (id) => ((await hasPngHashes()) ? (await load()).designs.pngHash(id) : null),
    },
    allImages: async function* () {
      yield* (await load()).images.all();
    },
    sampleImages: async function* (size) {
      yield* (await load()).images.sample(size);
    },
  };
}

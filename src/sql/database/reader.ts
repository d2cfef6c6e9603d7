import type { StorageReader } from '../../core/storage.ts';
import {
  accountIdOf,
  firstTimeMs,
  hasOperator,
  hasRows,
  lastBackupMs,
  lastServerVersion,
  newestTimeMs,
  type RunQueries,
  servedPrefixes,
  storedSecrets,
  usedShortUrlPrefixes,
} from './startup-queries.ts';
import { createStoredImages } from './stored-images.ts';

/** What only the database can tell. */
type Deps = Pick<
  StorageReader,
  | 'name'
  | 'isOutdated'
  | 'isStandby'
  | 'withRedirects'
  | 'integrityError'
  | 'hitsError'
  | 'lostChanges'
  | 'sizes'
  | 'close'
>;

/** Creates the reader of a database of any version. */
export function createReader(run: RunQueries, deps: Deps): StorageReader {
  return {
    ...deps,
    accountId: (email) => run(accountIdOf(email)),
    hasCodes: () => run(hasRows('qrs')),
    hasOperator: () => run(hasOperator()),
    servedPrefixes: () => run(servedPrefixes()),
    usedShortUrlPrefixes: () => run(usedShortUrlPrefixes()),
    storedSecrets: () => run(storedSecrets()),
    lastServerVersion: () => run(lastServerVersion()),
    firstTimeMs: () => run(firstTimeMs()),
    // Schemas of the first versions have no table for it.
    lastBackupMs: async () => (deps.isOutdated ? null : run(lastBackupMs())),
    newestTimeMs: (maxCounters) => run(newestTimeMs(maxCounters)),
    ...createStoredImages(run),
  };
}

import type { StorageReader } from '../core/storage.ts';
import type { Connection } from '../redirect/sqlite/connection.ts';
import { withDatabaseErrors } from '../redirect/sqlite/errors.ts';
import { databasePath, databaseSizes } from '../redirect/sqlite/files.ts';
import { hasEarlierSchema } from '../redirect/sqlite/schema-version.ts';
import { createReader } from '../sql/database/reader.ts';
import type { RunQueries } from '../sql/database/startup-queries.ts';
import { runQueries } from './database/queries.ts';
import { findHitsError, findIntegrityError } from './maintenance/integrity.ts';
import { withRedirectMap } from './maintenance/redirect-map.ts';

/** Creates the reader of a database that is open read-only. */
export function readerOf(dataFolder: string, connection: Connection): StorageReader {
  const { $client } = connection;
  const name = databasePath(dataFolder);
  const run: RunQueries = async (queries) =>
    withDatabaseErrors(name, 'read', () => runQueries($client, queries));
  return createReader(run, {
    name,
    isStandby: false,
    isOutdated: hasEarlierSchema($client),
    withRedirects: async (use, accountId = null) => withRedirectMap(connection, use, accountId),
    integrityError: async () => findIntegrityError(dataFolder, connection, 'full'),
    hitsError: async () => findHitsError(dataFolder),
    lostChanges: async () => null,
    sizes: async () => databaseSizes(dataFolder),
    close: async () => $client.close(),
  });
}

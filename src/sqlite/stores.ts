import type { Stores } from '../core/storage.ts';
import { createRecorders } from '../sql/database/startup-queries.ts';
import { createSqlStores } from '../sql/stores.ts';
import type { DrizzleConnection } from './database/drizzle.ts';
import { runQueries } from './database/queries.ts';
import { write } from './database/write.ts';
import { createSqliteDialect, type DialectParts } from './dialect.ts';

/** The stores of an open database. */
export interface OpenStores {
  readonly stores: Stores;
  readonly recorders: ReturnType<typeof createRecorders>;
}

/** Creates the stores on an open database. */
export function openStores(connection: DrizzleConnection, parts: DialectParts): OpenStores {
  const { $client } = connection;
  return {
    stores: createSqlStores(createSqliteDialect(connection, parts)),
    recorders: createRecorders((queries) =>
      write(() => $client.transaction(() => runQueries($client, queries)).immediate()),
    ),
  };
}

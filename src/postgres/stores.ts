import type { Stores } from '../core/storage.ts';
import { createSqlStores } from '../sql/stores.ts';
import { createChangeRedirects } from './codes/redirect-version.ts';
import { createPostgresDialect } from './database/dialect.ts';
import type { Connection } from './database/open.ts';
import { storeOn } from './database/store.ts';
import { createTotals } from './scans/pending.ts';

/** Creates the stores of a database. While it does not respond, they reject with StoreUnavailable. */
export function createStores(connection: Connection): Stores {
  const store = storeOn(connection.sql);
  const lookUps = storeOn(connection.lookUps);
  const dialect = createPostgresDialect(store, lookUps, createChangeRedirects(store));
  return createSqlStores(dialect, createTotals(dialect));
}

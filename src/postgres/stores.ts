import type { Stores } from '../core/storage.ts';
import { createSqlStores } from '../sql/stores.ts';
import { createChangeRedirects } from './codes/redirect-version.ts';
import { createPostgresDialect } from './database/dialect.ts';
import { withDrizzle } from './database/drizzle.ts';
import type { Connection } from './database/open.ts';
import { createTotals } from './scans/pending.ts';

/** Creates the stores of a database. While it does not respond, they reject with StoreUnavailable. */
export function createStores(connection: Connection): Stores {
  const drizzle = withDrizzle(connection.sql);
  const lookUps = withDrizzle(connection.lookUps);
  const dialect = createPostgresDialect(drizzle, lookUps, createChangeRedirects(drizzle));
  return createSqlStores(dialect, createTotals(dialect));
}

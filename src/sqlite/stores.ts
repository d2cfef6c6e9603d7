import type { Stores } from '../core/storage.ts';
import { createSqlStores } from '../sql/stores.ts';
import type { SqliteLinkStore } from './codes/link-targets.ts';
import type { DrizzleConnection } from './database/drizzle.ts';
import { createSqliteDialect } from './dialect.ts';
import type { SqliteScanLog } from './scans/scan-log.ts';

/**
 * Creates the stores of an open database.
 *
 * @param deps.linkStore caches redirect targets; a change of a code removes its target
 * @param deps.scanLog has the hits that are not aggregated yet
 */
export function createStores(
  connection: DrizzleConnection,
  {
    linkStore,
    scanLog,
  }: { linkStore: Pick<SqliteLinkStore, 'forget'>; scanLog: Pick<SqliteScanLog, 'pending'> },
): Stores {
  return createSqlStores(createSqliteDialect(connection, linkStore, scanLog));
}

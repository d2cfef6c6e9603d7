import type { Stores } from '../core/storage.ts';
import { createSqlStores } from '../sql/stores.ts';
import type { SqliteLinkStore } from './codes/link-targets.ts';
import { createSqliteDialect } from './database/dialect.ts';
import type { Store } from './database/open.ts';
import { createTotals } from './scans/counters.ts';
import type { SqliteScanLog } from './scans/log.ts';

/**
 * Creates the stores of an open database.
 *
 * @param deps.links caches redirect targets; a change of a code removes its target
 * @param deps.scanLog has the hits that are not aggregated yet
 */
export function createStores(
  store: Store,
  {
    links,
    scanLog,
  }: { links: Pick<SqliteLinkStore, 'forget'>; scanLog: Pick<SqliteScanLog, 'pending'> },
): Stores {
  return createSqlStores(createSqliteDialect(store, links, scanLog), createTotals(store.$client));
}

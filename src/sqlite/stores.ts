import type { Stores } from '../core/storage.ts';
import { createAccountStore } from '../sql/accounts/accounts.ts';
import { createKeyStore } from '../sql/accounts/api-keys.ts';
import {
  createCredentialStore,
  createSessionStore,
  createSignInLinkStore,
} from '../sql/accounts/sign-in.ts';
import { createDesignStore } from '../sql/designs/designs.ts';
import { createSavedDesignStore } from '../sql/designs/saved-designs.ts';
import { createFlagStore, createRecheckRunStore } from '../sql/safety/flags.ts';
import { createListSourceStore, createRuleStore } from '../sql/safety/rules.ts';
import { createThreatListStore } from '../sql/safety/threat-lists.ts';
import { createOverviewStore } from '../sql/scans/overview.ts';
import { createBatchStore } from './codes/batches.ts';
import { createBulkEditStore } from './codes/bulk-edits.ts';
import { createLinkImportStore } from './codes/link-imports.ts';
import type { SqliteLinkStore } from './codes/link-targets.ts';
import { createQrStore } from './codes/qrs.ts';
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
  deps: { links: Pick<SqliteLinkStore, 'forget'>; scanLog: Pick<SqliteScanLog, 'pending'> },
): Stores {
  const { links, scanLog } = deps;
  const dialect = createSqliteDialect(store, links);
  return {
    accounts: createAccountStore(dialect, createTotals(store.$client)),
    keys: createKeyStore(dialect),
    credentials: createCredentialStore(dialect),
    sessions: createSessionStore(dialect),
    signInLinks: createSignInLinkStore(dialect),
    designs: createDesignStore(dialect),
    savedDesigns: createSavedDesignStore(dialect),
    qrs: createQrStore(store, links, scanLog),
    batches: createBatchStore(store),
    bulkEdits: createBulkEditStore(store, links),
    linkImports: createLinkImportStore(store),
    overview: createOverviewStore(dialect),
    flags: createFlagStore(dialect),
    runs: createRecheckRunStore(dialect),
    rules: createRuleStore(dialect),
    sources: createListSourceStore(dialect),
    lists: createThreatListStore(dialect),
  };
}

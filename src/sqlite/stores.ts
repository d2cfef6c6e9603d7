import type { Stores } from '../core/storage.ts';
import { createAccountStore } from '../sql/accounts/accounts.ts';
import { createKeyStore } from '../sql/accounts/api-keys.ts';
import {
  createCredentialStore,
  createSessionStore,
  createSignInLinkStore,
} from '../sql/accounts/sign-in.ts';
import { createBatchStore } from '../sql/batches/batches.ts';
import { createBulkEditStore } from '../sql/batches/bulk-edits.ts';
import { createLinkImportStore } from '../sql/codes/link-imports.ts';
import { createQrStore } from '../sql/codes/qrs.ts';
import { createDesignStore } from '../sql/designs/designs.ts';
import { createSavedDesignStore } from '../sql/designs/saved-designs.ts';
import { createFlagStore, createRecheckRunStore } from '../sql/safety/flags.ts';
import { createListSourceStore, createRuleStore } from '../sql/safety/rules.ts';
import { createThreatListStore } from '../sql/safety/threat-lists.ts';
import { createOverviewStore } from '../sql/scans/overview.ts';
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
  deps: { links: Pick<SqliteLinkStore, 'forget'>; scanLog: Pick<SqliteScanLog, 'pending'> },
): Stores {
  const { links, scanLog } = deps;
  const dialect = createSqliteDialect(store, links, scanLog);
  return {
    accounts: createAccountStore(dialect, createTotals(store.$client)),
    keys: createKeyStore(dialect),
    credentials: createCredentialStore(dialect),
    sessions: createSessionStore(dialect),
    signInLinks: createSignInLinkStore(dialect),
    designs: createDesignStore(dialect),
    savedDesigns: createSavedDesignStore(dialect),
    qrs: createQrStore(dialect),
    batches: createBatchStore(dialect),
    bulkEdits: createBulkEditStore(dialect),
    linkImports: createLinkImportStore(dialect),
    overview: createOverviewStore(dialect),
    flags: createFlagStore(dialect),
    runs: createRecheckRunStore(dialect),
    rules: createRuleStore(dialect),
    sources: createListSourceStore(dialect),
    lists: createThreatListStore(dialect),
  };
}

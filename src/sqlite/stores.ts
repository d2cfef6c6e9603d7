import type { Stores } from '../core/storage.ts';
import { createAccountStore } from './accounts/accounts.ts';
import { createKeyStore } from './accounts/api-keys.ts';
import {
  createCredentialStore,
  createSessionStore,
  createSignInLinkStore,
} from './accounts/sign-in.ts';
import { createBatchStore } from './codes/batches.ts';
import { createBulkEditStore } from './codes/bulk-edits.ts';
import { createLinkImportStore } from './codes/link-imports.ts';
import type { SqliteLinkStore } from './codes/link-targets.ts';
import { createQrStore } from './codes/qrs.ts';
import type { Store } from './database/open.ts';
import { createDesignStore } from './designs/designs.ts';
import { createSavedDesignStore } from './designs/saved-designs.ts';
import { createFlagStore, createRecheckRunStore } from './safety/flags.ts';
import { createThreatListStore } from './safety/lists.ts';
import { createListSourceStore, createRuleStore } from './safety/rules.ts';
import type { SqliteScanLog } from './scans/log.ts';
import { createOverviewStore } from './scans/overview.ts';

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
  return {
    accounts: createAccountStore(store),
    keys: createKeyStore(store),
    credentials: createCredentialStore(store),
    sessions: createSessionStore(store),
    signInLinks: createSignInLinkStore(store),
    designs: createDesignStore(store),
    savedDesigns: createSavedDesignStore(store),
    qrs: createQrStore(store, links, scanLog),
    batches: createBatchStore(store),
    bulkEdits: createBulkEditStore(store, links),
    linkImports: createLinkImportStore(store),
    overview: createOverviewStore(store),
    flags: createFlagStore(store, links),
    runs: createRecheckRunStore(store),
    rules: createRuleStore(store),
    sources: createListSourceStore(store),
    lists: createThreatListStore(store),
  };
}

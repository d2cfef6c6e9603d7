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
import { createChangeRedirects } from './codes/redirect-version.ts';
import { createPostgresDialect } from './database/dialect.ts';
import { toStoreError } from './database/errors.ts';
import type { Connection } from './database/open.ts';
import { storeOn } from './database/store.ts';
import { createTotals } from './scans/pending.ts';

/** Creates the stores of a database. While it does not respond, they reject with StoreUnavailable. */
export function createStores(connection: Connection): Stores {
  const store = storeOn(connection.sql);
  const lookUps = storeOn(connection.lookUps);
  const changeRedirects = createChangeRedirects(store);
  const dialect = createPostgresDialect(store, lookUps, changeRedirects);
  return withStoreErrors({
    accounts: createAccountStore(dialect, createTotals(store)),
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
  });
}

/** Wraps the methods of all stores, so that a temporary failure rejects with StoreUnavailable. */
function withStoreErrors(stores: Stores): Stores {
  const wrapped = Object.entries(stores).map(([name, store]) => [
    name,
    Object.fromEntries(Object.entries(store).map(([method, run]) => [method, wrap(run)])),
  ]);
  // Each method keeps its parameters and its result.
  return Object.fromEntries(wrapped) as Stores;
}

function wrap(method: unknown): unknown {
  if (typeof method !== 'function') return method;
  return (...args: unknown[]): unknown => {
    const result: unknown = method(...args);
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => {
      throw toStoreError(error);
    });
  };
}

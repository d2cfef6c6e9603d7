import type { Stores } from '../core/storage.ts';
import { createAccountStore } from './accounts/accounts.ts';
import { createKeyStore } from './accounts/api-keys.ts';
import { createDomainStore } from './accounts/domains.ts';
import { createIdentityStore } from './accounts/identities.ts';
import { createPeopleStore } from './accounts/people.ts';
import { createAccountRemoval } from './accounts/removal.ts';
import { createSecondFactorStore } from './accounts/second-factor.ts';
import {
  createCredentialStore,
  createSessionStore,
  createSignInLinkStore,
} from './accounts/sign-in.ts';
import { createSignInStepStore } from './accounts/sign-in-steps.ts';
import { createActivityStore } from './activity/activity.ts';
import { createBatchStore } from './batches/batches.ts';
import { createBulkEditStore } from './batches/bulk-edits.ts';
import { createColumnChoiceStore } from './batches/column-choices.ts';
import { createLinkImportStore } from './codes/link-imports.ts';
import { createCodeListStore } from './codes/lists.ts';
import { createQrStore } from './codes/qrs.ts';
import { createScheduleStore } from './codes/schedule.ts';
import { createDesignStore } from './designs/designs.ts';
import { createPictureStore } from './designs/pictures.ts';
import { createSavedDesignStore } from './designs/saved-designs.ts';
import type { Dialect } from './dialect.ts';
import { createFlagStore, createRecheckRunStore } from './safety/flags.ts';
import { createListSourceStore, createRuleStore } from './safety/rules.ts';
import { createThreatListStore } from './safety/threat-lists.ts';
import { createOverviewStore } from './scans/overview.ts';

/** Creates the stores of a database. */
export function createSqlStores(dialect: Dialect): Stores {
  const { forgetAll, ...designs } = createDesignStore(dialect);
  const remove = createAccountRemoval(dialect);
  return {
    accounts: {
      ...createAccountStore(dialect),
      // It erases designs, which otherwise never change.
      remove: (...removal) => remove(...removal).finally(forgetAll),
    },
    keys: createKeyStore(dialect),
    credentials: createCredentialStore(dialect),
    sessions: createSessionStore(dialect),
    signInLinks: createSignInLinkStore(dialect),
    signInSteps: createSignInStepStore(dialect),
    identities: createIdentityStore(dialect),
    secondFactors: createSecondFactorStore(dialect),
    people: createPeopleStore(dialect),
    designs,
    pictures: createPictureStore(dialect),
    savedDesigns: createSavedDesignStore(dialect),
    qrs: createQrStore(dialect),
    domains: createDomainStore(dialect),
    codeLists: createCodeListStore(dialect),
    batches: createBatchStore(dialect),
    columnChoices: createColumnChoiceStore(dialect),
    bulkEdits: createBulkEditStore(dialect),
    linkImports: createLinkImportStore(dialect),
    overview: createOverviewStore(dialect),
    schedule: createScheduleStore(dialect),
    activity: createActivityStore(dialect),
    flags: createFlagStore(dialect),
    runs: createRecheckRunStore(dialect),
    rules: createRuleStore(dialect),
    sources: createListSourceStore(dialect),
    lists: createThreatListStore(dialect),
  };
}

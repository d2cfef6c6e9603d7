import type { Config } from '../config.ts';
import { createSignInLinks } from '../core/accounts/sign-in-link.ts';
import { createAccountStore } from '../sqlite/accounts/accounts.ts';
import { createKeyStore } from '../sqlite/accounts/api-keys.ts';
import { createSignInLinkStore } from '../sqlite/accounts/sign-in.ts';
import { openForCommand } from '../sqlite/database/store.ts';
import { createDesignStore } from '../sqlite/designs/designs.ts';
import { realClock, realRandomBytes } from './runtime.ts';
import { composeSafetyStores } from './safety.ts';

/**
 * Opens the stores of a data folder for a command, beside a server or without one.
 *
 * @param create whether to create a missing database
 * @throws DatabaseUnusable when there is none
 */
export function composeCommand(config: Config, create: boolean) {
  const store = openForCommand(config.data, { create });
  // A command has no cache, and a running server notices changes of the database.
  const safetyStores = composeSafetyStores(config, store, { forget: () => {} });
  return {
    accounts: createAccountStore(store),
    /** Issues the token of a one-time link to set an account's password. */
    issueSignInLink: createSignInLinks({
      store: createSignInLinkStore(store),
      clock: realClock,
      randomBytes: realRandomBytes,
    }).issue,
    designs: createDesignStore(store),
    keys: createKeyStore(store),
    ...safetyStores,
    close: () => {
      safetyStores.lists.close();
      store.$client.close();
    },
  };
}

import type { Config } from '../config.ts';
import { createPasswordQueue } from '../core/accounts/password.ts';
import { createSignInLinks } from '../core/accounts/sign-in-link.ts';
import { realClock, realRandomBytes } from './runtime.ts';
import { createStorage } from './storage.ts';

/**
 * Opens the stores for a command, beside a server or without one.
 *
 * @param create whether to create a missing database
 * @throws DatabaseUnusable when there is none
 */
export async function composeCommand(config: Config, create: boolean) {
  const storage = await (await createStorage(config)).openForCommand({ create });
  return {
    ...storage,
    /** Issues the token of a one-time link to set an account's password. */
    issueSignInLink: createSignInLinks({
      store: storage.signInLinks,
      passwords: createPasswordQueue(),
      clock: realClock,
      randomBytes: realRandomBytes,
    }).issue,
  };
}

import type { Config } from '../config.ts';
import { createSignInLinkIssuer } from '../core/accounts/sign-in-link.ts';
import { createRenderer } from '../render/renderer.ts';
import { createAccountStore } from '../sqlite/accounts/accounts.ts';
import { createKeyStore } from '../sqlite/accounts/api-keys.ts';
import { createSignInLinkStore } from '../sqlite/accounts/sign-in-links.ts';
import { openForCommand } from '../sqlite/database/command-store.ts';
import { createDesignStore } from '../sqlite/designs/designs.ts';
import { drawsAsBefore } from './program.ts';
import { realClock, realRandomBytes, type StartRenderWorker } from './server.ts';

/**
 * What the command line works with: the stores of a data folder, beside a server or without one.
 *
 * @param create whether the command may make the database where there is none
 */
export function composeCommand(
  config: Config,
  startRenderWorker: StartRenderWorker,
  create: boolean,
) {
  const store = openForCommand(config.data, { create, mayUpgrade: drawsAsBefore });
  const renderer = createRenderer({ startRenderWorker, workers: 1 });
  return {
    accounts: createAccountStore(store),
    /** The token of a link that lets an account set its password. */
    makeSignInLink: createSignInLinkIssuer({
      store: createSignInLinkStore(store),
      clock: realClock,
      randomBytes: realRandomBytes,
    }),
    designs: createDesignStore(store),
    keys: createKeyStore(store),
    renderer,
    close: async () => {
      await renderer.close();
      store.$client.close();
    },
  };
}

import { realClock, realRandomBytes, type Spawn } from '../compose.ts';
import type { Config } from '../config.ts';
import { makeSignInLinkMaker } from '../core/sign-in-link.ts';
import { makeRenderer } from '../render/renderer.ts';
import { makeAccountStore } from '../sqlite/accounts.ts';
import { openForCommand } from '../sqlite/command-store.ts';
import { makeDesignStore } from '../sqlite/designs.ts';
import { makeFlagStore } from '../sqlite/flags.ts';
import { makeKeyStore } from '../sqlite/keys.ts';
import { makeSignInLinkStore } from '../sqlite/sign-in-links.ts';
import { drawsAsBefore } from './program.ts';

/**
 * What the command line works with: the stores of a data folder, beside a server or without one.
 *
 * @param create whether the command may make the database where there is none
 */
export function composeCommand(config: Config, spawn: Spawn, create: boolean) {
  const store = openForCommand(config.data, { create, mayUpgrade: drawsAsBefore });
  const renderer = makeRenderer({ spawn, workers: 1 });
  return {
    accounts: makeAccountStore(store),
    /** The token of a link that lets an account set its password. */
    makeSignInLink: makeSignInLinkMaker({
      store: makeSignInLinkStore(store),
      clock: realClock,
      randomBytes: realRandomBytes,
    }),
    designs: makeDesignStore(store),
    keys: makeKeyStore(store),
    // A running server hears of changes through the database itself.
    flags: makeFlagStore(store, { forget: () => {} }),
    renderer,
    close: async () => {
      await renderer.close();
      store.$client.close();
    },
  };
}

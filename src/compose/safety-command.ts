import type { Config } from '../config.ts';
import { openForCommand } from '../sqlite/database/store.ts';
import { createFlagStore } from '../sqlite/safety/flags.ts';
import { composeSafetyStores } from './safety.ts';

// A command waits until another process has written.
const busyTimeoutMs = 10_000;

/**
 * Opens the safety stores of a data folder for a command, beside a server or without one.
 *
 * @param create whether to create a missing database
 * @throws DatabaseUnusable when there is none
 */
export function composeSafetyCommand(config: Config, create: boolean) {
  const store = openForCommand(config.data, { create });
  const stores = composeSafetyStores(config, store, busyTimeoutMs);
  return {
    ...stores,
    // A running server sees the changes through the database itself.
    flags: createFlagStore(store, { forget: () => {} }),
    close: () => {
      stores.lists.close();
      store.$client.close();
    },
  };
}

import type { Config } from '../config.ts';
import { openForCommand } from '../sqlite/database/command-store.ts';
import { hasDatabase } from '../sqlite/database/open.ts';
import { openInMemory } from '../sqlite/database/store.ts';
import { createFlagStore } from '../sqlite/safety/flags.ts';
import { composeSafetyStores } from './safety.ts';
import { isRendererKnown } from './upgrade-check.ts';

// A command waits until another process has written.
const busyTimeoutMs = 10_000;

/**
 * Opens the safety stores of a data folder for a command, beside a server or without one.
 *
 * @param whenMissing what to do without a database: fail, create one, or use an empty one in memory
 * @throws DatabaseUnusable
 */
export function composeSafetyCommand(config: Config, whenMissing: 'fail' | 'create' | 'empty') {
  const store =
    whenMissing === 'empty' && !hasDatabase(config.data)
      ? openInMemory()
      : openForCommand(config.data, {
          create: whenMissing === 'create',
          mayUpgrade: isRendererKnown,
        });
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

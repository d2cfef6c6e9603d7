import type { Database } from 'bun:sqlite';
import { type Cache, createCache } from '../../lib/cache.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';

export interface VersionedCache<K, V> extends Cache<K, V> {
  /** Sees a change of another process in the next event-loop tick. */
  get(key: K): V | undefined;
  /** Waits for the end of the tick. Sees every change committed before the call. */
  getLatest(key: K): Promise<V | undefined>;
}

/**
 * Creates a bounded cache of database rows that is cleared when another process changes the database
 * (`PRAGMA data_version`, read once per event-loop tick because it costs as much as a look-up). The
 * owner of the cache deletes what this process changes.
 *
 * @param capacity entries of one generation; see `createCache`
 */
export function createVersionedCache<K, V>(
  database: Database,
  capacity: number,
): VersionedCache<K, V> {
  const cache = createCache<K, V>(capacity);
  const dataVersion = database.query<{ data_version: number }, []>('PRAGMA data_version');
  let seenVersion: number | undefined;
  let isCheckedThisTick = false;
  let endOfTick: Promise<void> | null = null;

  const checkVersion = () => {
    const version = dataVersion.get()?.data_version;
    if (version !== seenVersion) cache.clear();
    seenVersion = version;
  };

  return {
    ...cache,
    get: (key) => {
      if (!isCheckedThisTick) {
        isCheckedThisTick = true;
        setImmediate(() => {
          isCheckedThisTick = false;
        });
        checkVersion();
      }
      return cache.get(key);
    },
    getLatest: async (key) => {
      endOfTick ??= yieldToEventLoop().then(() => {
        endOfTick = null;
        checkVersion();
      });
      await endOfTick;
      return cache.get(key);
    },
  };
}

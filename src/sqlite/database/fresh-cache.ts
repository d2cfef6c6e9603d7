import type { Database } from 'bun:sqlite';
import { type Cache, createCache } from '../../lib/cache.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';

export interface FreshCache<K, V> extends Cache<K, V> {
  /** At once; what another process has changed shows in the next turn of the event loop. */
  get(key: K): V | undefined;
  /** At the end of the turn; whatever was committed before this call shows. */
  getLatest(key: K): Promise<V | undefined>;
}

/**
 * A cache of what was read from the database that lets go of everything once another process (the
 * command line beside the server) has changed the database. Changes made through this connection are
 * for the owner of the cache to announce with `delete` or `clear`.
 *
 * Another process shows in SQLite's `data_version`. Asking for it takes 5 µs, as long as a look-up, so
 * it is asked once for all who want to know in a turn of the event loop. So `get` can miss a change that
 * another process committed earlier in the same turn. Where that would be wrong, as for a revoked key,
 * `getLatest` waits for the end of the turn.
 *
 * @param capacity entries of one generation; see `createCache`
 */
export function createFreshCache<K, V>(database: Database, capacity: number): FreshCache<K, V> {
  const cache = createCache<K, V>(capacity);
  const dataVersion = database.query<{ data_version: number }, []>('PRAGMA data_version');
  let seenVersion: number | undefined;
  let seenThisTurn = false;
  let endOfTurn: Promise<void> | null = null;

  const dropWhatIsStale = () => {
    const version = dataVersion.get()?.data_version;
    if (version !== seenVersion) cache.clear();
    seenVersion = version;
  };

  const askOnceThisTurn = () => {
    if (seenThisTurn) return;
    seenThisTurn = true;
    setImmediate(() => {
      seenThisTurn = false;
    });
    dropWhatIsStale();
  };

  const askAtEndOfTurn = () => {
    endOfTurn ??= yieldToEventLoop().then(() => {
      endOfTurn = null;
      dropWhatIsStale();
    });
    return endOfTurn;
  };

  return {
    ...cache,
    get: (key) => {
      askOnceThisTurn();
      return cache.get(key);
    },
    getLatest: async (key) => {
      await askAtEndOfTurn();
      return cache.get(key);
    },
  };
}

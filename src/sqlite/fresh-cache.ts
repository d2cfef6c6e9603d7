import type { Database } from 'bun:sqlite';
import { type GenerationalCache, makeGenerationalCache } from '../core/generational-cache.ts';

// An event-loop turn of a busy server takes milliseconds, and a connection that is made meanwhile is
// answered in the same turn: no process can end, and another one send a request, in so short a time.
const askAgainMs = 0.5;

/**
 * A cache of what was read from the database that lets go of everything once another process (the
 * command line beside the server) has changed the database. Changes made through this connection are
 * for the owner of the cache to announce with `delete` or `clear`.
 *
 * Another process shows in SQLite's `data_version`. Asking for it takes 5 µs, as long as a look-up,
 * so it is asked once an event-loop turn, and anew in a turn that takes long.
 *
 * @param capacity entries of one generation; see `makeGenerationalCache`
 * @param nowMs milliseconds of a clock that never jumps
 */
export function makeFreshCache<K, V>(
  database: Database,
  capacity: number,
  nowMs: () => number = () => performance.now(),
): GenerationalCache<K, V> {
  const cache = makeGenerationalCache<K, V>(capacity);
  const dataVersion = database.query<{ data_version: number }, []>('PRAGMA data_version');
  let seenVersion: number | undefined;
  let seenAtMs: number | null = null;

  const dropWhatIsStale = () => {
    const now = nowMs();
    if (seenAtMs !== null && now - seenAtMs < askAgainMs) return;
    if (seenAtMs === null)
      setImmediate(() => {
        seenAtMs = null;
      });
    seenAtMs = now;
    const version = dataVersion.get()?.data_version;
    if (version !== seenVersion) cache.clear();
    seenVersion = version;
  };

  return {
    ...cache,
    get: (key) => {
      dropWhatIsStale();
      return cache.get(key);
    },
  };
}

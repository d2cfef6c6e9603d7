import { makeGenerationalCache } from '../core/generational-cache.ts';
import type { LinkStore, LinkTarget } from '../core/ports.ts';
import type { Store } from './open.ts';

export interface SqliteLinkStore extends LinkStore {
  /** Forgets what is known of a code, after this process changed it. */
  forget(code: string): void;
}

// Two generations of this many targets: some 20 MB with destinations of common length.
const cachedTargets = 50_000;

/**
 * The targets of short links, from memory where they were asked for lately. Changes made through
 * this process are announced with `forget`; those of other processes (the command line beside the
 * server) show in SQLite's `data_version`. Asking for it takes 5 µs, half of a redirect, so it is
 * asked once for all requests of an event-loop turn. Written out for the driver, past drizzle,
 * because a phone waits.
 */
export function makeLinkStore(store: Store): SqliteLinkStore {
  const database = store.$client;
  const dataVersion = database.query<{ data_version: number }, []>('PRAGMA data_version');
  const select = database.query<LinkTarget, [string]>(
    'SELECT qrs.id AS qrId, destination, status, flags.list AS flaggedBy FROM qrs ' +
      'LEFT JOIN flags ON flags.qr_id = qrs.id WHERE code = ?',
  );
  const cache = makeGenerationalCache<string, LinkTarget>(cachedTargets);
  let seenVersion: number | undefined;
  let seenThisTurn = false;

  const dropWhatIsStale = () => {
    if (seenThisTurn) return;
    seenThisTurn = true;
    setImmediate(() => {
      seenThisTurn = false;
    });
    const version = dataVersion.get()?.data_version;
    if (version !== seenVersion) cache.clear();
    seenVersion = version;
  };

  return {
    target: async (code) => {
      dropWhatIsStale();
      const known = cache.get(code);
      if (known !== undefined) return known;
      const target = select.get(code);
      if (target !== null) cache.set(code, target);
      return target;
    },
    forget: (code) => cache.delete(code),
  };
}

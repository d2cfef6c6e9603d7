import { formatCodeNumber, parseCodeNumber } from '../../core/codes/code.ts';
import { locationHeader } from '../../core/codes/destination.ts';
import type { LinkTarget, LinkTargetStore } from '../../core/ports.ts';
import { createCache } from '../../lib/cache.ts';
import type { Connection } from '../database/open.ts';

export interface SqliteLinkStore extends LinkTargetStore {
  /** Removes a code from the cache, after this process changed it. */
  forget(code: string): void;
}

type LinkRow = Omit<LinkTarget, 'location'> & { readonly destination: string };

// Some 20 MB with destinations of common length.
const cachedTargets = 50_000;

/**
 * Creates the look-up of redirect targets, without drizzle, for speed. Its cache is cleared when another
 * process changes the database: `PRAGMA data_version` is read once per event-loop tick, because that
 * costs as much as a look-up.
 */
export function createLinkStore({ $client }: Connection): SqliteLinkStore {
  // With a join in place of the inner SELECT, SQLite would prepare it again at each run.
  const select = $client.query<LinkRow, [string]>(
    'SELECT id AS qrId, destination, status, ' +
      '(SELECT list FROM flags WHERE qr_id = qrs.id) AS flaggedBy FROM qrs WHERE code = ?',
  );
  const dataVersion = $client.query<{ data_version: number }, []>('PRAGMA data_version');
  const cache = createCache<number, LinkTarget>(cachedTargets);
  let seenVersion: number | undefined;
  let isCheckedThisTick = false;

  const clearIfChanged = () => {
    if (isCheckedThisTick) return;
    isCheckedThisTick = true;
    setImmediate(() => {
      isCheckedThisTick = false;
    });
    const version = dataVersion.get()?.data_version;
    if (version !== seenVersion) cache.clear();
    seenVersion = version;
  };

  return {
    find: (code) => {
      clearIfChanged();
      const cached = cache.get(code);
      if (cached !== undefined) return cached;
      const row = select.get(formatCodeNumber(code));
      if (row === null) return null;
      const target = toTarget(row);
      cache.set(code, target);
      return target;
    },
    forget: (code) => {
      const number = parseCodeNumber(code, 0, code.length);
      if (number !== null) cache.delete(number);
    },
  };
}

// The driver creates a new string per row; one shared string per status saves memory in the cache.
const statuses = { active: 'active', paused: 'paused', blocked: 'blocked' } as const;

function toTarget({ qrId, destination, status, flaggedBy }: LinkRow): LinkTarget {
  return { qrId, location: locationHeader(destination), status: statuses[status], flaggedBy };
}

import { formatCodeNumber, parseCodeNumber } from '../../core/codes/code.ts';
import { locationHeader } from '../../core/codes/destination.ts';
import type { FollowedLink, LinkStore, LinkTarget } from '../../core/ports.ts';
import { createCache } from '../../lib/cache.ts';
import type { Connection } from '../database/open.ts';
import type { SqliteScanLog } from '../scans/log.ts';

export interface SqliteLinkStore extends LinkStore {
  /** Removes a code from the cache. To be called after this process changed it. */
  forget(code: string): void;
}

type LinkRow = Omit<LinkTarget, 'location'> & { readonly destination: string };

// About 20 MB with destinations of common length.
const cachedTargets = 50_000;

const unknown: FollowedLink = { settled: null, target: null };

/**
 * Creates the cached look-up of redirect targets. Each hit is appended to the scan log. The cache is cleared when another process changes the
 * database. `PRAGMA data_version` shows that; it is read once per event-loop tick only, because it
 * takes as long as a look-up.
 */
export function createLinkStore(
  { $client }: Connection,
  scanLog: Pick<SqliteScanLog, 'record'>,
): SqliteLinkStore {
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

  const find = (code: number): LinkTarget | null => {
    clearIfChanged();
    const cached = cache.get(code);
    if (cached !== undefined) return cached;
    const row = select.get(formatCodeNumber(code));
    if (row === null) return null;
    const { destination, ...link } = row;
    const target = { ...link, location: locationHeader(destination) };
    cache.set(code, target);
    return target;
  };

  return {
    follow: (code, kind, atMs) => {
      const target = find(code);
      if (target === null) return unknown;
      const isCounted = target.status === 'active';
      return { settled: isCounted ? scanLog.record(target.qrId, kind, atMs) : null, target };
    },
    forget: (code) => {
      const number = parseCodeNumber(code, 0, code.length);
      if (number !== null) cache.delete(number);
    },
  };
}

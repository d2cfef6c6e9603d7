import { formatCodeNumber, parseCodeNumber } from '../../core/codes/code.ts';
import { locationHeader } from '../../core/codes/destination.ts';
import type { LinkTarget, LinkTargetStore } from '../../core/ports.ts';
import { createFreshCache } from '../database/fresh-cache.ts';
import type { Connection } from '../database/open.ts';

export interface SqliteLinkStore extends LinkTargetStore {
  /** Forgets what is known of a code, after this process changed it. */
  forget(code: string): void;
}

type LinkRow = Omit<LinkTarget, 'location'> & { readonly destination: string };

// Two generations of this many targets: some 20 MB with destinations of common length.
const cachedTargets = 50_000;

/**
 * The targets of short links, from memory where they were asked for lately. Changes made through
 * this process are announced with `forget`. Written out for the driver, past drizzle, because a phone
 * waits.
 */
export function createLinkStore({ $client }: Connection): SqliteLinkStore {
  // With a join in place of the inner SELECT, SQLite would prepare it anew each time: 10 µs instead of 6.
  const select = $client.query<LinkRow, [string]>(
    'SELECT id AS qrId, destination, status, ' +
      '(SELECT list FROM flags WHERE qr_id = qrs.id) AS flaggedBy FROM qrs WHERE code = ?',
  );
  const cache = createFreshCache<number, LinkTarget>($client, cachedTargets);

  return {
    find: (code) => {
      const known = cache.get(code);
      if (known !== undefined) return known;
      const row = select.get(formatCodeNumber(code));
      if (row === null) return null;
      const target = targetOf(row);
      cache.set(code, target);
      return target;
    },
    forget: (code) => {
      const number = parseCodeNumber(code, 0, code.length);
      if (number !== null) cache.delete(number);
    },
  };
}

// The driver makes a string a row. One for all codes is at hand when it is compared.
const statuses = { active: 'active', paused: 'paused', blocked: 'blocked' } as const;

/** As little memory as possible: fetching it is what a look-up takes its time for. */
function targetOf({ qrId, destination, status, flaggedBy }: LinkRow): LinkTarget {
  return { qrId, location: locationHeader(destination), status: statuses[status], flaggedBy };
}

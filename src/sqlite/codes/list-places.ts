import type { Database } from 'bun:sqlite';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { createFreshCache } from '../database/fresh-cache.ts';

/** Where a code stands in the list of its account. */
export interface Place {
  readonly createdAtMs: number;
  readonly code: string;
}

/** The part of an account's list that begins at a place: ?1 the account, ?2 and ?3 the place. */
export const afterPlace =
  'account_id = ?1 AND created_at <= ?2 AND (created_at < ?2 OR code >= ?3)';
export const newestFirst = 'ORDER BY created_at DESC, code';

const head: Place = { createdAtMs: Number.MAX_SAFE_INTEGER, code: '' };

// Walking from one remembered place to the next takes 16 µs, and a million codes have a thousand.
const apart = 1000;
// The thread answers redirects after so many.
const stepsInARow = 10;

// Two generations of this many accounts.
const rememberedLists = 10_000;

/** What is remembered of one list. */
interface Remembered {
  /** By their number divided by `apart`. */
  readonly places: Map<number, Place>;
  /** Of all these places. */
  newestMs: number;
}

/**
 * Places in the lists of accounts, so that a page far down takes as long as the first. SQLite finds an
 * offset by walking there from the head, 13 ns a code; this walks once and remembers every thousandth.
 *
 * Places are numbered from the oldest code, because that is where none is added: the number of a place
 * stays while codes come in front of it. One that comes behind it (a clock that was set back, creates
 * that overtook each other) has the places of its list forgotten.
 */
export function createListPlaces(database: Database) {
  const walk = database.query<Place, [number, number, string, number]>(
    `SELECT created_at AS createdAtMs, code FROM qrs WHERE ${afterPlace} ${newestFirst} LIMIT 1 OFFSET ?4`,
  );
  const lists = createFreshCache<number, Remembered>(database, rememberedLists);

  const rememberedOf = (accountId: number): Remembered => {
    const known = lists.get(accountId) ?? { places: new Map(), newestMs: 0 };
    lists.set(accountId, known);
    return known;
  };

  return {
    /**
     * A place at or before an offset, and how many codes to skip from there: fewer than `apart`, unless
     * the list is shorter than its counter says.
     *
     * @param total how many codes the list has at this moment
     */
    before: async (
      accountId: number,
      total: number,
      offset: number,
    ): Promise<{ place: Place; skip: number }> => {
      const last = Math.floor((total - 1) / apart);
      const wanted = Math.ceil((total - 1 - offset) / apart);
      if (offset < apart || wanted > last) return { place: head, skip: offset };
      const remembered = rememberedOf(accountId);
      let nearest = wanted;
      while (nearest <= last && !remembered.places.has(nearest)) nearest++;
      let place = remembered.places.get(nearest) ?? head;
      let number = nearest > last ? total - 1 : nearest * apart;
      for (let steps = 1; nearest > wanted; steps++) {
        nearest--;
        const next = walk.get(accountId, place.createdAtMs, place.code, number - nearest * apart);
        if (next === null) return { place: head, skip: offset };
        [place, number] = [next, nearest * apart];
        remembered.places.set(nearest, place);
        remembered.newestMs = Math.max(remembered.newestMs, place.createdAtMs);
        if (steps % stepsInARow === 0) await yieldToEventLoop();
      }
      return { place, skip: number - (total - 1 - offset) };
    },

    /** Told of every code that was added to a list, before anyone asks for that list again. */
    added: (accountId: number, createdAtMs: number): void => {
      const newestMs = lists.get(accountId)?.newestMs ?? 0;
      if (createdAtMs <= newestMs) lists.delete(accountId);
    },
  };
}

import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import type { Acting, Clock } from '../../ports.ts';
import type { ActivityEntry, ActivityFilter, ActivityPage, ActivityStore } from './ports.ts';

const entriesPerRead = 250;
/** A search reads so many entries at most: some tenths of a second. */
const maxSearchedEntries = 5000;

export type AccountActivity = ReturnType<typeof createAccountActivity>;

/** Reads who did what in accounts, and records what changes nothing in the database. */
export function createAccountActivity(deps: { store: ActivityStore; clock: Pick<Clock, 'nowMs'> }) {
  const { store, clock } = deps;
  return {
    page: store.page,
    actors: store.actors,

    /**
     * Searches entries, newest first, and reads 5,000 of them at most.
     *
     * @param before as in `ActivityStore.page`
     * @returns `next`: where the search goes on; null at its end. `searchedMs`: how far back it went, if that is not its end
     */
    search: async (
      accountId: number,
      filter: ActivityFilter,
      before: number | null,
      limit: number,
      matches: (entry: ActivityEntry) => boolean,
    ): Promise<ActivityPage & { readonly searchedMs: number | null }> => {
      const found: ActivityEntry[] = [];
      let from = before;
      for (let read = 0; read < maxSearchedEntries; read += entriesPerRead) {
        const page = await store.page(accountId, filter, from, entriesPerRead);
        for (const entry of page.entries) {
          if (!matches(entry)) continue;
          found.push(entry);
          if (found.length === limit) return { entries: found, next: entry.id, searchedMs: null };
        }
        from = page.next;
        if (from === null) return { entries: found, next: null, searchedMs: null };
        const last = page.entries.at(-1);
        if (last !== undefined && read + entriesPerRead >= maxSearchedEntries)
          return { entries: found, next: from, searchedMs: last.atMs };
        await yieldToEventLoop();
      }
      return { entries: found, next: from, searchedMs: null };
    },

    /** Reads the entries since a time, newest first, up to a number. */
    since: async function* (
      accountId: number,
      filter: ActivityFilter,
      sinceMs: number,
      limit: number,
    ): AsyncGenerator<ActivityEntry> {
      let left = limit;
      for (let before: number | null = null; left > 0; ) {
        const size = Math.min(left, entriesPerRead);
        const page = await store.page(accountId, filter, before, size);
        const entries = page.entries.filter(({ atMs }) => atMs >= sinceMs);
        yield* entries;
        before = page.next;
        if (before === null || entries.length < page.entries.length) return;
        left -= size;
        await yieldToEventLoop();
      }
    },

    /** Records a sheet of codes. */
    recordPrint: (acting: Acting, codes: number): Promise<void> =>
      store.add(acting, { kind: 'codes-printed', count: codes }, clock.nowMs()),
  };
}

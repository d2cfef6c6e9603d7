import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import type { Acting, Clock } from '../../ports.ts';
import type { ActivityEntry, ActivityFilter, ActivityStore } from './ports.ts';

const entriesPerRead = 250;

export type AccountActivity = ReturnType<typeof createAccountActivity>;

/** Reads who did what in accounts, and records what changes nothing in the database. */
export function createAccountActivity(deps: { store: ActivityStore; clock: Pick<Clock, 'nowMs'> }) {
  const { store, clock } = deps;
  return {
    page: store.page,
    actors: store.actors,

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

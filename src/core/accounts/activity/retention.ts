import type { Clock } from '../../ports.ts';
import { activityDays, maxActivityEntries } from './activity.ts';
import type { ActivityStore } from './ports.ts';

const dayMs = 86_400_000;
const accountsPerStep = 100;

/**
 * Creates the task that deletes old entries.
 * Of an account that has too many, it deletes the oldest.
 *
 * @param deps.pause waits between two parts; resolves false to end early
 */
export function createActivityRetention(deps: {
  store: Pick<ActivityStore, 'removeBefore' | 'largeAccounts' | 'count' | 'removeOldest'>;
  clock: Pick<Clock, 'nowMs'>;
  pause: () => Promise<boolean>;
  maxEntries?: number;
}): () => Promise<void> {
  const { store, clock, pause, maxEntries = maxActivityEntries } = deps;
  return async () => {
    const beforeMs = clock.nowMs() - activityDays * dayMs;
    let afterId: number | null = 0;
    while (afterId !== null && (await pause()))
      afterId = await store.removeBefore(beforeMs, afterId);
    let lastId = 0;
    while (await pause()) {
      const accounts = await store.largeAccounts(maxEntries, lastId, accountsPerStep);
      for (const accountId of accounts) {
        const surplus = (await store.count(accountId)) - maxEntries;
        if (surplus > 0) await store.removeOldest(accountId, surplus);
        if (!(await pause())) return;
      }
      const last = accounts.at(-1);
      if (last === undefined) return;
      lastId = last;
    }
  };
}

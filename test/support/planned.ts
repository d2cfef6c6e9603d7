import type { Stores } from '../../src/core/storage.ts';

/** Sets when planned changes are made next, by their ids. Those that are not named keep their time. */
export const setTimes = (
  { schedule }: Pick<Stores, 'schedule'>,
  times: Readonly<Record<number, number>>,
) =>
  schedule.reschedule(
    { accountId: null, nowMs: 0, afterId: 0, limit: 100_000 },
    ({ id }) => times[id] ?? null,
  );

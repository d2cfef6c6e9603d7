import { createCache } from '../../lib/cache.ts';
import { pause } from '../../lib/event-loop.ts';
import type { Clock } from '../ports.ts';

/** What is computed of one kind. */
interface ResultKind<T> {
  /** Begins the keys of this kind. */
  readonly name: string;
  /** The weight of a result in memory, and that of all. */
  readonly weightOf: (result: T) => number;
  readonly maxWeight: number;
}

/** Results of one kind. */
export interface BackgroundResults<T> {
  /**
   * Returns a result, which is computed if there is none, or if it is old.
   * With many codes it may be some minutes old, or null when the first is still being computed.
   *
   * @param key what the result is of
   * @param compute calls `onCodes` with the number of codes that were read so far
   */
  of(
    accountId: number,
    key: string,
    compute: (onCodes: (codes: number) => void) => Promise<T>,
  ): Promise<T | null>;
}

export type BackgroundRuns = ReturnType<typeof createBackgroundRuns>;

// A page waits for the result of an account with fewer codes. With more, it shows an earlier one meanwhile.
const awaitedCodes = 2000;
// For the results of other accounts, which come first.
const patienceMs = 5000;
// Pages with other days or folders wait for a run before.
const maxRunsOfAccount = 4;
// Computing takes at most a twentieth of the time.
const maxShare = 20;

/**
 * Computes results from the counters of all codes of an account, and keeps them for a while.
 * One at a time, of all kinds, so that other requests are not delayed.
 */
export function createBackgroundRuns(clock: Pick<Clock, 'monotonicMs'>) {
  /** Are ready at the end, or when there turn out to be many codes. */
  const runs = new Map<string, { readonly accountId: number; readonly ready: Promise<void> }>();
  let last: Promise<unknown> = Promise.resolve();

  return {
    resultsOf: <T>({ name, weightOf, maxWeight }: ResultKind<T>): BackgroundResults<T> => {
      const results = createCache<string, { readonly result: T; readonly validUntilMs: number }>(
        maxWeight,
        ({ result }) => weightOf(result),
      );
      return {
        of: async (accountId, keyOfKind, compute) => {
          const key = `${name} ${keyOfKind}`;
          const known = results.get(key);
          if (known !== undefined && clock.monotonicMs() < known.validUntilMs) return known.result;
          let run = runs.get(key);
          if (run === undefined) {
            const waiting = runs.values().filter((one) => one.accountId === accountId);
            if (waiting.toArray().length >= maxRunsOfAccount) return known?.result ?? null;
            const { promise: isLarge, resolve } = Promise.withResolvers<void>();
            const end = last
              .then(async () => {
                const startMs = clock.monotonicMs();
                const result = await compute((codes) => {
                  if (codes > awaitedCodes) resolve();
                });
                const nowMs = clock.monotonicMs();
                const validUntilMs = nowMs + (nowMs - startMs) * maxShare;
                results.set(key, { result, validUntilMs });
              })
              .finally(() => runs.delete(key));
            last = end.catch(() => {});
            run = { accountId, ready: Promise.race([end, isLarge]) };
            runs.set(key, run);
          }
          await Promise.race([run.ready, pause(patienceMs)]);
          return results.get(key)?.result ?? null;
        },
      };
    },
  };
}

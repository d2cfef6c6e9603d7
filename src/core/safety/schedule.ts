import type { Reputation } from '../codes/ports.ts';
import type { Clock } from '../ports.ts';
import type { FlagStore, RecheckKind, RecheckRunStore } from './ports.ts';
import { createRecheck, type RecheckReport } from './recheck.ts';

/** The reputation checks to use. */
export interface RecheckSource {
  readonly withProvider: Reputation;
  readonly listsOnly: Reputation;
  /** Returns false while the provider's circuit breaker is open. */
  canAsk(): boolean;
}

const dayMs = 24 * 3_600_000;
// A slice is one or two milliseconds of work.
const sliceSize = 100;

/**
 * Creates the schedule of re-checks. Its two functions are called every few seconds; they may run at
 * the same time, because a daily run with a provider may take hours.
 *
 * @param deps.pauses between two slices; each resolves false to end a run early
 */
export function createRecheckSchedule(deps: {
  store: FlagStore;
  runs: RecheckRunStore;
  check: RecheckSource;
  /** Returns a text that differs after every change of what destinations are checked against. */
  listVersion: () => Promise<string>;
  clock: Clock;
  pauses: Readonly<Record<RecheckKind, () => Promise<boolean>>>;
  /** See `createRecheck`. */
  onFailure?: (checked: string, error: unknown) => void;
}) {
  const { store, runs, check, listVersion, clock, pauses, onFailure = () => {} } = deps;
  const rechecks = {
    lists: createRecheck({ store, reputation: check.listsOnly, clock, onFailure }),
    provider: createRecheck({ store, reputation: check.withProvider, clock, onFailure }),
  };

  const recheckAll = async (kind: RecheckKind): Promise<RecheckReport> => {
    const run = { listVersion: await listVersion(), startedMs: clock.nowMs() };
    const { isComplete, ...report } = await rechecks[kind].all(sliceSize, pauses[kind]);
    if (isComplete) await runs.record(kind, run);
    return report;
  };

  return {
    /** Re-checks all codes if rules or lists have changed since the last run, and else queued codes. */
    recheckChanges: async (): Promise<RecheckReport> => {
      const last = await runs.last('lists');
      const isChanged = last?.listVersion !== (await listVersion());
      return isChanged ? recheckAll('lists') : rechecks.provider.queued(sliceSize, check.canAsk);
    },

    /** Re-checks all codes with the provider if the last such run began a day ago. */
    recheckDaily: async (): Promise<RecheckReport | null> => {
      const last = await runs.last('provider');
      // A clock that was set back must not delay the run.
      const isDue = last === null || Math.abs(clock.nowMs() - last.startedMs) >= dayMs;
      return isDue ? recheckAll('provider') : null;
    },
  };
}

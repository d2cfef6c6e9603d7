import type { Clock } from '../core/ports.ts';
import { createSafetyAdmin, type SafetyAdmin } from '../core/safety/admin.ts';
import type { FlagStore } from '../core/safety/recheck.ts';
import type { RecheckRunStore } from '../core/safety/schedule.ts';
import { InvalidListRequest } from '../core/safety/threat-lists.ts';
import type { SafetyCheck } from '../reputation/reputation.ts';
import { addRule } from '../reputation/rules.ts';
import type { Store } from '../sqlite/database/open.ts';
import { createCodeWatch } from '../sqlite/safety/code-watch.ts';
import { listVersionOf, type SafetyStores, safetyWarnings } from './safety.ts';

/** Joins the check and the stores into what operators see and decide in the panel. */
export function composeSafetyAdmin(deps: {
  store: Store;
  stores: SafetyStores;
  flagStore: FlagStore;
  runs: RecheckRunStore;
  safety: SafetyCheck;
  clock: Clock;
  shortBases: readonly string[];
}): SafetyAdmin {
  const { store, stores, flagStore, runs, safety, clock, shortBases } = deps;
  const { rules, lists } = stores;
  return createSafetyAdmin({
    codes: createCodeWatch(store),
    check: {
      status: async () => {
        const revision = await listVersionOf(safety);
        const { listsProblem, provider } = safety.status();
        return {
          lists: listsProblem === null ? await lists.all() : [],
          provider: provider?.name ?? null,
          isRecheckDue: (await runs.last('lists'))?.listVersion !== revision,
          warnings: safetyWarnings(safety),
        };
      },
      rules: rules.all,
      addRule: async (decision, text, note) => {
        try {
          await addRule(rules, decision, text, { nowMs: clock.nowMs(), note });
          return null;
        } catch (error) {
          if (error instanceof InvalidListRequest) return error.message;
          throw error;
        }
      },
      removeRule: rules.remove,
      explain: safety.explain,
    },
    store: flagStore,
    shortBases,
  });
}

import type { Config } from '../config.ts';
import type { Clock } from '../core/ports.ts';
import { createSafetyAdmin, type ReputationAdmin, type SafetyAdmin } from '../core/safety/admin.ts';
import type { FlagStore } from '../core/safety/recheck.ts';
import type { RecheckRunStore } from '../core/safety/schedule.ts';
import { InvalidListRequest } from '../reputation/errors.ts';
import type { SafetyCheck } from '../reputation/reputation.ts';
import { allow, block, listRules, remove } from '../reputation/rules.ts';
import type { Store } from '../sqlite/database/open.ts';
import { createCodeWatch } from '../sqlite/safety/code-watch.ts';
import { generationOf, safetyFolder, safetyWarnings } from './safety.ts';

/** Joins what operators see and decide about destinations out of the check and the stores. */
export function composeSafetyAdmin(
  config: Config,
  deps: {
    store: Store;
    flagStore: FlagStore;
    looks: RecheckRunStore;
    safety: SafetyCheck;
    clock: Clock;
    shortBases: readonly string[];
  },
): SafetyAdmin {
  const { store, flagStore, looks, safety, clock, shortBases } = deps;
  return createSafetyAdmin({
    codes: createCodeWatch(store),
    check: createCheckAdmin(config, { looks, safety, clock, shortBases }),
    store: flagStore,
    shortBases,
  });
}

/** The same rules and lists that `waymark safety` works on. */
function createCheckAdmin(
  config: Config,
  deps: {
    looks: RecheckRunStore;
    safety: SafetyCheck;
    clock: Clock;
    shortBases: readonly string[];
  },
): ReputationAdmin {
  const { looks, safety, clock, shortBases } = deps;
  const folder = safetyFolder(config);
  const decide = { allow, block };
  return {
    status: async () => {
      await safety.refresh();
      const { local, provider } = safety.status();
      return {
        lists: local.lists,
        provider: provider?.name ?? null,
        isRecheckDue: (await looks.last('lists'))?.listVersion !== generationOf(safety),
        warnings: safetyWarnings(safety),
      };
    },
    rules: async () => (await listRules(folder)).rules,
    addRule: (decision, text, note) =>
      refusal(() =>
        decide[decision](folder, text, { nowMs: clock.nowMs(), note, ownBases: shortBases }),
      ),
    removeRule: async (expression) => {
      // What cannot be a rule is none.
      await refusal(() => remove(folder, expression));
    },
    explain: safety.explain,
  };
}

/** Why something cannot be done, or null when it is done. */
async function refusal(act: () => Promise<unknown>): Promise<string | null> {
  try {
    await act();
    return null;
  } catch (error) {
    if (error instanceof InvalidListRequest) return error.message;
    throw error;
  }
}

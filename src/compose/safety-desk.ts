import type { Config } from '../config.ts';
import type { Clock } from '../core/ports.ts';
import type { FlagStore } from '../core/recheck.ts';
import { type CheckDesk, makeSafetyDesk, type SafetyDesk } from '../core/safety-desk.ts';
import { allow, block, listEntries, remove } from '../safety/operator-entries.ts';
import { SafetyRefused } from '../safety/refused.ts';
import type { SafetyCheck } from '../safety/reputation.ts';
import { makeCodeWatch } from '../sqlite/code-watch.ts';
import type { Store } from '../sqlite/open.ts';
import { safetyFolder, safetyWarnings } from './safety.ts';

/** Joins what operators see and decide about destinations out of the check and the stores. */
export function composeSafetyDesk(
  config: Config,
  world: {
    store: Store;
    flagStore: FlagStore;
    safety: SafetyCheck;
    clock: Clock;
    shortBases: readonly string[];
  },
): SafetyDesk {
  const { store, flagStore, safety, clock, shortBases } = world;
  return makeSafetyDesk({
    codes: makeCodeWatch(store),
    check: makeCheckDesk(config, safety, clock),
    store: flagStore,
    shortBases,
  });
}

/** The same entries and lists that `waymark safety` works on. */
function makeCheckDesk(config: Config, safety: SafetyCheck, clock: Clock): CheckDesk {
  const folder = safetyFolder(config);
  const decide = { allow, block };
  return {
    state: async () => {
      await safety.refresh();
      const { local, provider } = safety.status();
      return {
        lists: local.lists,
        provider: provider?.name ?? null,
        warnings: safetyWarnings(safety),
      };
    },
    rulings: async () => (await listEntries(folder)).entries,
    rule: (decision, text, note) =>
      refusal(() => decide[decision](folder, text, { nowMs: clock.nowMs(), note })),
    withdraw: async (expression) => {
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
    if (error instanceof SafetyRefused) return error.message;
    throw error;
  }
}

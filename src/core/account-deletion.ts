import { yieldToEventLoop } from '../lib/event-loop.ts';
import type { Account } from './accounts/account.ts';
import type { AccountStore, CodesOfDeleted, RemovalResult } from './accounts/ports.ts';
import { searchBatches } from './codes/lists/search.ts';
import type { QrStore } from './codes/ports.ts';
import { Refused } from './errors.ts';
import type { Actor, Clock } from './ports.ts';
import { startOfHour } from './scans/hit-counts.ts';
import { counterBatches } from './scans/overview.ts';
import type { OverviewStore } from './scans/ports.ts';

const countedMs = 30 * 86_400_000;
const minPauseMs = 10;

/** What the codes of an account are used for: what is lost if they stop. */
export interface CodeUse {
  readonly codes: number;
  /** Scans in the last 30 days. */
  readonly recentScans: number;
  readonly lastScanMs: number | null;
}

export type AccountDeletion = ReturnType<typeof createAccountDeletion>;

/** Deletes accounts, and tells before what that costs. */
export function createAccountDeletion(deps: {
  accounts: Pick<AccountStore, 'remove'>;
  qrs: Pick<QrStore, 'searchBatch'>;
  overview: OverviewStore;
  clock: Clock;
  sleep: (ms: number) => Promise<void>;
}) {
  const { accounts, qrs, overview, clock, sleep } = deps;

  /** Removes an account in parts. Others write in the pauses, which are as long as the parts. */
  const remove = async (
    accountId: number,
    codes: CodesOfDeleted,
    by: Actor,
  ): Promise<RemovalResult> => {
    for (;;) {
      const startMs = clock.monotonicMs();
      const result = await accounts.remove(accountId, codes, clock.nowMs(), by);
      if (result !== 'more') return result;
      await sleep(Math.max(minPauseMs, clock.monotonicMs() - startMs));
    }
  };

  return {
    /** Counts the codes of an account and their scans. */
    useOf: async (accountId: number): Promise<CodeUse> => {
      const sinceMs = startOfHour(clock.nowMs() - countedMs);
      const use = { codes: 0, recentScans: 0, lastScanMs: 0 };
      const window = { sinceMs, untilMs: Number.MAX_SAFE_INTEGER, lateMs: sinceMs };
      for await (const { hours, codes } of counterBatches(
        { store: overview, clock },
        { accountId },
        window,
      )) {
        for (const { scans } of hours) use.recentScans += scans;
        // The hours lack scans that are not aggregated yet, which the codes have.
        for (const { scans } of codes) use.recentScans -= scans;
      }
      for (const isArchived of [false, true])
        for await (const found of searchBatches(qrs, accountId, '', { filter: { isArchived } })) {
          for (const { scans, lastScanMs } of found) {
            use.recentScans += scans;
            use.lastScanMs = Math.max(use.lastScanMs, lastScanMs ?? 0);
          }
          use.codes += found.length;
          await yieldToEventLoop();
        }
      return { ...use, lastScanMs: use.lastScanMs || null };
    },

    /**
     * Deletes an account.
     * If the process ends meanwhile, the account is there with the rest of its codes, and can be deleted again.
     *
     * @throws Refused when it is the only operator, or the account to give its codes to does not exist
     */
    delete: async ({ id, email }: Account, codes: CodesOfDeleted, by: Actor): Promise<void> => {
      const result = await remove(id, codes, by);
      if (result === 'last operator') throw new Refused({ kind: 'only operator', email });
      if (result === 'no recipient') throw new Refused({ kind: 'no recipient of the codes' });
      if (result === 'missing') throw new Refused({ kind: 'account gone', email });
    },
  };
}

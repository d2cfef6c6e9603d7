import type { Qr } from '../../codes/qr.ts';
import type { CheckedDestination } from '../../codes/urls/destination-check.ts';
import { ApiError, Refused } from '../../errors.ts';
import type { Clock } from '../../ports.ts';
import { type Account, requireActivePlan } from '../account.ts';
import type { AccountStore } from '../ports.ts';
import { timeZoneOf } from '../time-zone.ts';
import type { PlannedAction, PlannedChange } from './planned-change.ts';
import type { PlannedChangeStore } from './ports.ts';
import { instantOf, nextOccurrence, type Period, parseWallTime } from './wall-time.ts';

/** Changes that a code may have: one for each day of the week, twice, and some more. */
export const maxPerCode = 20;
/** How far ahead a change may be planned. */
export const maxYearsAhead = 5;
const maxAheadMs = maxYearsAhead * 366 * 86_400_000;

const changesPerSlice = 250;

/** A change to plan. */
export interface PlanRequest {
  /** Wall time in the zone of the account, `2026-12-24T18:00`. */
  readonly at: string;
  readonly every: Period | null;
  readonly action: PlannedAction;
  /**
   * Checks the destination as an edit does, for the action `destination`.
   *
   * @throws ApiError invalid_url or unsafe_url
   */
  readonly checkDestination?: () => Promise<CheckedDestination>;
}

export type PlannedChanges = ReturnType<typeof createPlannedChanges>;

/** Manages the planned changes of codes, for the panel and commands. */
export function createPlannedChanges(deps: {
  store: PlannedChangeStore;
  accounts: Pick<AccountStore, 'changeTimeZone'>;
  clock: Pick<Clock, 'nowMs'>;
}) {
  const { store, accounts, clock } = deps;
  return {
    /**
     * Plans a change of a code of the account.
     *
     * @param plannedById the account that plans it; null for a command
     * @throws Refused; ApiError plan_required, invalid_url or unsafe_url, as a change of now
     */
    add: async (
      account: Account,
      qr: Pick<Qr, 'id' | 'status'>,
      { at, every, action, checkDestination }: PlanRequest,
      plannedById: number | null,
    ): Promise<PlannedChange> => {
      if (qr.status === 'stopped') throw new Refused({ kind: 'stopped code planned' });
      const nowMs = clock.nowMs();
      const firstLocal = parseWallTime(at);
      const nextMs = instantOf(firstLocal, timeZoneOf(account));
      if (nextMs <= nowMs)
        throw new Refused({ kind: 'planned time over', zone: timeZoneOf(account) });
      if (nextMs > nowMs + maxAheadMs)
        throw new Refused({ kind: 'planned too far', years: maxYearsAhead });
      if (action === 'destination') requireActivePlan(account, nowMs);
      const destination = (await checkDestination?.())?.destination ?? null;
      if ((destination !== null) !== (action === 'destination'))
        throw new Error(`a planned change "${action}" with destination ${destination}`);
      const outcome = await store.add(
        {
          qrId: qr.id,
          accountId: account.id,
          action,
          destination,
          firstLocal,
          every,
          nextMs,
          plannedById,
          createdAtMs: nowMs,
        },
        maxPerCode,
      );
      if (outcome === 'missing') throw new ApiError('not_found', { kind: 'no such code' });
      if (outcome === 'too many')
        throw new Refused({ kind: 'too many planned changes', max: maxPerCode });
      if (outcome === 'same time') throw new Refused({ kind: 'same planned time' });
      return outcome;
    },
    list: store.list,
    upcoming: store.upcoming,
    problems: store.problems,
    /** @throws Refused when the code has no such change */
    cancel: async (accountId: number, qrId: number, id: number): Promise<void> => {
      if (!(await store.remove(accountId, qrId, id)))
        throw new Refused({ kind: 'no such planned change' });
    },

    /**
     * Changes the time zone of an account. Its planned changes keep their wall time, and so move to another instant.
     *
     * @returns the number of planned changes
     */
    changeTimeZone: async (accountId: number, zone: string): Promise<number> => {
      await accounts.changeTimeZone(accountId, zone);
      const nowMs = clock.nowMs();
      let moved = 0;
      for (let last = 0; ; ) {
        const slice = await store.slice(accountId, last, changesPerSlice);
        const end = slice.at(-1);
        if (end === undefined) return moved;
        const times = slice.map((change) => ({
          id: change.id,
          nextMs: nextOccurrence(change, zone, nowMs) ?? instantOf(change.firstLocal, zone),
        }));
        await store.reschedule(times);
        moved += slice.length;
        last = end.id;
      }
    },
  };
}

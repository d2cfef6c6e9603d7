import type { Account } from '../../accounts/account.ts';
import type { Acting } from '../../ports.ts';
import type { Qr } from '../qr.ts';
import type { ScheduledChange, ScheduledChangeOfCode, ScheduleProblem } from './change.ts';

/** The interfaces that adapters implement for scheduled changes, see `core/ports.ts`. */

/** A change to plan for codes. */
export type NewScheduledChange = Pick<
  ScheduledChange,
  'action' | 'destination' | 'firstLocal' | 'every'
> & {
  readonly nextMs: number;
  /** Whether it leads back to where the code leads while it is planned. Then `destination` is null. */
  readonly leadsBack?: boolean;
  /** The account that plans it; null for a command. */
  readonly scheduledById: number | null;
  readonly createdAtMs: number;
};

/**
 * Why nothing is planned for a code.
 * `missing`: it is not the account's; `gone`: what was to be replaced is over.
 */
export type ScheduleConflict = 'missing' | 'gone' | 'too many' | 'same time';

interface ScheduleOutcome {
  readonly added: readonly ScheduledChange[];
  readonly refused: readonly { readonly qrId: number; readonly conflict: ScheduleConflict }[];
  /** The entry of the activity, for the next part of the same plan. */
  readonly entryId: number | null;
}

/** A change whose time has come. */
export type DueChange = Pick<ScheduledChange, 'id' | 'qrId' | 'destination'>;

/** A code with due changes, as it is in the transaction that makes them. */
export interface DueCode extends Pick<Qr, 'accountId' | 'destination' | 'status'> {
  readonly account: Pick<Account, 'planUntilMs' | 'timeZone'>;
  readonly due: readonly Omit<ScheduledChange, 'scheduledBy'>[];
}

/** A code after its due changes, and what happens to them. Those that are not named stay due. */
export interface MadeChanges extends Pick<Qr, 'destination' | 'status'> {
  /** Destinations that it has had before, for its history, in their order. */
  readonly former: readonly string[];
  /** Whether the destination could not be checked fully. */
  readonly needsRecheck: boolean;
  /** Ids of changes that are over. */
  readonly over: readonly number[];
  /** Changes that repeat, or could not be made. */
  readonly kept: readonly {
    readonly id: number;
    readonly nextMs: number | null;
    readonly problem: ScheduleProblem | null;
  }[];
}

/** A change that is not due yet, with what says when it is. */
export interface WaitingChange extends Pick<ScheduledChange, 'id' | 'firstLocal' | 'every'> {
  readonly nextMs: number;
  readonly account: Pick<Account, 'timeZone'>;
}

export interface ScheduleStore {
  /**
   * Adds the same changes to codes of an account.
   * A code gets all of them, or none when it has too many, or one of the same kind at the same instant.
   *
   * @param plan returns the changes by the time zone that the account has in this transaction. What it throws undoes it.
   * @param replacedId a change of the codes that the new ones take the place of
   */
  add(
    codes: { readonly accountId: number; readonly qrIds: readonly number[] },
    plan: (account: Pick<Account, 'timeZone'>) => readonly NewScheduledChange[],
    options: {
      readonly maxPerCode: number;
      readonly replacedId?: number;
      readonly entryId?: number | null;
    },
  ): Promise<ScheduleOutcome>;
  /** Returns the changes of a code, the next one first, then those that are over. */
  list(accountId: number, qrId: number): Promise<ScheduledChange[]>;
  /** Returns changes of an account that are made within a time, the next one first. */
  upcoming(
    accountId: number,
    fromMs: number,
    untilMs: number,
    limit: number,
  ): Promise<ScheduledChangeOfCode[]>;
  /** Returns changes of an account that could not be made, the latest planned first. */
  problems(accountId: number, limit: number): Promise<ScheduledChangeOfCode[]>;
  /**
   * Resolves false when the code of the account has no such change.
   * One that is being made is waited for.
   */
  remove(acting: Acting, qrId: number, id: number, atMs: number): Promise<boolean>;
  /**
   * Records that a change was made by hand.
   * One that repeats has no problem any more, one for once is removed.
   */
  settle(accountId: number, qrId: number, id: number): Promise<void>;
  /**
   * Computes anew when changes are made next that are not due yet, in the transaction that stores it.
   *
   * @param range.accountId null for all accounts
   * @param range.afterId the last id of the part before; 0 for the first
   * @param timeOf returns null for a change that keeps its time
   */
  reschedule(
    range: {
      readonly accountId: number | null;
      readonly nowMs: number;
      readonly afterId: number;
      readonly limit: number;
    },
    timeOf: (change: WaitingChange) => number | null,
  ): Promise<{
    /** Null when there are no more. */
    readonly lastId: number | null;
    readonly read: number;
    readonly moved: number;
  }>;
  /** Returns the due changes of the codes that have waited longest. */
  due(nowMs: number, maxCodes: number): Promise<DueChange[]>;
  /**
   * Makes due changes of codes in one transaction, which other copies leave alone meanwhile.
   * Each is made once. Codes that somebody is changing are left out.
   *
   * @param decide called for each code with all its due changes, in the order of their times
   * @returns the number of changes that are not due any more
   */
  make(
    qrIds: readonly number[],
    nowMs: number,
    decide: (code: DueCode) => MadeChanges,
  ): Promise<number>;
}

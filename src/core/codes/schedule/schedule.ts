import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import { type Account, requireActivePlan } from '../../accounts/account.ts';
import type { AccountStore } from '../../accounts/ports.ts';
import { findTimeZone, timeZoneOf } from '../../accounts/time-zone.ts';
import { ApiError, Refused } from '../../errors.ts';
import type { Acting, Clock } from '../../ports.ts';
import type { Qr } from '../qr.ts';
import type { Qrs } from '../qrs.ts';
import type { CheckedDestination } from '../urls/destination-check.ts';
import {
  type ScheduledAction,
  type ScheduledChange,
  type ScheduledChangeOfCode,
  scheduledStatus,
} from './change.ts';
import type {
  NewScheduledChange,
  ScheduleConflict,
  ScheduleStore,
  WaitingChange,
} from './ports.ts';
import {
  endAfter,
  endsWithin,
  instantOf,
  isTiming,
  latestOccurrence,
  maxPeriodMs,
  nextDay,
  nextOccurrence,
  onWeekday,
  type Period,
  parseWallTime,
  sameLengthAfter,
  type Weekday,
  wallTimeOf,
} from './wall-time.ts';

/** Changes that a code may have: one for each day of the week, twice, and some more. */
const maxPerCode = 20;
/** How far ahead a change may be planned. */
const maxYearsAhead = 5;
const maxAheadMs = maxYearsAhead * 366 * 86_400_000;

const changesPerSlice = 250;
// Each code may get fourteen changes.
const codesPerWrite = 50;
/** More changes of a day are not told apart. */
export const maxPerDay = 500;

/** A change to plan. */
export interface PlanRequest {
  /** Wall time in the zone of the account, `2026-12-24T18:00`. */
  readonly at: string;
  readonly every: Period | null;
  /**
   * Days of a change that repeats every week: one change is planned for each.
   * That of `at` when left out or empty.
   */
  readonly weekdays?: readonly Weekday[];
  /**
   * When it ends: a wall time, or a time of day, which is the next one after the begin. Then the code leads where it
   * leads now, or is resumed or paused: a second change, which repeats as the first one does. No end when left out.
   */
  readonly until?: string;
  readonly action: ScheduledAction;
  /**
   * Checks the destination as an edit does, for the action `destination`.
   *
   * @throws ApiError invalid_url or unsafe_url
   */
  readonly checkDestination?: () => Promise<CheckedDestination>;
}

/** What became of a change that was planned for many codes. */
export interface ScheduleForMany {
  /** Codes that got it. */
  readonly planned: number;
  /** Codes that were left out. */
  readonly refused: number;
}

/** A scheduled change, and when it is made on a day. */
export interface ChangeOnDay extends ScheduledChangeOfCode {
  readonly atMs: number;
}

/** A time of a change. */
interface PlannedTime {
  readonly firstLocal: string;
  readonly nextMs: number;
}

/** A time of a change, and when it ends. */
export interface PlannedSpan extends PlannedTime {
  /** Null without an end. */
  readonly end: PlannedTime | null;
}

/** What undoes a change at its end. */
const backActions = { destination: 'destination', pause: 'resume', resume: 'pause' } as const;

/**
 * Returns the first times of a change with their ends, one for each day of the week that is named.
 *
 * @throws Refused
 */
export function plannedSpans(
  { at, every, weekdays = [], until }: Omit<PlanRequest, 'action' | 'checkDestination'>,
  zone: string,
  nowMs: number,
): PlannedSpan[] {
  const local = parseWallTime(at);
  const timed = (firstLocal: string) => ({ firstLocal, nextMs: instantOf(firstLocal, zone) });
  const days = every === 'week' ? weekdays : [];
  // Today is a day to begin with, also when the time of day is over: the same day of the next week is meant.
  const isBegun = days.length > 0 && local.slice(0, 10) === wallTimeOf(nowMs, zone).slice(0, 10);
  const first = timed(local);
  if (first.nextMs <= nowMs && !isBegun) throw new Refused({ kind: 'planned time over', zone });
  const end = until === undefined ? null : endAfter(local, until);
  const farthestMs = end === null ? first.nextMs : instantOf(end, zone);
  if (Math.max(first.nextMs, farthestMs) > nowMs + maxAheadMs)
    throw new Refused({ kind: 'planned too far', years: maxYearsAhead });
  if (end !== null && end <= local) throw new Refused({ kind: 'planned end first' });
  const period = every === 'week' && new Set(days).size > 1 ? 'day' : every;
  if (end !== null && period !== null && !endsWithin(period, local, end))
    throw new Refused({ kind: 'planned end late', period });
  const begins =
    days.length === 0
      ? [first]
      : [...new Set(days)].map((day) => {
          const next = timed(onWeekday(local, day));
          return next.nextMs > nowMs ? next : timed(onWeekday(nextDay(local), day));
        });
  return begins.map((begin) => {
    if (end === null) return { ...begin, end };
    const ending = timed(sameLengthAfter(begin.firstLocal, local, end));
    // A change of clocks has moved the begin behind the end.
    if (ending.nextMs <= begin.nextMs) throw new Refused({ kind: 'planned end first' });
    return { ...begin, end: ending };
  });
}

export type Schedule = ReturnType<typeof createSchedule>;

/** Manages the scheduled changes of codes, for the panel and commands. */
export function createSchedule(deps: {
  store: ScheduleStore;
  accounts: Pick<AccountStore, 'changeTimeZone'>;
  clock: Pick<Clock, 'nowMs'>;
}) {
  const { store, accounts, clock } = deps;

  /** Checks what is asked. Returns what gives the changes to add. @throws as `add` */
  const prepare = async (
    account: Account,
    request: PlanRequest,
    scheduledById: number | null,
  ): Promise<(owner: Pick<Account, 'timeZone'>) => NewScheduledChange[]> => {
    const { every, action, checkDestination } = request;
    const nowMs = clock.nowMs();
    plannedSpans(request, timeZoneOf(account), nowMs);
    if (action === 'destination') requireActivePlan(account, nowMs);
    const destination = (await checkDestination?.())?.destination ?? null;
    if ((destination !== null) !== (action === 'destination'))
      throw new Error(`a planned change "${action}" with destination ${destination}`);
    const common = { every, scheduledById, createdAtMs: nowMs };
    const there = { ...common, action, destination };
    const backAction = backActions[action];
    const leadsBack = backAction === 'destination';
    const back = { ...common, action: backAction, destination: null, leadsBack };
    return (owner) => {
      const spans = plannedSpans(request, timeZoneOf(owner), nowMs);
      return [
        ...spans.map(({ firstLocal, nextMs }) => ({ ...there, firstLocal, nextMs })),
        ...spans.flatMap(({ end }) => (end === null ? [] : [{ ...back, ...end }])),
      ];
    };
  };

  /** Computes anew when waiting changes are made next, in parts. */
  const reschedule = async (
    accountId: number | null,
    isWanted: () => boolean,
  ): Promise<{ read: number; moved: number }> => {
    const total = { read: 0, moved: 0 };
    for (let afterId: number | null = 0; afterId !== null && isWanted(); ) {
      const nowMs = clock.nowMs();
      const range = { accountId, nowMs, afterId, limit: changesPerSlice };
      const part = await store.reschedule(range, (change) => otherTimeOf(change, nowMs));
      total.read += part.read;
      total.moved += part.moved;
      afterId = part.lastId;
      await yieldToEventLoop();
    }
    return total;
  };

  const find = async (accountId: number, qrId: number, id: number): Promise<ScheduledChange> => {
    const found = (await store.list(accountId, qrId)).find((change) => change.id === id);
    if (found === undefined) throw new Refused({ kind: 'no such planned change' });
    return found;
  };

  return {
    /**
     * Plans a change of a code of the account: one, or one for each day of the week that is named, then their ends.
     *
     * @param scheduledById the account that plans it; null for a command
     * @param replacedId the change that it takes the place of
     * @throws Refused; ApiError plan_required, invalid_url or unsafe_url, as a change of now
     */
    add: async (
      account: Account,
      qr: Pick<Qr, 'id' | 'status'>,
      request: PlanRequest,
      scheduledById: number | null,
      replacedId?: number,
    ): Promise<readonly ScheduledChange[]> => {
      if (qr.status === 'stopped') throw new Refused({ kind: 'stopped code planned' });
      const plan = await prepare(account, request, scheduledById);
      const { added, refused } = await store.add({ accountId: account.id, qrIds: [qr.id] }, plan, {
        maxPerCode,
        ...(replacedId !== undefined && { replacedId }),
      });
      const [conflict] = refused;
      if (conflict !== undefined) throw refusalOf(conflict.conflict);
      return added;
    },

    /**
     * Plans a change of many codes of the account.
     * Those that have too many changes, or one of the same kind at the same time, are left out.
     *
     * @throws as `add`, for what is wrong whatever the code
     */
    addToMany: async (
      account: Account,
      qrs: readonly Pick<Qr, 'id' | 'status'>[],
      request: PlanRequest,
      scheduledById: number | null,
    ): Promise<ScheduleForMany> => {
      const plan = await prepare(account, request, scheduledById);
      const qrIds = qrs.filter(({ status }) => status !== 'stopped').map(({ id }) => id);
      let planned = 0;
      let entryId: number | null = null;
      for (let at = 0; at < qrIds.length; at += codesPerWrite) {
        const slice = qrIds.slice(at, at + codesPerWrite);
        const codes = { accountId: account.id, qrIds: slice };
        const outcome = await store.add(codes, plan, { maxPerCode, entryId });
        const { refused } = outcome;
        entryId = outcome.entryId;
        planned += slice.length - refused.length;
        await yieldToEventLoop();
      }
      return { planned, refused: qrs.length - planned };
    },
    list: store.list,
    upcoming: store.upcoming,
    problems: store.problems,
    /** Returns a change of a code. @throws Refused when there is none */
    find,

    /**
     * Returns the changes of an account on a day of its zone, in the order of their times.
     * One that repeats is there if it will have been made before, or was made on this day.
     *
     * @returns null for more than `maxPerDay` until then
     */
    onDay: async (account: Account, day: Temporal.PlainDate): Promise<ChangeOnDay[] | null> => {
      const zone = timeZoneOf(account);
      const nowMs = clock.nowMs();
      const beginMs = day.toZonedDateTime(zone).epochMilliseconds;
      const endMs = day.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds;
      const found = await store.upcoming(account.id, nowMs, endMs, maxPerDay + 1);
      if (found.length > maxPerDay) return null;
      const toCome = found.flatMap((change) => {
        const atMs = nextOccurrence(change, zone, Math.max(beginMs, change.nextMs ?? 0) - 1);
        return atMs === null ? [] : [{ ...change, atMs }];
      });
      const later =
        beginMs > nowMs
          ? []
          : await store.upcoming(account.id, endMs, endMs + maxPeriodMs, maxPerDay);
      const made = later.flatMap((change) => {
        const isRead = change.every !== null && isTiming(change);
        const atMs = isRead ? latestOccurrence(change, zone, nowMs) : null;
        return atMs === null ? [] : [{ ...change, atMs }];
      });
      return [...toCome, ...made]
        .filter(({ atMs }) => atMs >= beginMs && atMs < endMs)
        .sort((one, other) => one.atMs - other.atMs || one.id - other.id);
    },

    /**
     * Makes a scheduled change now, with the checks of an edit.
     * A single change is done then; a repeating one stays planned.
     *
     * @throws Refused when the code has no such change, or is blocked
     * @throws ApiError what the edit throws
     */
    makeNow: async (
      account: Account,
      acting: Acting,
      qr: Pick<Qr, 'id' | 'code' | 'status'>,
      id: number,
      qrs: Pick<Qrs, 'changeDestination' | 'setPaused'>,
    ): Promise<void> => {
      const { action, destination } = await find(account.id, qr.id, id);
      const status = scheduledStatus(action);
      if (status === null) {
        requireActivePlan(account, clock.nowMs());
        await qrs.changeDestination(acting, qr.code, async () => destination);
      } else {
        if (qr.status === 'blocked') throw new Refused({ kind: 'blocked by the operator' });
        await qrs.setPaused(acting, qr.code, status === 'paused');
      }
      await store.settle(account.id, qr.id, id);
    },

    /** @throws Refused when the code has no such change */
    cancel: async (acting: Acting, qrId: number, id: number): Promise<void> => {
      if (!(await store.remove(acting, qrId, id, clock.nowMs())))
        throw new Refused({ kind: 'no such planned change' });
    },

    /**
     * Changes the time zone of an account.
     * Its scheduled changes keep their wall time, and so move to another instant.
     *
     * @returns the number of scheduled changes
     */
    changeTimeZone: async (acting: Acting, zone: string): Promise<number> => {
      await accounts.changeTimeZone(acting, zone, clock.nowMs());
      return (await reschedule(acting.accountId, () => true)).read;
    },

    /**
     * Moves changes whose wall time is another instant than when it was computed.
     * This version of the program knows other rules of time zones, or a change of zones was interrupted.
     *
     * @param isWanted asked between two slices of changes
     * @returns how many were moved
     */
    followZoneRules: async (isWanted: () => boolean): Promise<number> =>
      (await reschedule(null, isWanted)).moved,
  };
}

/** Returns when a change is made next if that is another time than the stored one, or null. */
function otherTimeOf(
  { nextMs: formerMs, account, ...timing }: WaitingChange,
  nowMs: number,
): number | null {
  const zone = timeZoneOf(account);
  // What this version cannot read fails when it is due, and keeps no other from being moved.
  if (findTimeZone(zone) === null || !isTiming(timing)) return null;
  const nextMs = nextOccurrence(timing, zone, nowMs) ?? instantOf(timing.firstLocal, zone);
  return isSameMinute(nextMs, formerMs) ? null : nextMs;
}

/**
 * Returns the wall time from which a change goes on in the zone of another account, at the same instant.
 * One that is over, or that this version cannot read, keeps its own.
 */
export function firstLocalIn(
  { firstLocal, nextMs }: Pick<ScheduledChange, 'firstLocal' | 'nextMs'>,
  from: Pick<Account, 'timeZone'>,
  to: Pick<Account, 'timeZone'>,
): string {
  const [former, zone] = [timeZoneOf(from), timeZoneOf(to)];
  const isSame = nextMs === null || zone === former || findTimeZone(zone) === null;
  return isSame ? firstLocal : wallTimeOf(nextMs, zone);
}

const isSameMinute = (oneMs: number, otherMs: number): boolean =>
  Math.floor(oneMs / 60_000) === Math.floor(otherMs / 60_000);

function refusalOf(conflict: ScheduleConflict): ApiError | Refused {
  switch (conflict) {
    case 'missing':
      return new ApiError('not_found', { kind: 'no such code' });
    case 'gone':
      return new Refused({ kind: 'no such planned change' });
    case 'too many':
      return new Refused({ kind: 'too many planned changes', max: maxPerCode });
    case 'same time':
      return new Refused({ kind: 'same planned time' });
  }
}

import { hasActivePlan } from '../../accounts/account.ts';
import { findTimeZone, timeZoneOf } from '../../accounts/time-zone.ts';
import type { QrStatus } from '../qr.ts';
import { type ScheduleProblem, scheduledActions, scheduledStatus } from './change.ts';
import type { DueCode, MadeChanges } from './ports.ts';
import { isTiming, latestOccurrence, nextOccurrence } from './wall-time.ts';

type Due = DueCode['due'][number];

/** What the check of a destination has found. */
export type Verdict =
  | 'safe'
  | 'needs recheck'
  | Extract<ScheduleProblem, 'flagged' | 'not valid' | 'failed'>;

/**
 * Applies the due changes of a code to it.
 * Changes that were missed are made in the order of their times, a repeating one only for its latest time. One that
 * this version cannot read has failed.
 *
 * @param verdicts by destination; a change to another one stays due, with those after it
 */
export function makeDueChanges(
  { accountId, account, due, ...code }: DueCode,
  verdicts: ReadonlyMap<string, Verdict>,
  nowMs: number,
): MadeChanges {
  const zone = timeZoneOf(account);
  const isZone = findTimeZone(zone) !== null;
  const canRead = (change: Due) => isZone && isReadable(change);
  const timeOf = (change: Due) =>
    (change.every !== null && canRead(change) ? latestOccurrence(change, zone, nowMs) : null) ??
    change.nextMs ??
    0;
  const inOrder = due
    .map((change) => ({ change, atMs: timeOf(change) }))
    .sort((one, other) => one.atMs - other.atMs || one.change.id - other.change.id);

  let { destination, status } = code;
  let needsRecheck = false;
  const former: string[] = [];
  const over: number[] = [];
  const kept: MadeChanges['kept'][number][] = [];

  /** Makes a change. Returns why it cannot be made, or null. */
  const make = ({ action, ...change }: Due): ScheduleProblem | null => {
    const nextStatus = scheduledStatus(action);
    if (nextStatus !== null) {
      if (status === 'blocked') return 'blocked';
      status = nextStatus;
      return null;
    }
    const verdict = verdicts.get(change.destination ?? '');
    if (!hasActivePlan(account, nowMs)) return 'no plan';
    if (verdict === 'flagged' || verdict === 'not valid' || verdict === 'failed') return verdict;
    if (change.destination === null || change.destination === destination) return null;
    former.push(destination);
    destination = change.destination;
    needsRecheck = verdict === 'needs recheck';
    return null;
  };

  for (const { change } of inOrder) {
    // The code was given to another account or stopped for good: its former owner's changes end.
    if (change.accountId !== accountId || isStopped(status)) {
      over.push(change.id);
      continue;
    }
    if (!canRead(change)) {
      kept.push(failed(change));
      continue;
    }
    if (change.destination !== null && !verdicts.has(change.destination)) break;
    const problem = make(change);
    const nextMs = change.every === null ? null : nextOccurrence(change, zone, nowMs);
    if (nextMs === null && problem === null) over.push(change.id);
    else kept.push({ id: change.id, nextMs, problem });
  }
  return { destination, status, former, needsRecheck, over, kept };
}

/** Returns what happens to the due changes of a code that cannot be decided or written: all have failed. */
export function failDueChanges({ destination, status, due }: DueCode): MadeChanges {
  return { destination, status, former: [], needsRecheck: false, over: [], kept: due.map(failed) };
}

/** It is over, also if it repeats: nothing says when it would be made next. */
const failed = ({ id }: Due) => ({ id, nextMs: null, problem: 'failed' as const });

/** Returns whether this version can read a change: a newer one may have stored it. */
const isReadable = ({ action, destination, ...timing }: Due): boolean =>
  scheduledActions.includes(action) &&
  isTiming(timing) &&
  (destination !== null) === (action === 'destination');

const isStopped = (status: QrStatus): boolean => status === 'stopped';

import type { QrStatus } from '../../codes/qr.ts';
import { hasActivePlan } from '../account.ts';
import { timeZoneOf } from '../time-zone.ts';
import { type PlannedProblem, plannedStatus } from './planned-change.ts';
import type { DueCode, MadeChanges } from './ports.ts';
import { latestOccurrence, nextOccurrence } from './wall-time.ts';

/** What the check of a destination has found. */
export type Verdict = 'safe' | 'needs recheck' | Extract<PlannedProblem, 'flagged' | 'not valid'>;

/**
 * Applies the due changes of a code to it.
 * Changes that were missed are made in the order of their times, a repeating one only for its latest time.
 *
 * @param verdicts by destination; a change to another one stays due, with those after it
 */
export function makeDueChanges(
  { accountId, account, due, ...code }: DueCode,
  verdicts: ReadonlyMap<string, Verdict>,
  nowMs: number,
): MadeChanges {
  const zone = timeZoneOf(account);
  const timeOf = (change: DueCode['due'][number]) =>
    (change.every === null ? null : latestOccurrence(change, zone, nowMs)) ?? change.nextMs ?? 0;
  const inOrder = due
    .map((change) => ({ change, atMs: timeOf(change) }))
    .sort((one, other) => one.atMs - other.atMs || one.change.id - other.change.id);

  let { destination, status } = code;
  let needsRecheck = false;
  const former: string[] = [];
  const over: number[] = [];
  const kept: MadeChanges['kept'][number][] = [];

  /** Makes a change. Returns why it cannot be made, or null. */
  const make = ({ action, ...change }: DueCode['due'][number]): PlannedProblem | null => {
    const nextStatus = plannedStatus(action);
    if (nextStatus !== null) {
      if (status === 'blocked') return 'blocked';
      status = nextStatus;
      return null;
    }
    const verdict = verdicts.get(change.destination ?? '');
    if (!hasActivePlan(account, nowMs)) return 'no plan';
    if (verdict === 'flagged' || verdict === 'not valid') return verdict;
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
    if (change.destination !== null && !verdicts.has(change.destination)) break;
    const problem = make(change);
    const nextMs = change.every === null ? null : nextOccurrence(change, zone, nowMs);
    if (nextMs === null && problem === null) over.push(change.id);
    else kept.push({ id: change.id, nextMs, problem });
  }
  return { destination, status, former, needsRecheck, over, kept };
}

const isStopped = (status: QrStatus): boolean => status === 'stopped';

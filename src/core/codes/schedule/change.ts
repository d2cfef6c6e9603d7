import type { QrStatus } from '../qr.ts';
import type { Timing } from './wall-time.ts';

/** What happens to the code. */
export const scheduledActions = ['destination', 'pause', 'resume'] as const;
export type ScheduledAction = (typeof scheduledActions)[number];

/**
 * Why a scheduled change was not made when its time came.
 * `failed`: this version cannot read it, or could not check or write it.
 */
export const scheduleProblems = ['no plan', 'flagged', 'not valid', 'blocked', 'failed'] as const;
export type ScheduleProblem = (typeof scheduleProblems)[number];

/** A change of a code that the server makes by itself, as an ordinary edit. */
export interface ScheduledChange extends Timing {
  readonly id: number;
  readonly qrId: number;
  readonly accountId: number;
  readonly action: ScheduledAction;
  /** Null unless the action is `destination`. */
  readonly destination: string | null;
  /** When it is made next; null if it is over and could not be made. */
  readonly nextMs: number | null;
  /** Why it was not made the last time; null if it was. */
  readonly problem: ScheduleProblem | null;
  /** E-mail address of the account that planned it; null for a command, or when that account is deleted. */
  readonly scheduledBy: string | null;
}

/** A scheduled change with its code. */
export interface ScheduledChangeOfCode extends ScheduledChange {
  readonly code: string;
  readonly name: string | null;
}

/** Returns the status that a scheduled change gives to a code; null if it changes the destination. */
export function scheduledStatus(
  action: ScheduledAction,
): Extract<QrStatus, 'active' | 'paused'> | null {
  if (action === 'destination') return null;
  return action === 'pause' ? 'paused' : 'active';
}

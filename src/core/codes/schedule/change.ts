import type { QrStatus } from '../qr.ts';
import type { Schedule } from './wall-time.ts';

/** What happens to the code. */
export const plannedActions = ['destination', 'pause', 'resume'] as const;
export type PlannedAction = (typeof plannedActions)[number];

/**
 * Why a planned change was not made when its time came.
 * `failed`: this version cannot read it, or could not check or write it.
 */
export const plannedProblems = ['no plan', 'flagged', 'not valid', 'blocked', 'failed'] as const;
export type PlannedProblem = (typeof plannedProblems)[number];

/** A change of a code that the server makes by itself, as an ordinary edit. */
export interface PlannedChange extends Schedule {
  readonly id: number;
  readonly qrId: number;
  readonly accountId: number;
  readonly action: PlannedAction;
  /** Null unless the action is `destination`. */
  readonly destination: string | null;
  /** When it is made next; null if it is over and could not be made. */
  readonly nextMs: number | null;
  /** Why it was not made the last time; null if it was. */
  readonly problem: PlannedProblem | null;
  /** E-mail address of the account that planned it; null for a command, or when that account is deleted. */
  readonly plannedBy: string | null;
}

/** A planned change with its code. */
export interface PlannedChangeOfCode extends PlannedChange {
  readonly code: string;
  readonly name: string | null;
}

/** Returns the status that a planned change gives to a code; null if it changes the destination. */
export function plannedStatus(
  action: PlannedAction,
): Extract<QrStatus, 'active' | 'paused'> | null {
  if (action === 'destination') return null;
  return action === 'pause' ? 'paused' : 'active';
}

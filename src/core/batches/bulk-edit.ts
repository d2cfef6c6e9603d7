import type { Reason } from '../reasons.ts';

export const bulkEditKinds = [
  'replace',
  'pause',
  'resume',
  'archive',
  'unarchive',
  'folder',
  'query-on',
  'query-off',
] as const;
export type BulkEditKind = (typeof bulkEditKinds)[number];

/** An edit of many codes: their destinations, status or folder, or whether the query of visitors is passed on. */
export type BulkEditChange =
  | {
      readonly kind: 'replace';
      /** The part of each destination that is replaced; null for the whole destination. */
      readonly replaced: string | null;
      readonly replacement: string;
    }
  | { readonly kind: 'pause' | 'resume' | 'archive' | 'unarchive' | 'query-on' | 'query-off' }
  | { readonly kind: 'folder'; readonly folder: string | null };

/**
 * `planned`: its codes are being recorded, and nothing is changed. `running`: its codes are being changed.
 * `done`: it has ended, perhaps early, see `problem`. `undoing`: its codes get their earlier values. `undone`: all have.
 */
export const bulkEditStates = ['planned', 'running', 'done', 'undoing', 'undone'] as const;
export type BulkEditState = (typeof bulkEditStates)[number];

/** `unchecked`: the destination is checked before the code is changed. `waiting`: the code is changed. */
export const editOutcomes = ['unchecked', 'waiting', 'made', 'left out', 'undone'] as const;
export type EditOutcome = (typeof editOutcomes)[number];

/** The last bulk edit of an account. */
export interface BulkEdit {
  readonly id: number;
  readonly accountId: number;
  readonly change: BulkEditChange;
  readonly state: BulkEditState;
  /** Why it, or its undo, has ended early. */
  readonly problem: Reason | null;
  readonly atMs: number;
  /** Codes that it is about. */
  readonly selected: number;
  /** Codes that it has changed, without those that are undone. */
  readonly codes: number;
  readonly leftOut: number;
  readonly undone: number;
  /** How many of the changed codes have been changed since, so that the edit cannot be undone. */
  readonly changedSince: number;
}

/** Returns whether the codes of an edit are being changed, or get their earlier values. */
export function isRunning({ state }: Pick<BulkEdit, 'state'>): boolean {
  return state === 'running' || state === 'undoing';
}

/** The edit of one code: the value that the kind of the edit changes, before and after. */
export interface CodeEdit {
  readonly qrId: number;
  readonly code: string;
  readonly before: string;
  readonly after: string;
  /** Whether the destination is not fully checked. */
  readonly needsRecheck: boolean;
}

/** A code that a bulk edit leaves out, and why. */
export interface RefusedEdit {
  readonly code: string;
  readonly before: string;
  readonly after: string;
  readonly reason: Reason;
}

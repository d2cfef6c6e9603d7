export const bulkEditKinds = ['replace', 'pause', 'resume'] as const;
export type BulkEditKind = (typeof bulkEditKinds)[number];

/** An edit of many codes: a part of their destinations replaced, or their status changed. */
export type BulkEditChange =
  | { readonly kind: 'replace'; readonly replaced: string; readonly replacement: string }
  | { readonly kind: 'pause' | 'resume' };

/** The last bulk edit of an account. */
export interface BulkEdit {
  readonly id: number;
  readonly change: BulkEditChange;
  readonly atMs: number;
  /** Codes that it changed. */
  readonly codes: number;
  /** How many of them have been changed since, so that the edit cannot be undone. */
  readonly changedSince: number;
}

/** The edit of one code: destination or status, before and after. */
export interface CodeEdit {
  readonly qrId: number;
  readonly code: string;
  readonly before: string;
  readonly after: string;
  /** Whether to queue the destination for a re-check. */
  readonly needsRecheck: boolean;
}

export const bulkEditKinds = [
  'replace',
  'pause',
  'resume',
  'archive',
  'unarchive',
  'folder',
] as const;
export type BulkEditKind = (typeof bulkEditKinds)[number];

/** An edit of many codes: their destinations replaced, their status changed, or moved to a folder. */
export type BulkEditChange =
  | {
      readonly kind: 'replace';
      /** The part of each destination that is replaced; null for the whole destination. */
      readonly replaced: string | null;
      readonly replacement: string;
    }
  | { readonly kind: 'pause' | 'resume' | 'archive' | 'unarchive' }
  | { readonly kind: 'folder'; readonly folder: string | null };

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

/** The edit of one code: destination, status, folder, or whether it is archived, before and after. */
export interface CodeEdit {
  readonly qrId: number;
  readonly code: string;
  readonly before: string;
  readonly after: string;
  /** Whether to queue the destination for a re-check. */
  readonly needsRecheck: boolean;
}

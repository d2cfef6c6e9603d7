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

/** Stores the last bulk edit of each account, with the values that an undo restores. */
export interface BulkEditStore {
  /**
   * Gives an account's turn to write a bulk edit to one process until a time, so that two processes don't write
   * alternately. Resolves false when another has it.
   */
  lease(accountId: number, nowMs: number, untilMs: number): Promise<boolean>;
  /** Ends the turn. */
  release(accountId: number): Promise<void>;
  /** Begins a bulk edit and forgets the account's earlier one. */
  begin(accountId: number, change: BulkEditChange, atMs: number): Promise<number>;
  /**
   * Changes codes in one transaction, each as `QrStore` does, and records the edits. Codes that have no
   * longer the value before are left out.
   *
   * @returns the codes that were changed
   */
  apply(bulkEditId: number, edits: readonly CodeEdit[], atMs: number): Promise<string[]>;
  /** Returns the last bulk edit of an account, or null when there is none or it was undone. */
  last(accountId: number): Promise<BulkEdit | null>;
  /** Returns recorded edits after a QR's id, in order of the id. */
  edits(bulkEditId: number, afterQrId: number, limit: number): Promise<CodeEdit[]>;
  /** Reverts recorded edits like `apply`, and forgets them; with the last one, the bulk edit. */
  revert(bulkEditId: number, edits: readonly CodeEdit[], atMs: number): Promise<string[]>;
}

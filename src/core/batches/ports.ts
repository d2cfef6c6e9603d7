import type { LinkFile, LinkFileOptions } from '../codes/imports/link-file.ts';
import type { PathConflict } from '../codes/ports.ts';
import type { NewQr } from '../codes/qr.ts';
import type { FileNotice } from '../codes/tables/file-reasons.ts';
import type { Requester } from '../fair-queue.ts';
import type { Acting, Actor } from '../ports.ts';
import type { Reason } from '../reasons.ts';
import type { Batch, BatchRow, BatchRowFilter, BatchRowOutcome } from './batch.ts';
import type { BulkEdit, BulkEditChange, CodeEdit, RefusedEdit } from './bulk-edit.ts';
import type { Role } from './columns.ts';
import type { TableOptions, TableReading } from './table.ts';

/** The interfaces that adapters implement for batches and bulk edits, see `core/ports.ts`. */

/**
 * Reads files of users, which may be made to take any time and memory.
 * Outside of this process, in bounded time. Methods throw Refused, and ServerBusy when too many files wait.
 */
export interface FileReaders {
  /** Reads a table, see `readTable`. */
  readTable(
    file: Uint8Array | string,
    options: TableOptions,
    requester: Requester,
  ): Promise<TableReading>;
  /** Reads an export of links, see `readLinkFile`. */
  readLinks(file: Uint8Array, options: LinkFileOptions, requester: Requester): Promise<LinkFile>;
}

/**
 * Stores batches.
 * A process leases a running batch while it creates the codes, so that two processes don't do the same work; `createQr`
 * prevents duplicates even if they do.
 */
export interface BatchStore {
  /**
   * Adds a batch.
   * Removes the account's drafts that are older than `draftLifetimeMs` or more than `maxDrafts`, and batches that have
   * ended and are older than `batchLifetimeMs`, up to `batchesRemovedPerAdd`.
   */
  add(batch: {
    accountId: number;
    by: Actor;
    designId: number;
    state: 'draft' | 'running';
    /** Identifies the table and the design, see `findUnfinished`. */
    digest: Uint8Array;
    rows: readonly BatchRow[];
    notices: readonly FileNotice[];
    /** Of a draft about which more can be said. */
    file?: Uint8Array | undefined;
    atMs: number;
    leaseUntilMs: number;
  }): Promise<number>;
  /** Returns the file of a draft, or null. */
  findFile(batchId: number): Promise<Uint8Array | null>;
  /** Replaces what was read of a draft's file. Resolves false when it is no draft of the account. */
  readAgain(
    accountId: number,
    batchId: number,
    read: {
      digest: Uint8Array;
      rows: readonly BatchRow[];
      notices: readonly FileNotice[];
    },
  ): Promise<boolean>;
  find(accountId: number, batchId: number): Promise<Batch | null>;
  /** Returns the newest batches, drafts included. */
  list(accountId: number, limit: number): Promise<Batch[]>;
  /** Returns the running batch with a digest. */
  findUnfinished(accountId: number, digest: Uint8Array): Promise<Batch | null>;
  /** Returns rows after a row number, in order. */
  rows(
    batchId: number,
    filter: BatchRowFilter,
    afterRow: number,
    limit: number,
  ): Promise<BatchRowOutcome[]>;
  /** Replaces rows of a draft. Resolves false when it is no draft of the account. */
  correct(accountId: number, batchId: number, rows: readonly BatchRow[]): Promise<boolean>;
  /**
   * Starts a draft. Resolves false when it is no draft of the account.
   *
   * @param choice.folder of the rows that name none
   */
  start(
    acting: Acting,
    batchId: number,
    choice: { designId: number; folder: string | null },
    atMs: number,
  ): Promise<boolean>;
  /** Leases a running batch whose lease has expired, the oldest first, or the given one. */
  lease(nowMs: number, untilMs: number, batchId?: number): Promise<Batch | null>;
  /**
   * Extends the lease, or with 0 releases it.
   * Resolves false when the batch runs no longer, or another process has leased it.
   *
   * @param heldUntilMs until when the caller has it
   */
  renew(batchId: number, heldUntilMs: number, untilMs: number): Promise<boolean>;
  /**
   * Stores a QR and the outcome of its row in one transaction.
   *
   * @returns `decided` when the row has an outcome or the batch runs no longer; nothing was stored then,
   *   nor when the code is `taken` or its path cannot be had
   */
  createQr(
    batchId: number,
    row: number,
    qr: NewQr,
    needsRecheck: boolean,
  ): Promise<'stored' | 'taken' | 'decided' | PathConflict>;
  /** Records why no code is created for a row, unless it has an outcome. */
  refuse(batchId: number, row: number, reason: Reason): Promise<void>;
  /** Ends a running batch by itself. */
  end(batchId: number, state: 'done' | 'stopped', problem: Reason | null): Promise<void>;
  /** Ends a running batch of the account that somebody stops. */
  stop(acting: Acting, batchId: number, problem: Reason, atMs: number): Promise<void>;
}

/** Stores what the columns of tables are, by their headers, as somebody of the account said last. */
export interface ColumnChoiceStore {
  /** @param headers their SHA-256 */
  find(accountId: number, headers: Uint8Array): Promise<readonly Role[] | null>;
  /** Keeps the latest {@link maxColumnChoices} of an account. */
  keep(accountId: number, headers: Uint8Array, roles: readonly Role[], atMs: number): Promise<void>;
}

/**
 * Stores the last bulk edit of each account, with the values that an undo restores.
 * A process has the account's turn while it makes or undoes the edit, so that two processes don't do the same work;
 * `make` changes each code once even if they do.
 */
export interface BulkEditStore {
  /**
   * Gives an account's turn to one process until a time, to begin a bulk edit or an undo.
   * Resolves false when another process has it, or an edit has not ended.
   */
  lease(accountId: number, nowMs: number, untilMs: number): Promise<boolean>;
  /** Gives the turn of an edit that has not ended, and that no process has, the oldest first. */
  leaseUnfinished(nowMs: number, untilMs: number): Promise<BulkEdit | null>;
  /** Extends the turn that was given until a time. Resolves false when another process has it by now. */
  renew(accountId: number, heldUntilMs: number, untilMs: number): Promise<boolean>;
  /** Ends the turn that was given until a time, unless another process has it by now. */
  release(accountId: number, untilMs: number): Promise<void>;
  /**
   * Begins a bulk edit and forgets the account's earlier one.
   *
   * @param heldUntilMs until when the caller has the account's turn
   * @returns its id, or null when the turn is lost, or the account is deleted
   */
  begin(
    acting: Acting,
    heldUntilMs: number,
    change: BulkEditChange,
    edits: readonly CodeEdit[],
    atMs: number,
  ): Promise<number | null>;
  /** Begins to undo an edit that has ended. Resolves false when the turn is lost, or the edit is gone. */
  beginUndo(acting: Acting, heldUntilMs: number, bulkEditId: number): Promise<boolean>;
  /**
   * Returns what an edit that has not ended is to change next, after a QR's id, in order of the id.
   * In an undo, `before` and `after` are swapped, and every destination is to be checked.
   */
  pending(bulkEditId: number, afterQrId: number, limit: number): Promise<CodeEdit[]>;
  /**
   * Changes codes in one transaction, each as `QrStore` does, and records what has become of them.
   * Codes that have no longer the value before are left out. All parts of an edit are one entry of the activity, and
   * those of an undo another.
   *
   * @param refused codes that are left out for a reason
   * @returns the codes that were changed; none when the edit has ended
   * @throws Refused `no right` when who acts may not change codes of the account any more
   */
  make(
    bulkEditId: number,
    edits: readonly CodeEdit[],
    refused: readonly { readonly qrId: number; readonly reason: Reason }[],
    atMs: number,
  ): Promise<string[]>;
  /** Ends an edit or an undo, if it has not ended, and the account's turn. Without a problem, all of it is done. */
  end(bulkEditId: number, problem: Reason | null): Promise<void>;
  /** Returns the last bulk edit of an account, or null. */
  last(accountId: number): Promise<BulkEdit | null>;
  /** Returns what an edit has changed and not undone, after a QR's id, in order of the id. */
  edits(bulkEditId: number, afterQrId: number, limit: number): Promise<CodeEdit[]>;
  /** Returns codes that were left out for a reason, in order of the id. */
  refused(bulkEditId: number, limit: number): Promise<RefusedEdit[]>;
}

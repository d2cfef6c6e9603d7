import type { NewQr } from '../codes/qr.ts';

/**
 * `draft`: checked, and waiting for a decision. `running`: codes are being created. `done`: each row has an
 * outcome. `stopped`: ended early, see `problem`.
 */
export const batchStates = ['draft', 'running', 'done', 'stopped'] as const;
export type BatchState = (typeof batchStates)[number];

/** Maximum number of rows of a batch. */
export const maxBatchRows = 5000;

/** How long a batch that has ended is kept, at least. */
export const batchLifetimeMs = 30 * 24 * 3_600_000;

/** Batches that a new one removes: more than it adds, and few enough for one short transaction. */
export const batchesRemovedPerAdd = 3;

/** A table of codes to create, and what has become of its rows. */
export interface Batch {
  readonly id: number;
  readonly accountId: number;
  /** The design of its codes. */
  readonly designId: number;
  readonly state: BatchState;
  /** Why it was stopped, in words. */
  readonly problem: string | null;
  readonly createdAtMs: number;
  readonly rows: number;
  /** Rows with a problem. No code is created for them. */
  readonly refused: number;
  readonly created: number;
}

/** A code to create. */
export interface BatchRow {
  /** Line of the file, from 1. */
  readonly row: number;
  readonly name: string | null;
  /** As in the file; shortened if the row has a problem. */
  readonly destination: string;
  readonly note: string | null;
  /** Why no code is created, in words. */
  readonly problem: string | null;
}

/** A row and its code, once it is created. */
export interface BatchRowOutcome extends BatchRow {
  readonly code: string | null;
}

/** Selects rows by their outcome. */
export type BatchRowFilter = 'all' | 'refused' | 'created' | 'pending';

/**
 * Stores batches. A process leases a running batch while it creates the codes, so that two processes don't
 * do the same work; `createQr` prevents duplicates even if they do.
 */
export interface BatchStore {
  /**
   * Adds a batch. Removes the account's drafts and batches that have ended and are older than
   * `batchLifetimeMs`, up to `batchesRemovedPerAdd`.
   */
  add(batch: {
    accountId: number;
    designId: number;
    state: 'draft' | 'running';
    /** Identifies the table and the design, see `findUnfinished`. */
    digest: Uint8Array;
    rows: readonly BatchRow[];
    atMs: number;
    leaseUntilMs: number;
  }): Promise<number>;
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
  /** Starts a draft. Resolves false when it is no draft of the account. */
  start(accountId: number, batchId: number): Promise<boolean>;
  /** Leases a running batch whose lease has expired, the oldest first, or the given one. */
  lease(nowMs: number, untilMs: number, batchId?: number): Promise<Batch | null>;
  /** Extends the lease. Resolves false when the batch runs no longer. */
  renew(batchId: number, untilMs: number): Promise<boolean>;
  /**
   * Stores a QR and the outcome of its row in one transaction.
   *
   * @returns `settled` when the row has an outcome or the batch runs no longer; nothing was stored then,
   *   nor when the code is `taken`
   */
  createQr(
    batchId: number,
    row: number,
    qr: NewQr,
    needsRecheck: boolean,
  ): Promise<'stored' | 'taken' | 'settled'>;
  /** Records why no code is created for a row, unless it has an outcome. */
  refuse(batchId: number, row: number, problem: string): Promise<void>;
  /** Ends a running batch. */
  end(batchId: number, state: 'done' | 'stopped', problem: string | null): Promise<void>;
}

import type { QrLabels } from '../codes/fields.ts';

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

/** Batches that a new one removes at most: a draft and an old one, which is few enough for a short transaction. */
export const batchesRemovedPerAdd = 2;

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
  /** Rows that are left out because their code exists. */
  readonly existing: number;
  /** Rows that the account holder leaves out. */
  readonly leftOut: number;
  /** Sentences on what was recognized in the table, and what was changed or left out. */
  readonly notices: readonly string[];
  readonly created: number;
}

/** Returns how many rows of a batch have an outcome. */
export function decidedRows({ refused, existing, leftOut, created }: Batch): number {
  return refused + existing + leftOut + created;
}

/** A code to create. */
export interface BatchRow extends QrLabels {
  /** Line of the file, from 1. */
  readonly row: number;
  /** As in the file, with `https://` before a domain; shortened if no destination can be that long. */
  readonly destination: string;
  /** Why no code is created, in words. */
  readonly problem: string | null;
}

/** The problem of a row that is left out because a code of its name and destination exists. */
export const existingProblem = 'A code with this name and destination exists already.';

/** The problem of a row that the account holder leaves out. */
export const leftOutProblem = 'You left it out.';

/** A row and its code, once it is created. */
export interface BatchRowOutcome extends BatchRow {
  readonly code: string | null;
}

/** Selects rows by their outcome. Those that are left out, or whose code exists, are not `refused`. */
export type BatchRowFilter = 'all' | 'refused' | 'leftOut' | 'created' | 'pending';

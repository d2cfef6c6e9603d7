import type { QrLabels } from '../codes/fields.ts';
import type { FileNotice } from '../codes/tables/file-reasons.ts';
import type { Reason } from '../reasons.ts';

/**
 * `draft`: checked, and waiting for a decision.
 * `running`: codes are being created. `done`: each row has an outcome. `stopped`: ended early, see `problem`.
 */
export const batchStates = ['draft', 'running', 'done', 'stopped'] as const;
export type BatchState = (typeof batchStates)[number];

/** Maximum number of rows of a batch. */
export const maxBatchRows = 5000;

/** How long a batch that has ended is kept, at least. */
export const batchLifetimeMs = 30 * 24 * 3_600_000;

/** How long a table that was checked, and of which nothing was created, is kept at least. */
export const draftLifetimeMs = 24 * 3_600_000;

/** Tables of an account that are checked and kept. Each may be megabytes. */
export const maxDrafts = 5;

/**
 * Batches that a new one removes at most.
 * A draft and an old one, which is few enough for a short transaction.
 */
export const batchesRemovedPerAdd = 2;

/** Kinds of tables of an account whose columns are remembered. */
export const maxColumnChoices = 100;

/** A table of codes to create, and what has become of its rows. A draft without rows waits for answers. */
export interface Batch {
  readonly id: number;
  readonly accountId: number;
  /** The design of its codes. */
  readonly designId: number;
  readonly state: BatchState;
  /** Why it was stopped. */
  readonly problem: Reason | null;
  readonly createdAtMs: number;
  readonly rows: number;
  /** Rows with a problem. No code is created for them. */
  readonly refused: number;
  /** Rows that are left out because their code exists. */
  readonly existing: number;
  /** Rows that the account holder leaves out. */
  readonly leftOut: number;
  /** What was recognized in the table, and what was changed or left out. */
  readonly notices: readonly FileNotice[];
  readonly created: number;
  /** Whether the file of a draft is kept, so that it can be read in another way. */
  readonly hasFile: boolean;
}

/** Returns whether a draft waits until somebody says what is in its columns. */
export function isAsked({ state, rows }: Pick<Batch, 'state' | 'rows'>): boolean {
  return state === 'draft' && rows === 0;
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
  /** The domain of its code; as in the file if it cannot be used, and undefined for the usual one. */
  readonly domain?: string | undefined;
  /** Why no code is created. */
  readonly problem: Reason | null;
}

/**
 * What the database keeps of the reasons by which it counts rows. Version 1.1 showed these texts, hence their form; nobody
 * reads them now.
 */
export const storedCodeExists = 'A code with this name and destination exists already.';
export const storedLeftOut = 'You left it out.';

/** Returns what the database keeps of a reason: JSON, or a text by which it counts. */
export function storedReason(reason: Reason): string {
  if (reason.kind === 'code exists') return storedCodeExists;
  if (reason.kind === 'left out') return storedLeftOut;
  return reason.kind === 'as stored' ? reason.text : JSON.stringify(reason);
}

/** Returns the reason that the database keeps. Version 1.1 and earlier ones kept sentences. */
export function reasonOfStored(stored: string): Reason {
  if (stored === storedCodeExists) return { kind: 'code exists' };
  if (stored === storedLeftOut) return { kind: 'left out' };
  // The cast is safe: only `storedReason` writes texts that begin so.
  return stored.startsWith('{"kind":')
    ? (JSON.parse(stored) as Reason)
    : { kind: 'as stored', text: stored };
}

/** Returns what the database keeps of notices: JSON, one in a line. */
export function storedNotices(notices: readonly FileNotice[]): string {
  return notices
    .map((notice) => (notice.kind === 'notice as stored' ? notice.text : JSON.stringify(notice)))
    .join('\n');
}

/** Returns the notices that the database keeps. Version 1.1 and earlier ones kept sentences. */
export function noticesOfStored(stored: string): FileNotice[] {
  if (stored === '') return [];
  return stored.split('\n').map((line) =>
    // The cast is safe: only `storedNotices` writes lines that begin so.
    line.startsWith('{"kind":')
      ? (JSON.parse(line) as FileNotice)
      : { kind: 'notice as stored', text: line },
  );
}

/** A row and its code, once it is created. */
export interface BatchRowOutcome extends BatchRow {
  readonly code: string | null;
}

/** Selects rows by their outcome. Those that are left out, or whose code exists, are not `refused`. */
export type BatchRowFilter = 'all' | 'refused' | 'leftOut' | 'created' | 'pending';

import type { SpreadsheetProblem } from '../../../lib/spreadsheet/cells.ts';
import type { Reading } from './encodings.ts';

/** The first of several names or numbers, which a sentence lists. */
export interface Listed<T> {
  readonly first: readonly T[];
  /** How many there are beside these. */
  readonly others: number;
}

// More would hide the rest of a sentence.
const maxListed = 10;

/** Returns the first of several names or numbers. */
export function listed<T>(all: readonly T[], max = maxListed): Listed<T> {
  return { first: all.slice(0, max), others: Math.max(0, all.length - max) };
}

/** Why a file of a table or an export of links is not read. */
export type FileReason = TableFileReason | LinkFileReason;

/** Why a file of a table of codes is not read, which any file of links may meet too. */
export type TableFileReason =
  | SpreadsheetProblem
  | TableReason
  | { readonly kind: 'file too large'; readonly maxBytes: number }
  | { readonly kind: 'file takes too long'; readonly isSpreadsheet: boolean }
  | { readonly kind: 'too much text in the file' }
  | { readonly kind: 'control characters in the file' }
  | { readonly kind: 'file without sheets' }
  | { readonly kind: 'several sheets'; readonly sheets: readonly string[] }
  | { readonly kind: 'file is no text' }
  | { readonly kind: 'letters not known'; readonly readings: readonly Reading[] }
  | { readonly kind: 'not in this encoding'; readonly encoding: string }
  | { readonly kind: 'file is a PDF' }
  | { readonly kind: 'file is a picture' }
  | { readonly kind: 'file is a ZIP file' }
  | { readonly kind: 'encrypted spreadsheet' }
  | { readonly kind: 'old spreadsheet' }
  | { readonly kind: 'file is markup' };

/** Why a file is no table of codes. */
type TableReason =
  | { readonly kind: 'too many rows'; readonly max: number }
  | { readonly kind: 'too many columns in a table'; readonly row: number; readonly max: number }
  | { readonly kind: 'table is JSON' }
  | { readonly kind: 'table without rows' }
  | { readonly kind: 'several such columns'; readonly column: string }
  | {
      readonly kind: 'no such column';
      readonly column: string;
      readonly columns: Listed<string>;
    };

/** Why a file is no export of links. Commands alone read these. */
export type LinkFileReason =
  | { readonly kind: 'too many links'; readonly max: number }
  | { readonly kind: 'too many columns of links'; readonly row: number; readonly max: number }
  | { readonly kind: 'file without links' }
  | { readonly kind: 'file is an SQL dump' }
  | LinkColumnsQuestion
  | { readonly kind: 'column chosen twice'; readonly column: string }
  | {
      readonly kind: 'not this export';
      readonly unknown: Listed<string>;
      readonly missing: Listed<string>;
    }
  | { readonly kind: 'links without a header' }
  | { readonly kind: 'JSON without links' }
  | { readonly kind: 'JSON with too many fields' }
  | { readonly kind: 'JSON with several lists'; readonly lists: Listed<string> }
  | { readonly kind: 'broken JSON' };

/** What has to be asked about a table of links. */
export interface LinkColumnsQuestion {
  readonly kind: 'columns of links not known';
  /** Columns by header and first value, as far as somebody can choose one. */
  readonly columns: readonly { readonly header: string; readonly value: string }[];
  readonly hasHeader: boolean;
  /** Whether the first row may be a header as well as a link. */
  readonly isHeaderOpen: boolean;
  readonly isSeparatorOpen: boolean;
  readonly missing: readonly ('address' | 'destination' | 'active')[];
  /** Values of the column that says whether links are active, the most frequent first. */
  readonly states: Listed<{ readonly value: string; readonly links: number }> | null;
  /** Active values that no link has. */
  readonly unknownStates: readonly string[];
}

/** What was recognized in a file, or is not used or changed of it. */
export type FileNotice =
  | { readonly kind: 'read from a file'; readonly name: string }
  | { readonly kind: 'sheet read'; readonly sheet: string; readonly others: number }
  | { readonly kind: 'hidden rows'; readonly rows: Listed<number> }
  | { readonly kind: 'hidden columns'; readonly columns: Listed<string> }
  | { readonly kind: 'merged rows'; readonly ranges: Listed<string> }
  | { readonly kind: 'encoding'; readonly encoding: string }
  | { readonly kind: 'columns not used'; readonly columns: Listed<string> }
  | { readonly kind: 'https added'; readonly rows: Listed<number> }
  | { readonly kind: 'address and link differ'; readonly rows: Listed<number> }
  | { readonly kind: 'one destination'; readonly rows: number; readonly destination: string }
  | { readonly kind: 'addresses of a network'; readonly rows: Listed<number> }
  | { readonly kind: 'column with the destinations'; readonly column: string }
  /** The destination keeps its own value. */
  | {
      readonly kind: 'parameter there already';
      readonly name: string;
      readonly rows: Listed<number>;
    }
  /** The destination is no address, so that nothing was put into it. */
  | { readonly kind: 'parameters not added'; readonly rows: Listed<number> }
  | { readonly kind: 'row with the headers'; readonly row: number; readonly text: string }
  /** A sentence that an earlier version has stored. */
  | { readonly kind: 'notice as stored'; readonly text: string };

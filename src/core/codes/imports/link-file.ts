import { Refused } from '../../errors.ts';
import type { FileNotice } from '../tables/file-reasons.ts';
import type { TableBounds } from '../tables/rows.ts';
import type { Separator } from '../tables/separator.ts';
import type { TextOptions } from '../tables/text-file.ts';
import type { LinkTableOptions } from './link-table.ts';
import type { ForeignLink, LinkSource } from './sources.ts';

/** Maximum number of links in a file. */
export const maxImportedLinks = 50_000;

/** Bounds of a file. The bytes are 50,000 links with long addresses. */
export const linkFileBounds: TableBounds = {
  maxBytes: 20_000_000,
  // With the header.
  maxRows: maxImportedLinks + 1,
  maxLines: 10 * maxImportedLinks,
  tooLong: { kind: 'too many links', max: maxImportedLinks },
  tooWide: (row, max) => ({ kind: 'too many columns of links', row, max }),
};

/** How an export of links is read. */
export interface LinkFileOptions extends TextOptions, LinkTableOptions {
  /** Sheet of a spreadsheet, which has to be named where several have rows. */
  readonly sheet?: string | undefined;
  /** Default: the one whose export has exactly these fields. `csv` is a table. */
  readonly source?: LinkSource | undefined;
  readonly separator?: Separator | undefined;
}

/** The links of a file. */
export interface LinkFile {
  readonly source: LinkSource;
  readonly links: readonly ForeignLink[];
  /** Rows that cannot be read at all. */
  readonly broken: readonly number[];
  /** Columns of a table that are not read. */
  readonly ignoredColumns: readonly string[];
  /** What was recognized. */
  readonly notices: readonly FileNotice[];
  /** Names of the sheets that were not read, if there are any. */
  readonly otherSheets?: readonly string[];
  /** How many links there are, if a document says that it has only some of them. */
  readonly total?: number;
  /** Whether a document says that it is one page of several, or is as long as a page. */
  readonly more?: 'said' | 'likely';
}

/** What is read of a file in text form. */
export type ParsedLinks = Omit<LinkFile, 'notices' | 'otherSheets'>;

/** Refuses a file with more links than can be imported. @throws Refused */
export function requireFew(links: number): void {
  if (links > maxImportedLinks) throw new Refused(linkFileBounds.tooLong);
}

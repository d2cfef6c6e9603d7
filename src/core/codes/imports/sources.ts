import type { SheetCell } from '../../../lib/spreadsheet/cells.ts';
import type { LinkReason, RowReason } from '../../reasons.ts';
import type { LinkLabelName } from '../fields.ts';

/** Why a link does not simply redirect at the other service. It is imported paused. */
export type InactiveReason =
  | 'archived'
  | 'banned'
  | 'deleted'
  | 'disabled'
  | 'expired'
  | 'not said to be active'
  | 'not started'
  | 'password'
  | 'unknown'
  | 'used up';

/** What a link does at the other service and an imported one does not. */
export type Difference =
  /** It leads elsewhere by device, country, language or share, or shows the page in a frame. */
  | 'targeted'
  /** The service adds parameters to the destination. */
  | 'parameters'
  /** It ends at a time or a number of scans. */
  | 'ends';

/** Bounds in time and number after which the other service does not redirect, or before. */
export const boundNames = ['starts', 'expires', 'maxScans'] as const;
export type Bound = (typeof boundNames)[number];

/** A link of another service, as its export has it. Texts are not parsed yet; missing ones are empty. */
export interface ForeignLink
  extends Readonly<Record<LinkLabelName, string>>,
    Readonly<Partial<Record<Bound, string>>> {
  /** Position in the file, from 1: the record of a table, which may have a header, or the link of a list. */
  readonly row: number;
  /** Printed address, or its path. */
  readonly short: string;
  /** Domain of this server at which it was printed, as the file names it; undefined where it names none. */
  readonly domain?: string | undefined;
  readonly destination: string;
  readonly scans: string;
  readonly created: string;
  readonly lastScan: string;
  /** Whether the link has another address before this one, at which its scans are counted. */
  readonly isFurther?: boolean;
  /** Why its cells cannot be used, in words. */
  readonly problem?: RowReason | LinkReason;
  /** Why it does not simply redirect there, as far as that is a state. */
  readonly inactive?: InactiveReason;
  /** What it does there beside that. */
  readonly differences?: readonly Difference[];
}

/** `csv` is any table whose columns are the product's own words, or were named by somebody. */
export const linkSources = ['csv', 'shlink', 'kutt', 'yourls', 'dub', 'bitly'] as const;
export type LinkSource = (typeof linkSources)[number];

/** Reads links from values in the order of named fields. */
export interface LinkReader {
  readonly source: LinkSource;
  /** Names of the fields that are not read. */
  readonly ignored: readonly string[];
  /** Returns a link for each printed address of a row. */
  read(row: number, cells: readonly SheetCell[]): ForeignLink[];
}

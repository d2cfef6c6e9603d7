import { delimiters, detectDelimiter, splitCsvRow } from '../../../lib/csv.ts';
import type { Sheet } from '../../../lib/spreadsheet/cells.ts';
import { trimInvisible } from '../../../lib/trim.ts';
import { Refused } from '../../errors.ts';
import { contentOf, filledRows, splitProblem, type TableRow, withNotices } from '../tables/rows.ts';
import { type Separator, separators } from '../tables/separator.ts';
import { readSheet, type TextOptions } from '../tables/text-file.ts';
import { type LinkFile, linkFileBounds, type ParsedLinks, requireFew } from './link-file.ts';
import { parseJsonLinks } from './parse-json.ts';
import {
  detectSource,
  type ForeignLink,
  type LinkReader,
  type LinkSource,
  linkReader,
} from './sources.ts';

/**
 * Reads the export of another service, see {@link parseLinkFile}.
 *
 * @throws Refused, with `several sheets` when somebody has to choose
 */
export async function readLinkFile(file: Uint8Array, options: LinkFileOptions): Promise<LinkFile> {
  return parseLinkFile(await readSheet(file, options.sheet, linkFileBounds), options);
}

/** How an export of links is read. */
export interface LinkFileOptions extends TextOptions {
  /** Sheet of a spreadsheet, which has to be named where several have rows. */
  readonly sheet?: string | undefined;
  /** Default: the one that is found. */
  readonly source?: LinkSource | undefined;
  readonly separator?: Separator | undefined;
}

/**
 * Parses the export of another service: CSV, JSON or a sheet of a spreadsheet.
 *
 * @param file a file in text form, or a sheet
 * @throws Refused when the file is no such export, and with `several sheets` or `letters not known` when somebody has
 *   to choose
 */
export function parseLinkFile(
  file: Uint8Array | string | Sheet,
  options: LinkFileOptions = {},
): LinkFile {
  const { sheet, source = null } = options;
  const content = contentOf(file, linkFileBounds, options);
  if (content.isEncodingOpen)
    throw new Refused({ kind: 'letters not known', readings: content.readings });
  const { text, notices, otherSheets, sheets } = content;
  if (sheet === undefined && sheets.length > 1)
    throw new Refused({ kind: 'several sheets', sheets });
  if (text !== null) rejectSqlDump(text);
  const isJson = text !== null && /^\s*[[{]/.test(text);
  const found = withNotices(notices, () => {
    const read = isJson
      ? parseJsonLinks(text, source)
      : parseRows(
          filledRows(content, (lines) => delimiterOf(lines, options), linkFileBounds),
          source,
          text !== null,
        );
    if (read.links.length + read.broken.length === 0)
      throw new Refused({ kind: 'file without links' });
    return read;
  });
  return { ...found, notices, ...(otherSheets.length > 0 && { otherSheets }) };
}

// Enough to see how a file is made.
const sampleLength = 20_000;

// The first statements of dumps by mysqldump, phpMyAdmin, pg_dump and sqlite3.
const statement =
  /^[ \t]*(?:INSERT\s+(?:IGNORE\s+)?INTO\s|CREATE\s+TABLE\s|LOCK\s+TABLES\s|DROP\s+TABLE\s|COPY\s+\S+\s+\()/im;

/** @throws Refused when a text is a dump of a database */
function rejectSqlDump(text: string): void {
  if (statement.test(text.slice(0, sampleLength)))
    throw new Refused({ kind: 'file is an SQL dump' });
}

function parseRows(
  rows: Iterable<TableRow>,
  source: LinkSource | null,
  isText: boolean,
): ParsedLinks {
  const links: ForeignLink[] = [];
  const broken: number[] = [];
  let format: LinkFormat | null = null;
  for (const { row, cells } of rows) {
    if (format === null) {
      if (cells === null) throw new Refused({ kind: 'links without a header' });
      const names = cells.map(({ text }) => text);
      const known = readHeader(names, source);
      format = known ?? headerless(names);
      if (known !== null) continue;
    }
    if (cells === null) broken.push(row);
    else {
      const problem = isText ? splitProblem(cells, format.headerWidth) : null;
      for (const link of format.reader.read(row, cells))
        links.push(problem === null ? link : { ...link, problem });
    }
    requireFew(links.length + broken.length);
  }
  const { source: found = 'csv', reader } = format ?? {};
  return { source: found, links, broken, ignoredColumns: reader?.ignored ?? [] };
}

/**
 * Returns the delimiter that makes the first line a header, else the most likely one.
 * Names in other lines may have more of another delimiter.
 */
function delimiterOf(
  lines: readonly string[],
  { source, separator }: Pick<LinkFileOptions, 'source' | 'separator'>,
): string {
  if (separator !== undefined) return separators[separator];
  const [header = ''] = lines;
  const isHeader = (delimiter: string) =>
    readHeader((splitCsvRow(header, delimiter) ?? []).map(trimInvisible), source ?? null) !== null;
  return delimiters.find(isHeader) ?? detectDelimiter(lines);
}

/** How the rows of a table are read. */
interface LinkFormat {
  readonly source: LinkSource;
  readonly reader: LinkReader;
  /** Number of cells of the header; null without one. */
  readonly headerWidth: number | null;
}

function readHeader(cells: readonly string[], source: LinkSource | null): LinkFormat | null {
  const chosen = source ?? detectSource(cells);
  const reader = linkReader(cells, chosen);
  return reader && { source: chosen, reader, headerWidth: cells.length };
}

/** Reads a table of paths, destinations and names without a header. @throws Refused for any other */
function headerless(cells: readonly string[]): LinkFormat {
  const reader = linkReader(['path', 'destination', 'name'], 'csv');
  if (reader === null || !/^https?:\/\//i.test(cells[1] ?? ''))
    throw new Refused({ kind: 'links without a header' });
  return { source: 'csv', reader, headerWidth: null };
}

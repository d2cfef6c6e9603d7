import { splitCsvRow } from '../../../lib/csv.ts';
import type { Sheet } from '../../../lib/spreadsheet/cells.ts';
import { trimInvisible } from '../../../lib/trim.ts';
import { Refused } from '../../errors.ts';
import { contentOf, filledRows, splitProblem, type TableRow, withNotices } from '../tables/rows.ts';
import { separatorOf, separators } from '../tables/separator.ts';
import { readSheet } from '../tables/text-file.ts';
import { exportReader, isExport, rejectAsExport } from './exports.ts';
import {
  type LinkFile,
  type LinkFileOptions,
  linkFileBounds,
  type ParsedLinks,
  requireFew,
} from './link-file.ts';
import { linkTable, namedLinkColumn } from './link-table.ts';
import { parseJsonLinks } from './parse-json.ts';
import type { ForeignLink, LinkReader } from './sources.ts';

/**
 * Reads the export of another service, see {@link parseLinkFile}.
 *
 * @throws Refused, with `several sheets` when somebody has to choose
 */
export async function readLinkFile(file: Uint8Array, options: LinkFileOptions): Promise<LinkFile> {
  return parseLinkFile(await readSheet(file, options.sheet, linkFileBounds), options);
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
  const { sheet } = options;
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
      ? parseJsonLinks(text, options, (names) => knownReader(names, options, false))
      : parseContent(content, options);
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

function parseContent(
  content: ReturnType<typeof contentOf>,
  options: LinkFileOptions,
): ParsedLinks {
  let isSeparatorOpen = false;
  const delimiterOf = (lines: readonly string[]): string => {
    const found = delimiterIn(lines, options);
    isSeparatorOpen = found.isOpen;
    return found.delimiter;
  };
  const rows = [...filledRows(content, delimiterOf, linkFileBounds)];
  return parseRows(rows, options, { isText: content.text !== null, isSeparatorOpen });
}

function parseRows(
  rows: readonly TableRow[],
  options: LinkFileOptions,
  { isText, isSeparatorOpen }: { readonly isText: boolean; readonly isSeparatorOpen: boolean },
): ParsedLinks {
  const [first, ...others] = rows;
  if (first === undefined) throw new Refused({ kind: 'file without links' });
  if (first.cells === null) throw new Refused({ kind: 'links without a header' });
  const names = first.cells.map(({ text }) => text);
  const known = knownReader(names, options, true);
  const table =
    known === null
      ? linkTable(
          rows.map(({ cells }) => cells ?? []),
          null,
          options,
          { isText, isSeparatorOpen },
        )
      : { reader: known, hasHeader: true };
  const headerWidth = table.hasHeader ? names.length : null;
  const links: ForeignLink[] = [];
  const broken: number[] = [];
  for (const { row, cells } of table.hasHeader ? others : rows) {
    if (cells === null) broken.push(row);
    else {
      const problem = isText ? splitProblem(cells, headerWidth) : null;
      for (const link of table.reader.read(row, cells))
        links.push(problem === null ? link : { ...link, problem });
    }
    requireFew(links.length + broken.length);
  }
  const { source, ignored } = table.reader;
  return { source, links, broken, ignoredColumns: ignored };
}

/**
 * Returns the reader of the export of a service; null for a table.
 * A file whose columns somebody names is a table.
 *
 * @throws Refused when the file is not the export of the service that was named
 */
function knownReader(
  names: readonly string[],
  { source, linkColumns = [] }: LinkFileOptions,
  isTable: boolean,
): LinkReader | null {
  if (source === 'csv' || linkColumns.length > 0) return null;
  const reader = exportReader(names, source ?? null, isTable);
  if (reader === null && source !== undefined) rejectAsExport(names, source);
  return reader;
}

/** Returns the delimiter that makes the first line the header of an export, or of a table. */
function delimiterIn(
  lines: readonly string[],
  { source, separator }: LinkFileOptions,
): { readonly delimiter: string; readonly isOpen: boolean } {
  if (separator !== undefined) return { delimiter: separators[separator], isOpen: false };
  const [header = ''] = lines;
  const isHeader = (delimiter: string) =>
    isExport((splitCsvRow(header, delimiter) ?? []).map(trimInvisible), source ?? null);
  const exact = [',', ';', '\t'].find(isHeader);
  if (exact !== undefined) return { delimiter: exact, isOpen: false };
  const found = separatorOf(lines, (cell) => namedLinkColumn(cell) !== null);
  return { delimiter: separators[found.separator], isOpen: found.isOpen };
}

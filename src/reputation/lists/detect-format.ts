import type { ListFormat } from '../../core/safety/threat-lists.ts';
import { commonWidth, detectDelimiter, splitCsvRow } from '../../lib/csv.ts';
import { InvalidListRequest } from '../errors.ts';
import {
  isEntries,
  type LineReader,
  looksLikeAddress,
  readAdblockLine,
  readEntry,
  readHostsLine,
  readPlainLine,
} from './formats.ts';

/** The format of a list, as far as the operator gave it; the rest is detected. */
export interface FormatOptions {
  readonly format?: ListFormat;
  /** For CSV: a heading, or a position from 1. */
  readonly column?: string | number;
}

/**
 * Chooses how to read the lines of a list.
 *
 * @param sample its first lines, trimmed, without empty ones
 * @throws InvalidListRequest for a web page, or a CSV file without such a column
 */
export function chooseReader(
  sample: readonly string[],
  { format: givenFormat, column }: FormatOptions,
): { format: ListFormat; read: LineReader } {
  // A server may respond 200 with an error page, in which some line would pass for an entry.
  if (sample[0]?.startsWith('<'))
    throw new InvalidListRequest('This is a web page or XML, not a list.');
  const given = givenFormat ?? (column === undefined ? null : 'csv');
  const format = given ?? detectFormat(sample);
  if (format === 'csv') return { format, read: createCsvReader(sample, column) };
  const read = readers[format];
  return { format, read: given === null ? readMixedFormats(read) : read };
}

const readers = { lines: readPlainLine, hosts: readHostsLine, adblock: readAdblockLine };

/** Lists are merged from many origins: a line that can only be of another format is read as such. */
function readMixedFormats(usual: LineReader): LineReader {
  return (line) => {
    if (isAdblockRule(line)) return readAdblockLine(line);
    return isHostsLine(line) ? readHostsLine(line) : usual(line);
  };
}

function isAdblockRule(line: string): boolean {
  return line.startsWith('||') || line.startsWith('@@');
}

function isHostsLine(line: string): boolean {
  const end = line.search(/\s/);
  return end !== -1 && looksLikeAddress(line.slice(0, end)) && !/^\s+[#;]/.test(line.slice(end));
}

function detectFormat(sample: readonly string[]): ListFormat {
  const lines = sample.filter((line) => !line.startsWith('#') && !line.startsWith('!'));
  const share = (test: (line: string) => boolean) =>
    lines.filter(test).length / Math.max(1, lines.length);
  if (/^\[adblock/i.test(sample[0] ?? '') || share(isAdblockRule) >= 0.5) return 'adblock';
  if (share(isHostsLine) >= 0.5) return 'hosts';
  return isTable(lines) ? 'csv' : 'lines';
}

/** Returns whether most rows have the same width, and most of those hold an entry. */
function isTable(lines: readonly string[]): boolean {
  const [only = ''] = lines;
  // A single URL may contain a comma.
  if (lines.length === 0 || (lines.length === 1 && isEntries(readEntry(only)))) return false;
  const delimiter = detectDelimiter(lines);
  const rows = lines.map((line) => splitCsvRow(line, delimiter) ?? []);
  const width = commonWidth(rows);
  const regular = rows.filter((row) => row.length === width);
  // One quoted field per row is a table too; unquoted it is a plain line.
  const isQuoted = lines.every((line) => line.startsWith('"'));
  if ((width < 2 && !isQuoted) || regular.length * 2 < rows.length) return false;
  const withEntry = regular.filter((row) =>
    row.some((field) => isEntries(readEntry(field.trim()))),
  );
  return withEntry.length * 2 >= regular.length;
}

// The first of these headings that is found marks the column of entries.
const entryHeadings = [
  'url',
  'uri',
  'link',
  'domain',
  'host',
  'hostname',
  'fqdn',
  'ioc',
  'ioc_value',
];

/** Reads one column of a table: the given one, or the one that is found to hold entries. */
function createCsvReader(
  sample: readonly string[],
  given: string | number | undefined,
): LineReader {
  const lines = sample.filter((line) => !line.startsWith('#'));
  const delimiter = detectDelimiter(lines);
  const rows = lines.map((line) => splitCsvRow(line, delimiter) ?? []);
  const column = given === undefined ? findColumn(rows) : columnNamed(rows, given);
  if (column === null)
    throw new InvalidListRequest(
      given === undefined
        ? 'No column of this CSV file holds domains or URLs.'
        : `This CSV file has no column ${JSON.stringify(given)}.`,
    );
  const heading = rows[0]?.[column];
  return (line) => {
    if (line.startsWith('#')) return [];
    const fields = splitCsvRow(line, delimiter);
    if (fields === null) return { unreadable: 'a quotation mark is not closed' };
    const field = fields[column];
    if (field === undefined) return { unreadable: `has no column ${column + 1}` };
    const content = readEntry(field.trim());
    return !isEntries(content) && field === heading ? [] : content;
  };
}

function columnNamed(rows: readonly string[][], given: string | number): number | null {
  if (typeof given === 'number') return Number.isInteger(given) && given >= 1 ? given - 1 : null;
  const column = headingsOf(rows).indexOf(given.trim().toLowerCase());
  return column === -1 ? null : column;
}

/** Finds the column by its heading, or else the one with the most entries in the sample. */
function findColumn(rows: readonly string[][]): number | null {
  const headings = headingsOf(rows);
  const named = entryHeadings.map((name) => headings.indexOf(name)).find((index) => index !== -1);
  if (named !== undefined) return named;
  const entries = headings.map(
    (_, column) => rows.filter((row) => isEntries(readEntry((row[column] ?? '').trim()))).length,
  );
  const most = Math.max(0, ...entries);
  return most === 0 ? null : entries.indexOf(most);
}

function headingsOf([first = []]: readonly string[][]): string[] {
  return first.map((heading) => heading.trim().toLowerCase());
}

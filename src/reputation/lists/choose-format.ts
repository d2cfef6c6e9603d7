import {
  type FormatOptions,
  InvalidListRequest,
  type ListFormat,
} from '../../core/safety/threat-lists.ts';
import { commonWidth, detectDelimiter, splitCsvRow } from '../../lib/csv.ts';
import {
  isAdblockRule,
  isEntries,
  isHostsLine,
  type LineReader,
  readEntry,
  readLine,
} from './parse-line.ts';

/**
 * Returns the format of a list and the parser of its lines.
 *
 * @param sample its first lines, trimmed, without empty ones and comments
 * @throws InvalidListRequest for a web page, or a CSV file without the given or any usable column
 */
export function chooseReader(
  sample: readonly string[],
  { format: given, column }: FormatOptions,
): { format: ListFormat; read: LineReader } {
  // A server may respond 200 with an error page, some line of which would parse as an entry.
  if (sample[0]?.startsWith('<'))
    throw new InvalidListRequest('This is a web page or XML, not a list.');
  const isCsv = given === undefined ? column !== undefined || isTable(sample) : given === 'csv';
  return isCsv
    ? { format: 'csv', read: createCsvReader(sample, column) }
    : { format: 'text', read: readLine };
}

/** Returns whether most rows have the same width, and most of those hold an entry. */
function isTable(sample: readonly string[]): boolean {
  const [only = ''] = sample;
  // A single URL may contain a comma.
  if (sample.length === 0 || (sample.length === 1 && isEntry(only))) return false;
  // Tabs and `|` separate fields as well.
  const isText = (line: string) => isHostsLine(line) || isAdblockRule(line);
  if (sample.filter(isText).length * 2 >= sample.length) return false;
  const { rows } = splitRows(sample);
  const width = commonWidth(rows);
  const regular = rows.filter((row) => row.length === width);
  if (width < 2 || regular.length * 2 < rows.length) return false;
  return regular.filter((row) => row.some(isEntry)).length * 2 >= regular.length;
}

function splitRows(lines: readonly string[]) {
  const delimiter = detectDelimiter(lines);
  return { delimiter, rows: lines.map((line) => splitCsvRow(line, delimiter) ?? []) };
}

function isEntry(field: string): boolean {
  return isEntries(readEntry(field.trim()));
}

/** Reads one column of a table: the given one, or the one that is found to hold entries. */
function createCsvReader(
  sample: readonly string[],
  given: string | number | undefined,
): LineReader {
  const { delimiter, rows } = splitRows(sample);
  const column = given === undefined ? findColumn(rows) : columnNamed(rows, given);
  if (column === -1)
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

// The first of these headings that is found marks the column of entries.
const entryHeadings = ['url', 'uri', 'domain', 'host', 'hostname', 'fqdn', 'ioc', 'ioc_value'];

/** Finds the column by its heading, or else the one with the most entries in the sample; else -1. */
function findColumn(rows: readonly string[][]): number {
  const headings = headingsOf(rows);
  const named = entryHeadings.map((name) => headings.indexOf(name)).find((index) => index !== -1);
  if (named !== undefined) return named;
  const entries = headings.map(
    (_, column) => rows.filter((row) => isEntry(row[column] ?? '')).length,
  );
  const most = Math.max(0, ...entries);
  return most === 0 ? -1 : entries.indexOf(most);
}

function columnNamed(rows: readonly string[][], given: string | number): number {
  return typeof given === 'number'
    ? given - 1
    : headingsOf(rows).indexOf(given.trim().toLowerCase());
}

function headingsOf([first = []]: readonly string[][]): string[] {
  return first.map((heading) => heading.trim().toLowerCase());
}

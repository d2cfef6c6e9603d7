import { InvalidListRequest } from '../errors.ts';
import { createCsvReader, delimiterOf, splitRow, usualWidth } from './csv.ts';
import {
  isEntries,
  type LineReader,
  type ListFormat,
  looksLikeAddress,
  readAdblockLine,
  readEntry,
  readHostsLine,
  readPlainLine,
} from './formats.ts';

/** How an operator wants a file to be read; what is left out is found out. */
export interface FormatOptions {
  readonly format?: ListFormat;
  /** For CSV: a heading, or the place counted from 1. */
  readonly column?: string | number;
}

/**
 * How to read the lines of a file.
 *
 * @param sample its first lines, trimmed, without empty ones
 * @throws InvalidListRequest when this is a web page, or a CSV file that has no such column
 */
export function chooseReader(
  sample: readonly string[],
  options: FormatOptions,
): { format: ListFormat; read: LineReader } {
  // A server may answer 200 with a page of its own, and some line of that would pass for an entry.
  if (sample[0]?.startsWith('<')) {
    throw new InvalidListRequest('This is a web page or XML, not a list.');
  }
  const told = options.format ?? (options.column === undefined ? null : 'csv');
  const format = told ?? detectFormat(sample);
  if (format !== 'csv') {
    const read = readers[format];
    return { format, read: told === null ? readAlsoOtherFormats(read) : read };
  }
  const { column = null } = options;
  const read = createCsvReader(sample, column);
  if (read !== null) return { format, read };
  throw new InvalidListRequest(
    column === null
      ? 'No column of this CSV file holds domains or URLs.'
      : `This CSV file has no column ${JSON.stringify(column)}.`,
  );
}

const readers = { lines: readPlainLine, hosts: readHostsLine, adblock: readAdblockLine };

/** Lists are collected from many places: a line that can only be of another format is read as such. */
function readAlsoOtherFormats(usual: LineReader): LineReader {
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
  if (/^\[adblock/i.test(sample[0] ?? '') || share(isAdblockRule) >= 0.5) {
    return 'adblock';
  }
  if (share(isHostsLine) >= 0.5) return 'hosts';
  return isTable(lines) ? 'csv' : 'lines';
}

/** Rows of one width, and among the fields of most something that can be an entry. */
function isTable(lines: readonly string[]): boolean {
  const [only = ''] = lines;
  // A lone URL may hold a comma.
  if (lines.length === 0 || (lines.length === 1 && isEntries(readEntry(only)))) return false;
  const delimiter = delimiterOf(lines);
  const rows = lines.map((line) => splitRow(line, delimiter) ?? []);
  const width = usualWidth(rows);
  const fitting = rows.filter((row) => row.length === width);
  // One quoted field a row is a table too; unquoted it is a plain line.
  const quoted = lines.every((line) => line.startsWith('"'));
  if ((width < 2 && !quoted) || fitting.length * 2 < rows.length) return false;
  const telling = fitting.filter((row) => row.some((field) => isEntries(readEntry(field.trim()))));
  return telling.length * 2 >= fitting.length;
}

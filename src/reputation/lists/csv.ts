import { isEntries, type LineReader, readEntry } from './formats.ts';

/** Columns by these names hold what is dangerous, the first name found wins. */
const telling = ['url', 'uri', 'link', 'domain', 'host', 'hostname', 'fqdn', 'ioc', 'ioc_value'];

/**
 * Reads one column of a table. Without a column given, the one with a telling heading is taken, or
 * else the one in which the most rows of the sample hold a domain or URL.
 *
 * @param wanted the column by its heading, or by its place counted from 1
 * @returns null when there is no such column
 */
export function createCsvReader(
  sample: readonly string[],
  wanted: string | number | null,
): LineReader | null {
  const delimiter = delimiterOf(sample);
  const rows = sample
    .filter((line) => !line.startsWith('#'))
    .map((line) => splitRow(line, delimiter) ?? []);
  const column = columnOf(rows, wanted);
  if (column === null) return null;
  const heading = rows[0]?.[column];
  return (line) => {
    if (line.startsWith('#')) return [];
    const fields = splitRow(line, delimiter);
    if (fields === null) return { unreadable: 'a quotation mark is not closed' };
    const field = fields[column];
    if (field === undefined) return { unreadable: `has no column ${column + 1}` };
    const content = readEntry(field.trim());
    return !isEntries(content) && field === heading ? [] : content;
  };
}

/** The fields of a row, quoted ones unquoted (RFC 4180); null when a quotation mark stays open. */
export function splitRow(line: string, delimiter: string): string[] | null {
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    if (line[at] !== '"') {
      const end = line.indexOf(delimiter, at);
      fields.push(line.slice(at, end === -1 ? line.length : end));
      if (end === -1) return fields;
      at = end + delimiter.length;
      continue;
    }
    const quoted = /"((?:[^"]|"")*)"/y;
    quoted.lastIndex = at;
    const match = quoted.exec(line);
    if (match === null) return null;
    fields.push((match[1] ?? '').replaceAll('""', '"'));
    at = quoted.lastIndex;
    if (at >= line.length) return fields;
    if (!line.startsWith(delimiter, at)) return null;
    at += delimiter.length;
    while (line[at] === ' ') at += 1; // some exports put a space behind the delimiter
  }
}

/** The delimiter that cuts most lines into the most columns, the comma in doubt. */
export function delimiterOf(sample: readonly string[]): string {
  const rows = sample.filter((line) => !line.startsWith('#'));
  const columns = (delimiter: string) => usualWidth(rows.map((line) => line.split(delimiter)));
  return [',', ';', '\t', '|'].reduce((best, next) =>
    columns(next) > columns(best) ? next : best,
  );
}

/** How many fields the most rows have; 0 without rows. */
export function usualWidth(rows: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? 0;
}

function columnOf(rows: readonly string[][], wanted: string | number | null): number | null {
  const headings = (rows[0] ?? []).map((heading) => heading.trim().toLowerCase());
  if (typeof wanted === 'number')
    return Number.isInteger(wanted) && wanted >= 1 ? wanted - 1 : null;
  if (wanted !== null) {
    const named = headings.indexOf(wanted.trim().toLowerCase());
    return named === -1 ? null : named;
  }
  const named = telling.map((name) => headings.indexOf(name)).find((index) => index !== -1);
  if (named !== undefined) return named;
  const readable = headings.map(
    (_, column) => rows.filter((row) => isEntries(readEntry((row[column] ?? '').trim()))).length,
  );
  const most = Math.max(0, ...readable);
  return most === 0 ? null : readable.indexOf(most);
}

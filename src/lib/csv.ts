/**
 * How a cell begins that spreadsheets read as a formula (OWASP, "CSV injection").
 * With one of the signs, in full or small width too, also behind characters of no width.
 */
export const formulaStart =
  /^[\u200b-\u200f\u2060\ufeff]*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b]/;

/** Removes the apostrophe that `csvLine` puts before a formula. */
export function withoutFormulaGuard(cell: string): string {
  return cell.startsWith("'") && formulaStart.test(cell.slice(1)) ? cell.slice(1) : cell;
}

/**
 * Formats a line of CSV (RFC 4180).
 * Cells that a spreadsheet would read as a formula get an apostrophe in front. Semicolons and tabs are quoted too:
 * spreadsheets of many languages split there.
 */
export function csvLine(cells: readonly string[]): string {
  const quoted = cells
    .map((cell) => (formulaStart.test(cell) ? `'${cell}` : cell))
    .map((cell) => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${quoted.join(',')}\r\n`;
}

/**
 * Parses CSV into records of unquoted fields (RFC 4180).
 * A quoted field may contain line breaks. Yields null for a line with a quotation mark that is not closed, or that
 * something follows.
 *
 * @param text with `\n` as line break
 * @param maxFields a record with more ends after one more than that; its rest is the next record
 */
export function* csvRecords(
  text: string,
  delimiter: string,
  maxFields = Number.POSITIVE_INFINITY,
): Generator<string[] | null> {
  for (let at = 0; at < text.length; ) {
    const record = readRecord(text, at, delimiter, maxFields);
    yield record === null ? null : record.fields;
    at = record === null ? endOfLine(text, at) + 1 : record.next;
  }
}

/** Splits a row of CSV into its fields, unquoted (RFC 4180). Null when a quotation mark is not closed. */
export function splitCsvRow(line: string, delimiter: string): string[] | null {
  return readRecord(line, 0, delimiter)?.fields ?? null;
}

function readRecord(
  text: string,
  from: number,
  delimiter: string,
  maxFields = Number.POSITIVE_INFINITY,
): { fields: string[]; next: number } | null {
  const fields: string[] = [];
  let at = from;
  // A delimiter is searched for in the line only: in the whole text, that would take quadratic time.
  let lineStart = from;
  let line = text.slice(from, endOfLine(text, from));
  for (;;) {
    if (fields.length > maxFields) return { fields, next: at };
    if (text[at] === '"') {
      const close = closingQuote(text, at + 1);
      if (close === -1) return null;
      fields.push(text.slice(at + 1, close).replaceAll('""', '"'));
      at = close + 1;
      if (at > lineStart + line.length) {
        lineStart = at;
        line = text.slice(at, endOfLine(text, at));
      }
      if (at === lineStart + line.length) return { fields, next: at + 1 };
      if (!text.startsWith(delimiter, at)) return null;
      at += delimiter.length;
      // Some exports put a space between the delimiter and a quotation mark.
      if (text.startsWith(' "', at)) at += 1;
    } else {
      const end = line.indexOf(delimiter, at - lineStart);
      fields.push(line.slice(at - lineStart, end === -1 ? line.length : end));
      if (end === -1) return { fields, next: lineStart + line.length + 1 };
      at = lineStart + end + delimiter.length;
    }
  }
}

/** Returns the position of the quotation mark that closes a field; -1 when there is none. */
function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at;
  return -1;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** Delimiters of CSV, in the order of preference. */
const delimiters = [',', ';', '\t', '|'] as const;

/** Returns the delimiter that splits most rows into the most fields; the comma when in doubt. */
export function detectDelimiter(rows: readonly string[]): string {
  const width = (delimiter: string) => commonWidth(rows.map((row) => row.split(delimiter)));
  return delimiters.reduce((best, next) => (width(next) > width(best) ? next : best));
}

/** Returns the most frequent number of fields; 0 without rows. */
export function commonWidth(rows: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? 0;
}

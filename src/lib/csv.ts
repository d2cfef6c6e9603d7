/**
 * Keeps spreadsheets from reading a cell as a formula: puts an apostrophe before `=`, `+`, `-`, `@`, a tab
 * or a line break at its beginning (OWASP, "CSV injection").
 */
export function neutralizeFormula(cell: string): string {
  return /^[=+\-@\t\r\n]/.test(cell) ? `'${cell}` : cell;
}

/** Formats a line of CSV (RFC 4180). For texts that people typed, see `neutralizeFormula`. */
export function csvLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) =>
    /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  return `${quoted.join(',')}\r\n`;
}

/** Splits a row of CSV into its fields, unquoted (RFC 4180). Null when a quotation mark is not closed. */
export function splitCsvRow(line: string, delimiter: string): string[] | null {
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
    while (line[at] === ' ') at += 1; // some exports put a space after the delimiter
  }
}

/** Returns the delimiter that splits most rows into the most fields; the comma when in doubt. */
export function detectDelimiter(rows: readonly string[]): string {
  const width = (delimiter: string) => commonWidth(rows.map((row) => row.split(delimiter)));
  return [',', ';', '\t', '|'].reduce((best, next) => (width(next) > width(best) ? next : best));
}

/** Returns the most frequent number of fields; 0 without rows. */
export function commonWidth(rows: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? 0;
}

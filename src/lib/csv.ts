/**
 * A line of CSV (RFC 4180). Cells are not kept from being taken for formulas: give it none that begin with
 * `=`, `+`, `-` or `@`.
 */
export function csvLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) =>
    /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  return `${quoted.join(',')}\r\n`;
}

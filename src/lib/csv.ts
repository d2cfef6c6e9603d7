/**
 * Formats a line of CSV (RFC 4180). Does not neutralize formulas: cells must not begin with `=`, `+`,
 * `-` or `@`.
 */
export function csvLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) =>
    /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  return `${quoted.join(',')}\r\n`;
}

import qrcode from 'qrcode-generator';

const quietZoneModules = 4;

/**
 * A QR for the terminal: two rows of modules a line, in half blocks, black on white whatever the
 * terminal's own colours are, with its quiet zone. Level M: a screen takes no damage.
 */
export function drawInTerminal(text: string): string {
  const symbol = qrcode(0, 'M');
  symbol.addData(text);
  symbol.make();
  const side = symbol.getModuleCount() + 2 * quietZoneModules;
  const isDark = (row: number, column: number) => {
    const [y, x] = [row - quietZoneModules, column - quietZoneModules];
    const inside = y >= 0 && x >= 0 && y < symbol.getModuleCount() && x < symbol.getModuleCount();
    return inside && symbol.isDark(y, x);
  };
  const lines: string[] = [];
  for (let row = 0; row < side; row += 2) {
    const halves = Array.from({ length: side }, (_, column) =>
      halfBlock(isDark(row, column), isDark(row + 1, column)),
    );
    lines.push(`\x1b[30;107m${halves.join('')}\x1b[0m`);
  }
  return lines.join('\n');
}

function halfBlock(upper: boolean, lower: boolean): string {
  if (upper && lower) return '█';
  if (upper) return '▀';
  return lower ? '▄' : ' ';
}

import { describe, expect, test } from 'bun:test';
import jsQR from 'jsqr';
import { drawInTerminal } from '../../src/cli/demo/terminal-qr.ts';

const pxPerModule = 4;
const blackOnWhite = '\u001b[30;107m';
const ownColors = '\u001b[0m';

/** What a phone sees of the drawing: two rows of modules a line, dark on light. */
function photographed(drawing: string) {
  const lines = drawing.split('\n').map((line) => {
    // Each line sets black on white, and sets the terminal's own colours back behind it.
    expect(line.startsWith(blackOnWhite) && line.endsWith(ownColors)).toBe(true);
    const blocks = line.slice(blackOnWhite.length, -ownColors.length);
    expect(blocks).toMatch(/^[ ▀▄█]+$/);
    return [...blocks];
  });
  const rows = lines.flatMap((line) => [
    line.map((block) => block === '▀' || block === '█'),
    line.map((block) => block === '▄' || block === '█'),
  ]);
  const width = (rows[0]?.length ?? 0) * pxPerModule;
  const height = rows.length * pxPerModule;
  const rgba = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (rows[Math.floor(y / pxPerModule)]?.[Math.floor(x / pxPerModule)])
        rgba.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
  return { rgba, width, height };
}

describe('the QR in the terminal', () => {
  test.each([
    'http://192.168.178.21:3000/7h3k9m2x',
    'https://a-rather-long-name.example.com:8443/below/a/path/7h3k9m2x',
  ])('is read as %s', (link) => {
    const { rgba, width, height } = photographed(drawInTerminal(link));
    expect(jsQR(rgba, width, height, { inversionAttempts: 'dontInvert' })?.data).toBe(link);
  });
});

import { inflateSync } from 'node:zlib';
import type { BoxMm } from '../../core/codes/print/sheet-layout.ts';
import { hasGlyphInCaptions } from './characters.ts';
import { type Font, readFont } from './font.ts';
import { captionFontFile } from './font-file.macro.ts' with { type: 'macro' };
import { hex16, points } from './pdf.ts';

/** The font of captions. */
export const captionFont: Font = readFont(
  'DejaVuSansCondensed',
  inflateSync(Buffer.from(captionFontFile(), 'base64')),
);

/** Returns whether the font has a glyph for every character of a text. */
export function isPrintable(text: string): boolean {
  return [...normalized(text)].every(
    (character) => hasGlyphInCaptions(character) && glyphOf(character) !== 0,
  );
}

/** Composes accents with their letters, and turns any run of spaces and line breaks into a space. */
function normalized(text: string): string {
  return text.normalize('NFC').replace(/\s+/gu, ' ').trim();
}

function glyphOf(character: string): number {
  return captionFont.glyphOf(character.codePointAt(0) ?? 0);
}

const lineHeight = 1.2;
const minFontPt = 5;
const mmPerPt = 25.4 / 72;
const ellipsis = '…';

/** Returns the operators that draw a caption, and records the glyphs that they use. */
export function drawCaption(
  text: string,
  box: BoxMm,
  style: { align: 'left' | 'center'; fontPt: number; pageHeightMm: number },
  used: Map<number, string>,
): string {
  const { lines, fontPt } = fit(normalized(text), box, style.fontPt);
  const stepMm = lineHeight * fontPt * mmPerPt;
  // Beside a code, the lines are centred on its height; below one, they begin at the top.
  const blockMm = lines.length * stepMm;
  const startMm = style.align === 'left' ? (box.heightMm - blockMm) / 2 : 0;
  return lines
    .map((line, index) => {
      const widthMm = widthPt(line, fontPt) * mmPerPt;
      const left = box.leftMm + (style.align === 'left' ? 0 : (box.widthMm - widthMm) / 2);
      const baselineMm = box.topMm + startMm + index * stepMm + 0.95 * fontPt * mmPerPt;
      const at = `${points(left)} ${points(style.pageHeightMm - baselineMm)}`;
      return `BT /F ${fontPt} Tf ${at} Td <${glyphsOf(line, used)}> Tj ET\n`;
    })
    .join('');
}

function glyphsOf(line: string, used: Map<number, string>): string {
  return Array.from(line, (character) => {
    const glyph = glyphOf(character);
    used.set(glyph, character);
    return hex16(glyph);
  }).join('');
}

/** Breaks a text into lines, smaller or cut where it does not fit the box otherwise. */
function fit(text: string, box: BoxMm, fontPt: number) {
  const widthLimitPt = box.widthMm / mmPerPt;
  for (let size = fontPt; ; size -= 0.5) {
    const maxLines = Math.max(1, Math.floor((box.heightMm / mmPerPt + 0.01) / (lineHeight * size)));
    const lines = wrap(text, (line) => widthPt(line, size) <= widthLimitPt);
    if (lines.length <= maxLines) return { lines, fontPt: size };
    if (size - 0.5 >= minFontPt) continue;
    const kept = lines.slice(0, maxLines);
    let last = kept.pop() ?? '';
    while (last !== '' && widthPt(last + ellipsis, size) > widthLimitPt)
      last = [...last].slice(0, -1).join('');
    return { lines: [...kept, last.trimEnd() + ellipsis], fontPt: size };
  }
}

/** Breaks lines at spaces, and inside words that are too long for a line. */
function wrap(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const character of word) {
      if (line !== '' && !fits(line + character)) {
        lines.push(line);
        line = '';
      }
      line += character;
    }
  }
  return line === '' ? lines : [...lines, line];
}

function widthPt(line: string, fontPt: number): number {
  let width = 0;
  for (const character of line) width += captionFont.widthOf(glyphOf(character));
  return (width * fontPt) / 1000;
}

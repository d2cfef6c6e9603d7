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

/** Returns the operators that draw the lines of a caption, and records the glyphs that they use. */
export function drawCaption(
  texts: readonly string[],
  box: BoxMm,
  style: { align: 'left' | 'center'; fontPt: number; pageHeightMm: number },
  used: Map<number, string>,
): string {
  const { lines, fontPt } = fit(texts.map(normalized), box, style.fontPt);
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

/** Breaks texts into lines, smaller or cut where they do not fit the box otherwise. Each text gets a line. */
function fit(texts: readonly string[], box: BoxMm, fontPt: number) {
  const widthLimitPt = box.widthMm / mmPerPt;
  for (let size = fontPt; ; size -= 0.5) {
    const maxLines = Math.max(1, Math.floor((box.heightMm / mmPerPt + 0.01) / (lineHeight * size)));
    const fits = (line: string) => widthPt(line, size) <= widthLimitPt;
    const broken = texts.map((text) => wrap(text, fits));
    if (broken.flat().length <= maxLines) return { lines: broken.flat(), fontPt: size };
    if (size - 0.5 >= minFontPt) continue;
    let spare = Math.max(0, maxLines - texts.length);
    const kept = broken.slice(0, maxLines).map((lines) => {
      const shown = lines.slice(0, 1 + spare);
      spare -= Math.max(0, shown.length - 1);
      return shown.length < lines.length ? withEllipsis(shown, fits) : shown;
    });
    return { lines: kept.flat(), fontPt: size };
  }
}

/** Ends the last line with an ellipsis. */
function withEllipsis(lines: readonly string[], fits: (line: string) => boolean): string[] {
  let last = lines.at(-1) ?? '';
  while (last !== '' && !fits(last + ellipsis)) last = [...last].slice(0, -1).join('');
  return [...lines.slice(0, -1), last.trimEnd() + ellipsis];
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

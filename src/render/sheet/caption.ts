import { inflateSync } from 'node:zlib';
import type { BoxMm } from '../../core/codes/print/sheet-layout.ts';
import { captionFontFile } from './fonts/caption-font.macro.ts' with { type: 'macro' };
import { hasGlyphInCaptions } from './fonts/characters.ts';
import { isInvisible, type ShapedLine, type Shaper } from './fonts/shape.ts';
import { type Font, readFont } from './fonts/truetype.ts';
import { hex16, points, textObject } from './pdf.ts';

export const captionFontBytes: Uint8Array = inflateSync(Buffer.from(captionFontFile(), 'base64'));

/** The font of captions. */
export const captionFont: Font = readFont('DejaVuSansCondensed', captionFontBytes);

/** The glyphs that the captions of a file use. */
export interface UsedGlyphs {
  /** Characters by their glyphs in the font of captions. */
  readonly own: Map<number, string>;
  /** Outlines of glyphs in other fonts, by name. */
  readonly outlines: Map<string, string>;
}

/** Returns whether there are glyphs for every character of a text, and at least one. */
export function isPrintable(shaper: Shaper, text: string): boolean {
  const shown = normalized(text);
  if (shown === '' || shown.includes('\ufffd')) return false;
  return isSimple(shown) || shaper.shape(shown, shaper.isRightToLeft(shown)) !== null;
}

/**
 * Composes accents with their letters, turns any run of spaces and line breaks into a space, and leaves out emoji and
 * what has no picture. Text of the scripts that need no shaping loses joiners and marks of direction too.
 */
function normalized(text: string): string {
  const shown = text
    .toWellFormed()
    .normalize('NFC')
    .replace(emoji, keepSign)
    .replace(/[\u00ad\u200b\u2060-\u2064\ufeff]|[\ufe0e\ufe0f]|[\u{e0000}-\u{e007f}]/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const visible = [...shown].filter((character) => !isInvisible(character)).join('');
  return isSimple(visible) ? visible.replace(/ +/g, ' ').trim() : shown;
}

const emoji = /\p{RGI_Emoji}|\p{Extended_Pictographic}\ufe0f?|\p{RI}|\p{Emoji_Modifier}|\u20e3/gv;

/** Keeps signs such as © and the digit of a key cap, which the font has. */
function keepSign(found: string): string {
  const [first = ''] = found;
  return hasGlyphInCaptions(first) ? first : '';
}

/** Returns whether the font of captions has all characters, and they need no shaping. */
function isSimple(text: string): boolean {
  return [...text].every((character) => hasGlyphInCaptions(character) && glyphOf(character) !== 0);
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
  shaper: Shaper,
  texts: readonly string[],
  box: BoxMm,
  style: { align: 'left' | 'center'; fontPt: number; pageHeightMm: number },
  used: UsedGlyphs,
): string {
  const paragraphs = texts.map((text): Paragraph => {
    const shown = normalized(text);
    const isRightToLeft = !isSimple(shown) && shaper.isRightToLeft(shown);
    const shape = (line: string) =>
      isSimple(line) && !isRightToLeft ? null : shaper.shape(line, isRightToLeft);
    const widthOf = (line: string) => shape(line)?.width ?? ownWidthOf(line);
    return { text: shown, isRightToLeft, shape, widthOf };
  });
  const lines = fit(paragraphs, box, style.fontPt);
  // Beside a code, the lines are centred on its height; below one, they begin at the top.
  let topMm = box.topMm + (style.align === 'left' ? (box.heightMm - heightMm(lines)) / 2 : 0);
  return lines
    .map(({ line, fontPt, paragraph: { isRightToLeft, shape, widthOf } }) => {
      const spareMm = box.widthMm - (widthOf(line) / 1000) * fontPt * mmPerPt;
      const indentMm = style.align === 'center' ? spareMm / 2 : isRightToLeft ? spareMm : 0;
      const baselineMm = topMm + 0.95 * fontPt * mmPerPt;
      topMm += lineHeight * fontPt * mmPerPt;
      const at = `${points(box.leftMm + indentMm)} ${points(style.pageHeightMm - baselineMm)}`;
      const shaped = shape(line);
      if (shaped === null) return `BT /F ${fontPt} Tf ${at} Td <${glyphsOf(line, used)}> Tj ET\n`;
      const size = (fontPt / 1000).toFixed(6);
      const glyphs = shaped.glyphs.map(({ id, outline, x, y }) => {
        if (outline === '') return '';
        used.outlines.set(`G${id}`, outline);
        return `q 1 0 0 1 ${Math.round(x)} ${Math.round(y)} cm /G${id} Do Q\n`;
      });
      // The text itself is for search, copying and screen readers.
      const span = `/Span << /ActualText ${textObject(line)} >> BDC`;
      return `${span}\nq ${size} 0 0 ${size} ${at} cm\n${glyphs.join('')}Q\nEMC\n`;
    })
    .join('');
}

/** A text of a caption. */
interface Paragraph {
  readonly text: string;
  readonly isRightToLeft: boolean;
  /** Returns null for a line that needs no shaping. */
  shape(line: string): ShapedLine | null;
  /** Returns the width of a line in thousandths of the font size. */
  widthOf(line: string): number;
}

function glyphsOf(line: string, used: UsedGlyphs): string {
  return Array.from(line, (character) => {
    const glyph = glyphOf(character);
    used.own.set(glyph, character);
    return hex16(glyph);
  }).join('');
}

interface Line {
  readonly line: string;
  readonly paragraph: Paragraph;
  readonly fontPt: number;
}

/** Breaks paragraphs into lines, in smaller type or cut where they do not fit the box otherwise. Each has a line. */
function fit(paragraphs: readonly Paragraph[], box: BoxMm, fontPt: number): Line[] {
  const isInBox = (lines: readonly Line[]) => heightMm(lines) <= box.heightMm + 0.01;
  for (let size = fontPt; size >= minFontPt; size -= 0.5) {
    const lines = paragraphs.flatMap((paragraph) => linesOf(paragraph, box, size));
    if (isInBox(lines)) return lines;
  }
  const broken = paragraphs.map((paragraph) => linesOf(paragraph, box, minFontPt));
  const shown = broken.map((lines) => lines.slice(0, 1));
  for (const [index, lines] of broken.entries())
    for (const [at, line] of lines.entries()) {
      if (at === 0) continue;
      if (!isInBox([...shown.flat(), line])) break;
      shown[index]?.push(line);
    }
  return shown.flatMap((lines, index) => {
    const last = lines.at(-1);
    if (last === undefined || lines.length === broken[index]?.length) return lines;
    return [...lines.slice(0, -1), withEllipsis(last, box)];
  });
}

function heightMm(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + lineHeight * line.fontPt * mmPerPt, 0);
}

function fits({ paragraph, line, fontPt }: Line, box: BoxMm): boolean {
  return (paragraph.widthOf(line) / 1000) * fontPt * mmPerPt <= box.widthMm;
}

/** Breaks a paragraph into lines, in smaller type rather than inside a word, such as a short link. */
function linesOf(paragraph: Paragraph, box: BoxMm, largestPt: number): Line[] {
  const at = (fontPt: number) => {
    const broken = wrap(paragraph.text, (line) => fits({ line, paragraph, fontPt }, box));
    return { ...broken, lines: broken.lines.map((line) => ({ line, paragraph, fontPt })) };
  };
  const largest = at(largestPt);
  if (!largest.breaksWords) return largest.lines;
  for (let size = largestPt - 0.5; size >= minFontPt; size -= 0.5) {
    const smaller = at(size);
    if (!smaller.breaksWords) return smaller.lines;
  }
  return largest.lines;
}

/** Cuts a line so that an ellipsis fits behind it. */
function withEllipsis(line: Line, box: BoxMm): Line {
  let kept = line.line;
  while (kept !== '' && !fits({ ...line, line: kept + ellipsis }, box))
    kept = [...kept].slice(0, -1).join('');
  return { ...line, line: kept.trimEnd() + ellipsis };
}

const words = new Intl.Segmenter('und', { granularity: 'word' });
const characters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Breaks lines at spaces; words that are too long for a line where Thai or Chinese has words, then anywhere. */
function wrap(text: string, fits: (line: string) => boolean) {
  const lines: string[] = [];
  let line = '';
  let breaksWords = false;
  const add = (part: string, separator: string, splits: readonly Intl.Segmenter[]) => {
    const longer = line === '' ? part : line + separator + part;
    if (fits(longer)) {
      line = longer;
      return;
    }
    if (line !== '') lines.push(line);
    line = '';
    const [split, ...finer] = splits;
    if (split === characters && !fits(part)) breaksWords = true;
    if (split === undefined || fits(part)) line = part;
    else for (const { segment } of split.segment(part)) add(segment, '', finer);
  };
  for (const word of text.split(' '))
    add(word, ' ', isSimple(word) ? [characters] : [words, characters]);
  return { lines: line === '' ? lines : [...lines, line], breaksWords };
}

/** Returns the width of a line in the font of captions, in thousandths of the font size. */
function ownWidthOf(line: string): number {
  let width = 0;
  for (const character of line) width += captionFont.widthOf(glyphOf(character));
  return width;
}

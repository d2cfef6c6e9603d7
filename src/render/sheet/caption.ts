import { inflateSync } from 'node:zlib';
import type { TextLayout, TextLine } from '../../core/codes/ports.ts';
import type { BoxMm } from '../../core/codes/print/sheet-layout.ts';
import { captionFontFile } from './fonts/caption-font.macro.ts' with { type: 'macro' };
import { hasGlyphInCaptions } from './fonts/characters.ts';
import { clusters, isInvisible, type ShapedLine, type Shaper } from './fonts/shape.ts';
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
  for (const character of text) if (ownWidth(character) === null) return false;
  return true;
}

/** Widths by character: looking one up takes half of the time in which a label is laid out. */
const widths = new Map<string, number | null>();

/** Returns the width of a character in the font of captions, or null if it is not drawn with it. */
function ownWidth(character: string): number | null {
  return widths.getOrInsertComputed(character, () => {
    const glyph = hasGlyphInCaptions(character) ? glyphOf(character) : 0;
    return glyph === 0 ? null : captionFont.widthOf(glyph);
  });
}

function glyphOf(character: string): number {
  return captionFont.glyphOf(character.codePointAt(0) ?? 0);
}

const lineHeight = 1.2;
const minFontPt = 5;
/** Size of the lines around the name of a code, as a share of its size. */
const otherLines = 0.75;
const mmPerPt = 25.4 / 72;
const ellipsis = '…';

/** A line, and how it is shaped; null for one that needs no shaping. */
interface PlacedLine extends TextLine {
  readonly shaped: ShapedLine | null;
}

/** See `SheetPrinter`. */
export function layOutTexts(
  shaper: Shaper,
  { aboveText, above, caption, captionAlign, fontPt }: TextLayout,
  captions: readonly string[],
): { lines: PlacedLine[]; isCut: boolean } {
  const others = captions.length === 0 ? 1 : otherLines;
  const aboveTexts = aboveText === null ? [] : [paragraphOf(shaper, aboveText, others)];
  const below = captions.map((text, index) => paragraphOf(shaper, text, index === 0 ? 1 : others));
  const boxes = [
    { box: above, paragraphs: aboveTexts },
    { box: caption, paragraphs: above === null ? [...aboveTexts, ...below] : below },
  ].flatMap(({ box, paragraphs }) => {
    if (box === null) return [];
    const { lines, isCut } = fit(paragraphs, box, fontPt);
    return { lines: place(lines, box, captionAlign), isCut };
  });
  return {
    lines: boxes.flatMap(({ lines }) => lines),
    isCut: boxes.some(({ isCut }) => isCut),
  };
}

function paragraphOf(shaper: Shaper, text: string, share: number): Paragraph {
  const shown = normalized(text);
  const isRightToLeft = !isSimple(shown) && shaper.isRightToLeft(shown);
  const shape = (line: string) =>
    isSimple(line) && !isRightToLeft ? null : shaper.shape(line, isRightToLeft);
  const widthOf = (line: string) => shape(line)?.width ?? ownWidthOf(line);
  return { text: shown, isRightToLeft, share, shape, widthOf };
}

function place(lines: readonly Line[], box: BoxMm, align: 'left' | 'center'): PlacedLine[] {
  // Beside a code, the lines are centred on its height; below one, they begin at the top.
  let topMm = box.topMm + (align === 'left' ? (box.heightMm - heightMm(lines)) / 2 : 0);
  return lines.map(({ line, fontPt, paragraph: { isRightToLeft, shape, widthOf } }) => {
    const widthMm = (widthOf(line) / 1000) * fontPt * mmPerPt;
    const spareMm = box.widthMm - widthMm;
    const leftMm = box.leftMm + (align === 'center' ? spareMm / 2 : isRightToLeft ? spareMm : 0);
    const baselineMm = topMm + 0.95 * fontPt * mmPerPt;
    topMm += lineHeight * fontPt * mmPerPt;
    return { text: line, leftMm, baselineMm, widthMm, fontPt, isRightToLeft, shaped: shape(line) };
  });
}

/**
 * Returns the operators that draw lines on a label, and records the glyphs that they use.
 *
 * @param bottomMm distance from the lower edge of the page to the upper edge of the label
 */
export function drawLines(
  lines: readonly PlacedLine[],
  leftMm: number,
  bottomMm: number,
  used: UsedGlyphs,
): string {
  if (lines.length === 0) return '';
  const drawn = lines.map(({ text, fontPt, shaped, ...line }) => {
    const at = `${points(leftMm + line.leftMm)} ${points(bottomMm - line.baselineMm)}`;
    if (shaped === null) return `BT /F ${fontPt} Tf ${at} Td <${glyphsOf(text, used)}> Tj ET\n`;
    const size = (fontPt / 1000).toFixed(6);
    const glyphs = shaped.glyphs.map(({ id, outline, x, y }) => {
      if (outline === '') return '';
      used.outlines.set(`G${id}`, outline);
      return `q 1 0 0 1 ${Math.round(x)} ${Math.round(y)} cm /G${id} Do Q\n`;
    });
    // The text itself is for search, copying and screen readers.
    const span = `/Span << /ActualText ${textObject(text)} >> BDC`;
    return `${span}\nq ${size} 0 0 ${size} ${at} cm\n${glyphs.join('')}Q\nEMC\n`;
  });
  return `0 g ${drawn.join('')}`;
}

/** A text of a caption. */
interface Paragraph {
  readonly text: string;
  readonly isRightToLeft: boolean;
  /** Its size of type, as a share of the size of the label. */
  readonly share: number;
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

/** Breaks paragraphs into lines, in smaller type or cut where they do not fit the box otherwise. */
function fit(
  paragraphs: readonly Paragraph[],
  box: BoxMm,
  fontPt: number,
): { lines: Line[]; isCut: boolean } {
  const isInBox = (lines: readonly Line[]) => heightMm(lines) <= box.heightMm + 0.01;
  for (let size = fontPt; size >= minFontPt; size -= 0.5) {
    const lines = paragraphs.flatMap((paragraph) => {
      const own = Math.max(minFontPt, Math.round(2 * size * paragraph.share) / 2);
      return linesOf(paragraph, box, own);
    });
    if (isInBox(lines)) return { lines, isCut: false };
  }
  const broken = paragraphs.map((paragraph) => linesOf(paragraph, box, minFontPt));
  // Each has a line, as far as there is room.
  const shown = broken.map((lines) => lines.slice(0, 1));
  while (shown.length > 1 && !isInBox(shown.flat())) shown.pop();
  for (const [index, kept] of shown.entries())
    for (const line of (broken[index] ?? []).slice(1)) {
      if (!isInBox([...shown.flat(), line])) break;
      kept.push(line);
    }
  const lines = shown.flatMap((kept, index) => {
    const last = kept.at(-1);
    if (last === undefined || kept.length === broken[index]?.length) return kept;
    return [...kept.slice(0, -1), withEllipsis(last, box)];
  });
  return { lines, isCut: true };
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
    // One more than there is room for shows that the text does not fit. The rest of a long one is not looked at.
    const maxLines = 1 + Math.floor(box.heightMm / (lineHeight * minFontPt * mmPerPt) + 0.01);
    const isFitting = (line: string) => fits({ line, paragraph, fontPt }, box);
    const broken = wrap(paragraph.text, isFitting, maxLines);
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

/**
 * Breaks lines at spaces; words that are too long for a line where Thai or Chinese has words, then anywhere. Returns at
 * most `maxLines` of them.
 */
function wrap(text: string, fits: (line: string) => boolean, maxLines: number) {
  const lines: string[] = [];
  let line = '';
  let breaksWords = false;
  const add = (part: string, separator: string, splits: readonly Intl.Segmenter[]) => {
    if (lines.length >= maxLines) return;
    const longer = line === '' ? part : line + separator + part;
    if (fits(longer)) {
      line = longer;
      return;
    }
    if (line !== '') lines.push(line);
    line = '';
    const [split, ...finer] = splits;
    if (split === clusters && !fits(part)) breaksWords = true;
    if (split === undefined || fits(part)) line = part;
    else for (const { segment } of split.segment(part)) add(segment, '', finer);
  };
  for (const word of fits(text) ? [text] : text.split(' '))
    add(word, ' ', isSimple(word) ? [clusters] : [words, clusters]);
  return { lines: (line === '' ? lines : [...lines, line]).slice(0, maxLines), breaksWords };
}

/** Returns the width of a line in the font of captions, in thousandths of the font size. */
function ownWidthOf(line: string): number {
  let width = 0;
  for (const character of line) width += ownWidth(character) ?? 0;
  return width;
}

import { hasGlyphInCaptions } from '../../core/designs/print-face.ts';
import { type Face, faceOf, glyphIn, type Weight } from './fonts/faces.ts';
import { clusters, isInvisible, type ShapedLine, type Shaper } from './fonts/shape.ts';

/** A text of a label. */
export interface Paragraph {
  readonly text: string;
  readonly isRightToLeft: boolean;
  readonly weight: Weight;
  readonly face: Face;
  /** Returns null for a line that needs no shaping. */
  shape(line: string): ShapedLine | null;
  /** Returns the width of a line in thousandths of the font size. */
  widthOf(line: string): number;
}

/** Reads a text of a label. */
export function paragraphOf(shaper: Shaper, text: string, weight: Weight): Paragraph {
  const shown = normalized(text);
  const face = faceOf(weight, shown);
  const ownWidth = (line: string) => ownWidthOf(line, face);
  if (isSimple(shown)) {
    const plain = { text: shown, isRightToLeft: false, weight, face };
    return { ...plain, shape: () => null, widthOf: ownWidth };
  }
  const isRightToLeft = shaper.isRightToLeft(shown);
  const shape = (line: string) =>
    isSimple(line) && !isRightToLeft ? null : shaper.shape(line, isRightToLeft);
  const widthOf = (line: string) => shape(line)?.width ?? ownWidth(line);
  return { text: shown, isRightToLeft, weight, face, shape, widthOf };
}

/** Returns whether there are glyphs for every character of a text, and at least one. */
export function isPrintable(shaper: Shaper, text: string): boolean {
  const shown = normalized(text);
  if (shown === '' || shown.includes('\ufffd')) return false;
  return isSimple(shown) || shaper.shape(shown, shaper.isRightToLeft(shown)) !== null;
}

/**
 * Normalizes a text for print.
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

/** Returns whether the fonts of labels have all characters, and they need no shaping. */
function isSimple(text: string): boolean {
  for (const character of text) if (glyphIn('medium', character) === null) return false;
  return true;
}

const words = new Intl.Segmenter('und', { granularity: 'word' });

/**
 * Breaks lines at spaces.
 * Words that are too long for a line break where Thai or Chinese has words, then anywhere. Returns at most `maxLines`
 * of them.
 */
export function wrap(text: string, fits: (line: string) => boolean, maxLines: number) {
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

/** Returns the width of a line in the fonts of labels, in thousandths of the font size. */
function ownWidthOf(line: string, face: Face): number {
  let width = 0;
  for (const character of line) width += glyphIn(face, character)?.width ?? 0;
  return width;
}

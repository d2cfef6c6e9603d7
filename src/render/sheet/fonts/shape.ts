import { readFileSync } from 'node:fs';
import createBidi from 'bidi-js';
import type { HarfBuzzFont } from 'harfbuzzjs/hbjs.js';
import { hasGlyphInCaptions } from '../../../core/designs/print-face.ts';
import { createCache } from '../../../lib/cache.ts';
import { type FontFile, findFonts } from './font-files.ts';
import { loadHarfBuzz } from './load-harfbuzz.ts';

/** A glyph of a shaped line, in thousandths of the font size from the start of the line. */
interface ShapedGlyph {
  /** Identifies the outline in all fonts. */
  readonly id: string;
  /** Operators of a PDF that fill the glyph at the font size 1000. */
  readonly outline: string;
  readonly x: number;
  readonly y: number;
}

/** A line of text, shaped and in the order from left to right. */
export interface ShapedLine {
  readonly width: number;
  readonly glyphs: readonly ShapedGlyph[];
}

export interface Shaper {
  /** Returns the direction of a paragraph: that of its first letter. */
  isRightToLeft(text: string): boolean;
  /**
   * Shapes a line, or returns null when no font has one of its characters.
   *
   * @param isRightToLeft the direction of the paragraph
   */
  shape(text: string, isRightToLeft: boolean): ShapedLine | null;
}

interface LoadedFont {
  readonly name: string;
  readonly covers: (codePoint: number) => boolean;
  readonly font: () => { readonly scale: number; readonly shaper: HarfBuzzFont };
}

/** Text of one font and level. */
interface Run {
  text: string;
  readonly font: LoadedFont;
  readonly level: number;
}

// A name is shaped a dozen times until its lines and size are found.
const maxShapedLines = 500;

/**
 * Creates what shapes the texts of labels.
 *
 * @param ownFont file of the font of captions, which is preferred
 * @param paths see `findFonts`; fonts are read as they are needed
 */
export async function createShaper(ownFont: Uint8Array, paths: readonly string[]): Promise<Shaper> {
  const harfBuzz = await loadHarfBuzz();
  const bidi = createBidi();
  const outlines = new Map<string, string>();

  const load = (name: string, covers: LoadedFont['covers'], read: () => Uint8Array): LoadedFont => {
    let loaded: ReturnType<LoadedFont['font']> | undefined;
    const font = () => {
      if (loaded === undefined) {
        const face = harfBuzz.createFace(harfBuzz.createBlob(read()), 0);
        loaded = { scale: 1000 / face.upem, shaper: harfBuzz.createFont(face) };
      }
      return loaded;
    };
    return { name, covers, font };
  };
  const ownCovers = (code: number) => hasGlyphInCaptions(String.fromCodePoint(code));
  const fonts = [load('own', ownCovers, () => ownFont)];
  const others = findFonts(paths);

  /** Returns the first font with a glyph for each visible character of a cluster. */
  const fontOf = (cluster: string): LoadedFont | null => {
    const codes = Array.from(cluster, (character) => character.codePointAt(0) ?? 0);
    const visible = codes.filter((code) => !isInvisible(String.fromCodePoint(code)));
    const suits = ({ covers }: Pick<FontFile, 'covers'>) => visible.every(covers);
    const known = fonts.find(suits);
    if (known !== undefined) return known;
    // A `for … of` would end the generator at the first font that suits.
    let next = others.next();
    while (next.value !== undefined) {
      const { path, covers } = next.value;
      const font = load(String(fonts.length), covers, () => readFileSync(path));
      fonts.push(font);
      if (suits(font)) return font;
      next = others.next();
    }
    return null;
  };

  const shapeRun = (text: string, isRightToLeft: boolean, used: LoadedFont, start: number) => {
    const { scale, shaper } = used.font();
    const buffer = harfBuzz.createBuffer();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    buffer.setDirection(isRightToLeft ? 'rtl' : 'ltr');
    buffer.setLanguage(languageOf(text));
    harfBuzz.shape(shaper, buffer);
    let x = start;
    let isComplete = true;
    const glyphs = buffer.json().map(({ g, ax, dx, dy }): ShapedGlyph => {
      if (g === 0) isComplete = false;
      const id = `${used.name}-${g}`;
      const outline = outlines.getOrInsertComputed(id, () => operatorsOf(shaper, g, scale));
      const glyph = { id, outline, x: x + dx * scale, y: dy * scale };
      x += ax * scale;
      return glyph;
    });
    buffer.destroy();
    return isComplete ? { glyphs, end: x } : null;
  };

  const shape = (text: string, isRightToLeft: boolean): ShapedLine | null => {
    const levels = bidi.getEmbeddingLevels(text, isRightToLeft ? 'rtl' : 'ltr');
    // By the positions of their clusters.
    const runs = new Map<number, Run>();
    let last: Run | undefined;
    for (const { segment, index } of clusters.segment(text)) {
      const level = levels.levels[index] ?? 0;
      const font = fontOf(segment);
      if (font === null) return null;
      if (last?.font === font && last.level === level) last.text += segment;
      else last = { text: segment, font, level };
      runs.set(index, last);
    }
    const inOrder = bidi
      .getReorderedIndices(text, levels)
      .flatMap((index) => runs.get(index) ?? []);
    const glyphs: ShapedGlyph[] = [];
    let width = 0;
    for (const run of new Set(inOrder)) {
      const shaped = shapeRun(run.text, run.level % 2 === 1, run.font, width);
      if (shaped === null) return null;
      glyphs.push(...shaped.glyphs);
      width = shaped.end;
    }
    return { width, glyphs };
  };

  const lines = createCache<string, ShapedLine | null>(maxShapedLines);
  return {
    isRightToLeft: (text) => (bidi.getEmbeddingLevels(text).paragraphs[0]?.level ?? 0) % 2 === 1,
    shape: (text, isRightToLeft) =>
      lines.getOrInsertComputed(`${isRightToLeft} ${text}`, () => shape(text, isRightToLeft)),
  };
}

/** Splits text into what readers take for a character. */
export const clusters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Returns whether a character is never drawn, such as a soft hyphen or a joiner. */
export function isInvisible(character: string): boolean {
  return /^[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]$/u.test(character);
}

/** Chooses the forms of Han characters: fonts have those of several languages. */
function languageOf(text: string): string {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja';
  if (/\p{Script=Hangul}/u.test(text)) return 'ko';
  return /\p{Script=Han}/u.test(text) ? 'zh-hans' : 'und';
}

/** Returns the operators of a PDF that fill the outline of a glyph. */
function operatorsOf(font: HarfBuzzFont, glyph: number, scale: number): string {
  let operators = '';
  let [x, y] = [0, 0];
  for (const { type, values } of font.glyphToJson(glyph)) {
    const at = values.map((value) => value * scale);
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = at;
    if (type === 'Z') {
      operators += 'h\n';
      continue;
    }
    // A quadratic curve as a cubic one.
    const third = (from: number, control: number) => (from + 2 * control) / 3;
    const cubic = [third(x, x1), third(y, y1), third(x2, x1), third(y2, y1), x2, y2];
    operators += `${coordinates(type === 'Q' ? cubic : at)} ${operatorNames[type]}\n`;
    [x, y] = [at.at(-2) ?? 0, at.at(-1) ?? 0];
  }
  return operators === '' ? '' : `${operators}f\n`;
}

const operatorNames = { M: 'm', L: 'l', Q: 'c', C: 'c' } as const;

function coordinates(values: readonly number[]): string {
  return values.map((value) => String(Math.round(value * 10) / 10 + 0)).join(' ');
}

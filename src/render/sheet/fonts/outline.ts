import type { GlyphCommand, HarfBuzzFont } from 'harfbuzzjs/hbjs.js';
import type { CaptionOutline } from '../../path/caption.ts';
import type { Command } from '../../path/path.ts';
import { faceOf, glyphIn } from './faces.ts';
import { loadHarfBuzz } from './load-harfbuzz.ts';
import type { Font } from './truetype.ts';

interface LoadedFont {
  readonly shaper: HarfBuzzFont;
  /** Thousandths of the font size per unit of the font. */
  readonly scale: number;
}

const loaded = new Map<Font, LoadedFont>();

/**
 * Reads the letters of a caption as outlines in the bold face of labels.
 * They stand as on labels: one after the other by their widths.
 *
 * @param text as `parseCaption` returns it
 */
export async function loadCaption(text: string): Promise<CaptionOutline> {
  const harfBuzz = await loadHarfBuzz();
  const load = (font: Font): LoadedFont => {
    const face = harfBuzz.createFace(harfBuzz.createBlob(font.file), 0);
    return { shaper: harfBuzz.createFont(face), scale: 1000 / face.upem };
  };
  const face = faceOf('bold', text);
  const path: Command[] = [];
  let width = 0;
  for (const character of text) {
    const found = glyphIn(face, character) ?? glyphIn('bold', character);
    if (found === null) throw new Error(`The print face lacks ${JSON.stringify(character)}`);
    const { font, glyph } = found;
    path.push(...outlineOf(loaded.getOrInsertComputed(font, load), glyph, width));
    width += found.width;
  }
  return { path, width };
}

/** @param left added to x, in thousandths of the font size */
function outlineOf({ shaper, scale }: LoadedFont, glyph: number, left: number): Command[] {
  const toX = (x = 0) => left + x * scale;
  const toY = (y = 0) => -y * scale;
  const command = ({ type, values }: GlyphCommand): Command => {
    const [x1, y1, x2, y2] = values;
    switch (type) {
      case 'M':
        return { kind: 'move', x: toX(x1), y: toY(y1) };
      case 'L':
        return { kind: 'point', x: toX(x1), y: toY(y1) };
      case 'Q':
        return { kind: 'quadratic', controlX: toX(x1), controlY: toY(y1), x: toX(x2), y: toY(y2) };
      case 'Z':
        return { kind: 'close' };
      case 'C':
        throw new Error('A TrueType font has no cubic curves');
    }
  };
  return shaper.glyphToJson(glyph).map(command);
}

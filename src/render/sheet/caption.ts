import type { TextColors } from '../../core/codes/print/sheet-layout.ts';
import { type Face, glyphIn } from './fonts/faces.ts';
import type { Font } from './fonts/truetype.ts';
import type { PlacedLine } from './label.ts';
import { fillColor, hex16, points, textObject } from './pdf.ts';

/** The glyphs that the texts of a file use. */
export interface UsedGlyphs {
  /** Characters by their glyphs, in the fonts of labels. */
  readonly own: Map<Font, Map<number, string>>;
  /** Outlines of glyphs in other fonts, by name. */
  readonly outlines: Map<string, string>;
}

/** Returns the name of a font in the resources of pages. */
export function fontName(used: UsedGlyphs, font: Font): string {
  return `F${[...used.own.keys()].indexOf(font)}`;
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
  colors: TextColors,
  used: UsedGlyphs,
): string {
  const drawn = lines.map(({ text, fontPt, shaped, face, tone, ...line }) => {
    const color = fillColor(colors[tone]);
    const at = `${points(leftMm + line.leftMm)} ${points(bottomMm - line.baselineMm)}`;
    if (shaped === null) return `${color} BT ${at} Td ${runsOf(text, face, fontPt, used)} ET\n`;
    const size = (fontPt / 1000).toFixed(6);
    const glyphs = shaped.glyphs.map(({ id, outline, x, y }) => {
      if (outline === '') return '';
      used.outlines.set(`G${id}`, outline);
      return `q 1 0 0 1 ${Math.round(x)} ${Math.round(y)} cm /G${id} Do Q\n`;
    });
    // The text itself is for search, copying and screen readers.
    const span = `/Span << /ActualText ${textObject(text)} >> BDC`;
    return `${color}\n${span}\nq ${size} 0 0 ${size} ${at} cm\n${glyphs.join('')}Q\nEMC\n`;
  });
  return drawn.join('');
}

/** Returns the operators that show a line: a run for each change of the font. */
function runsOf(line: string, face: Face, fontPt: number, used: UsedGlyphs): string {
  const runs: { readonly font: Font; glyphs: string }[] = [];
  for (const character of line) {
    const found = glyphIn(face, character);
    if (found === null) continue;
    const { font, glyph } = found;
    used.own.getOrInsertComputed(font, () => new Map()).set(glyph, character);
    const run = runs.at(-1);
    if (run?.font === font) run.glyphs += hex16(glyph);
    else runs.push({ font, glyphs: hex16(glyph) });
  }
  return runs
    .map(({ font, glyphs }) => `/${fontName(used, font)} ${fontPt} Tf <${glyphs}> Tj`)
    .join(' ');
}

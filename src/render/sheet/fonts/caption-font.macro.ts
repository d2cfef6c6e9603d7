import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { hasGlyphInCaptions } from './characters.ts';
import { readFont } from './truetype.ts';

const path = '../../../../node_modules/dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf';

/**
 * Returns the font of captions in base64, compressed, while the program is bundled (a Bun macro): the part of
 * DejaVu Sans Condensed that captions use takes a third of the whole.
 */
export function captionFontFile(): string {
  const font = readFont('', readFileSync(join(import.meta.dir, path)));
  const glyphs: number[] = [];
  for (let code = 0x20; code <= 0xffff; code++) {
    const glyph = font.glyphOf(code);
    if (glyph !== 0 && hasGlyphInCaptions(String.fromCharCode(code))) glyphs.push(glyph);
  }
  return Buffer.from(deflateSync(font.subset(glyphs, ['cmap']), { level: 9 })).toString('base64');
}

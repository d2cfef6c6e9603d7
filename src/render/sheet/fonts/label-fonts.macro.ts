import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { hasGlyphInCaptions } from '../../../core/designs/print-face.ts';
import { readFont, unpackWoff } from './truetype.ts';

const modules = join(import.meta.dir, '../../../../node_modules');
const plex = '@fontsource/ibm-plex-sans-condensed/files/ibm-plex-sans-condensed';

/** Font files by name. The letters of a face are in two of them. */
const files: Readonly<Record<string, string>> = {
  medium: `${plex}-latin-500-normal.woff`,
  mediumExt: `${plex}-latin-ext-500-normal.woff`,
  bold: `${plex}-latin-700-normal.woff`,
  boldExt: `${plex}-latin-ext-700-normal.woff`,
  dejaVu: 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf',
};

/**
 * Returns the fonts of labels by name, in base64 and compressed.
 * They are the parts that labels use, made while the program is bundled (a Bun macro).
 */
export function labelFontFiles(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([name, path]) => [name, compressedPart(join(modules, path))]),
  );
}

function compressedPart(path: string): string {
  const file = readFileSync(path);
  const font = readFont('', path.endsWith('.woff') ? unpackWoff(file) : file);
  const glyphs: number[] = [];
  for (let code = 0x20; code <= 0xffff; code++) {
    const glyph = font.glyphOf(code);
    if (glyph !== 0 && hasGlyphInCaptions(String.fromCharCode(code))) glyphs.push(glyph);
  }
  return Buffer.from(deflateSync(font.subset(glyphs, ['cmap']), { level: 9 })).toString('base64');
}

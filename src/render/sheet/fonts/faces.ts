import { inflateSync } from 'node:zlib';
import { hasGlyphInCaptions } from '../../../core/designs/print-face.ts';
import { labelFontFiles } from './label-fonts.macro.ts' with { type: 'macro' };
import { type Font, readFont } from './truetype.ts';

const files: Readonly<Record<string, string>> = labelFontFiles();

function unpack(name: string): Uint8Array {
  return inflateSync(Buffer.from(files[name] ?? '', 'base64'));
}

/** The face of scripts that the one of labels lacks: Greek, Cyrillic, Armenian, Georgian, and signs. */
export const fallbackBytes: Uint8Array = unpack('dejaVu');
const fallback = readFont('DejaVuSansCondensed', fallbackBytes);

/** Weights of the face of labels. */
export type Weight = 'medium' | 'bold';

/** A weight of the face of labels, or the face of texts with letters that it lacks. */
export type Face = Weight | 'fallback';

/** The fonts of each face, in the order in which they are asked for a character. */
const faces: Readonly<Record<Face, readonly Font[]>> = {
  fallback: [fallback],
  medium: [
    readFont('IBMPlexSansCondensed-Medium', unpack('medium')),
    readFont('IBMPlexSansCondensed-MediumExt', unpack('mediumExt')),
    fallback,
  ],
  bold: [
    readFont('IBMPlexSansCondensed-Bold', unpack('bold')),
    readFont('IBMPlexSansCondensed-BoldExt', unpack('boldExt')),
    fallback,
  ],
};

/** Height of capitals in the face of labels, in thousandths of the font size. */
export const capHeight = 698;

/** A glyph of a font. */
export interface FaceGlyph {
  readonly font: Font;
  readonly glyph: number;
  /** In thousandths of the font size. */
  readonly width: number;
}

/** Glyphs by character: looking one up takes half of the time in which a label is laid out. */
const glyphs: Readonly<Record<Face, Map<string, FaceGlyph | null>>> = {
  medium: new Map(),
  bold: new Map(),
  fallback: new Map(),
};

/** Returns the glyph of a character, or null if no font of labels has it. */
export function glyphIn(face: Face, character: string): FaceGlyph | null {
  return glyphs[face].getOrInsertComputed(character, () => {
    if (!hasGlyphInCaptions(character)) return null;
    const code = character.codePointAt(0) ?? 0;
    const font = faces[face].find((candidate) => candidate.glyphOf(code) !== 0);
    if (font === undefined) return null;
    const glyph = font.glyphOf(code);
    return { font, glyph, width: font.widthOf(glyph) };
  });
}

/** Returns the face of a text in a weight: one for all of its letters. */
export function faceOf(weight: Weight, text: string): Face {
  for (const character of text)
    if (/\p{L}/u.test(character) && glyphIn(weight, character)?.font === fallback)
      return 'fallback';
  return weight;
}

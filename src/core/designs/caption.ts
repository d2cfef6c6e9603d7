import { Refused } from '../errors.ts';
import type { CaptionPlace, Design } from './design.ts';
import { hasGlyphInCaptions } from './print-face.ts';

/** A longer line would be too small to read on a label. */
export const maxCaptionCharacters = 24;

/**
 * Height of the strip of a caption, in modules, beyond the quiet zone.
 * The picture stays square: half of it is added on the left, and half on the right.
 */
export const captionStripModules = 8;

type CaptionSettings = Pick<Design, 'caption' | 'captionPlace'>;

/** Returns the settings of a caption, or none, so that designs without one are as before there were captions. */
export function captionSettings(caption: string | null, place: CaptionPlace): CaptionSettings {
  return caption === null ? {} : { caption, captionPlace: place };
}

/** Returns the modules that a caption adds to each side of a picture. */
export function captionModulesOf({ caption }: Pick<Design, 'caption'>): number {
  return caption === undefined ? 0 : captionStripModules;
}

/**
 * Parses the caption of a design: a call to action. Runs of spaces become one, and accents are composed with their letters.
 *
 * @returns null for an empty text
 * @throws Refused with a CaptionReason
 */
export function parseCaption(text: string): string | null {
  // Cut before it is normalized: a composed character has a few code points.
  const line = text
    .slice(0, 40 * maxCaptionCharacters)
    .normalize('NFC')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  const characters = [...line];
  const missing = new Set(characters.filter((character) => !hasGlyphInCaptions(character)));
  if (missing.size > 0)
    throw new Refused({ kind: 'caption letters missing', letters: [...missing].slice(0, 5) });
  if (text.length > 40 * maxCaptionCharacters || characters.length > maxCaptionCharacters)
    throw new Refused({ kind: 'caption too long', maxCharacters: maxCaptionCharacters });
  return line === '' ? null : line;
}

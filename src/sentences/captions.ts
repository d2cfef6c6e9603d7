import type { CaptionReason, Sentences } from '../core/reasons.ts';
import type { Texts } from '../languages/generated/texts.ts';

/** Why a text cannot be the caption of a design. */
export const captionSentences = (_: Texts): Sentences<CaptionReason> => ({
  'caption too long': ({ maxCharacters }) =>
    `A caption can have up to ${maxCharacters} characters. Shorten it.`,
  'caption letters missing': ({ letters }) =>
    `The print face lacks these characters: ${letters.map(shown).join(' ')}. It has Latin, Greek, Cyrillic, Armenian and Georgian letters. Leave them out.`,
});

/** Shows a character, by its number where it has no picture of its own. */
function shown(character: string): string {
  if (!/[\p{C}\p{M}\p{Z}]/u.test(character)) return character;
  const digits = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `U+${digits.padStart(4, '0')}`;
}

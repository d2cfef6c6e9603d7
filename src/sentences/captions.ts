import type { CaptionReason, Sentences } from '../core/reasons.ts';
import type { Texts } from '../languages/generated/texts.ts';

/** Why a text cannot be the caption of a design. */
export const captionSentences = ({ captionReasons: t }: Texts): Sentences<CaptionReason> => ({
  'caption too long': ({ maxCharacters }) => t.tooLong({ chars: maxCharacters }),
  'caption letters missing': ({ letters }) =>
    t.lettersMissing({ letters: letters.map(shown).join(' ') }),
});

/** Shows a character, by its number where it has no picture of its own. */
function shown(character: string): string {
  if (!/[\p{C}\p{M}\p{Z}]/u.test(character)) return character;
  const digits = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `U+${digits.padStart(4, '0')}`;
}

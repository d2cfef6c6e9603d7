import { Refused } from './errors.ts';

/** Maximum length of a name, in characters (code points). */
export const maxNameLength = 120;
/** Maximum length of a note, in characters (code points). */
export const maxNoteLength = 1000;

/**
 * Validates a text of one line in any script, as long as a name. Leading and trailing spaces are removed.
 *
 * @param noun what it is
 * @returns null for an empty text
 * @throws Refused
 */
export function parseLine(text: string, noun: string): string | null {
  const line = text.trim();
  if (/[\p{Cc}\u2028\u2029]/u.test(line))
    throw new Refused({ kind: 'several lines in a label', noun });
  return parseLabel(line, noun, maxNameLength);
}

/** Validates a name, see {@link parseLine}. */
export function parseName(text: string): string | null {
  return parseLine(text, 'name');
}

/**
 * Validates a note, which may have several lines. Leading and trailing spaces are removed, and line breaks
 * become `\n`.
 *
 * @returns null for an empty note
 * @throws Refused
 */
export function parseNote(text: string): string | null {
  const note = text.replaceAll(/\r\n?|\u2028|\u2029/g, '\n').trim();
  if (/[^\P{Cc}\n\t]/u.test(note))
    throw new Refused({ kind: 'control characters in a label', noun: 'note' });
  return parseLabel(note, 'note', maxNoteLength);
}

function parseLabel(text: string, noun: string, maxLength: number): string | null {
  if (!text.isWellFormed()) throw new Refused({ kind: 'label is no Unicode', noun });
  // Counts code units first, which is faster for a long text.
  if (text.length > maxLength && (text.length > 2 * maxLength || [...text].length > maxLength))
    throw new Refused({ kind: 'label too long', noun, maxLength });
  return text === '' ? null : text;
}

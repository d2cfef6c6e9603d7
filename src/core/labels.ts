import { Refused } from './errors.ts';
import type { LineNoun, LinesNoun } from './reasons.ts';

/** Maximum length of a name, in characters (code points). */
export const maxNameLength = 120;
/** Maximum length of a note, in characters (code points). */
export const maxNoteLength = 1000;

/**
 * Validates a text of one line in any script, as long as a name.
 * Leading and trailing spaces are removed.
 *
 * @param noun what it is
 * @returns null for an empty text
 * @throws Refused
 */
export function parseLine(text: string, noun: LineNoun): string | null {
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
 * Validates a note, which may have several lines.
 * Leading and trailing spaces are removed, and line breaks become `\n`.
 *
 * @returns null for an empty note
 * @throws Refused
 */
export function parseNote(text: string): string | null {
  return parseLines(text, 'note', maxNoteLength);
}

/** Validates a switch: `on`, or null for off, as people and other services write them. @throws Refused */
export function parseSwitch(text: string): 'on' | null {
  const word = text.trim().toLowerCase();
  if (['on', 'yes', 'true', 't', '1'].includes(word)) return 'on';
  if (['', 'off', 'no', 'false', 'f', '0'].includes(word)) return null;
  throw new Refused({ kind: 'neither on nor off' });
}

/** Validates a text of several lines, see {@link parseNote}. @param noun what it is */
function parseLines(text: string, noun: LinesNoun, maxLength: number): string | null {
  const lines = text.replaceAll(/\r\n?|\u2028|\u2029/g, '\n').trim();
  if (/[^\P{Cc}\n\t]/u.test(lines))
    throw new Refused({ kind: 'control characters in a label', noun });
  return parseLabel(lines, noun, maxLength);
}

function parseLabel(text: string, noun: LineNoun | LinesNoun, maxLength: number): string | null {
  if (!text.isWellFormed()) throw new Refused({ kind: 'label is no Unicode', noun });
  // Counts code units first, which is faster for a long text.
  if (text.length > maxLength && (text.length > 2 * maxLength || [...text].length > maxLength))
    throw new Refused({ kind: 'label too long', noun, maxLength });
  return text === '' ? null : text;
}

/**
 * What an account says on the page of its paused codes.
 * Texts are as written, in whatever language that is.
 */
export interface PausedTexts {
  readonly businessName: string | null;
  /** May have several lines. */
  readonly pausedMessage: string | null;
  /** An address that has been checked like a destination. */
  readonly pausedLink: string | null;
}

/** What the page of a paused code says. */
export interface ShownPausedTexts extends PausedTexts {
  /** Whether the message is the code's own, not that of its account. */
  readonly isOwnMessage: boolean;
}

/** Maximum length of a message on the page of a paused code, in characters (code points). */
export const maxPausedMessageLength = 300;

/** Validates the name of a business. @returns null for an empty one @throws Refused */
export function parseBusinessName(text: string): string | null {
  return parseLine(text, 'business name');
}

/** Validates a message for the page of a paused code. @returns null for an empty one @throws Refused */
export function parsePausedMessage(text: string): string | null {
  return parseLines(text, 'message', maxPausedMessageLength);
}

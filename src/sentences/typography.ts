import { shorten } from '../lib/text/shorten.ts';

/**
 * How a surface writes characters that typewriters lack.
 * It is the only difference between some of their sentences.
 */
export interface Typography {
  readonly quote: (text: string) => string;
  readonly apostrophe: string;
}

/** Of terminals and of the API: text that can be typed, searched and escaped. */
export const typewriter: Typography = { quote: (text) => `"${text}"`, apostrophe: "'" };

/** Of pages. */
export const typeset: Typography = { quote: (text) => `“${text}”`, apostrophe: '’' };

/** Quotes the beginning of a text from outside, with escapes of what would be invisible. */
export function quoted(text: string): string {
  return JSON.stringify(shorten(text));
}

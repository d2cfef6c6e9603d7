import { shorten } from '../lib/text/shorten.ts';

/** Quotes the beginning of a text from outside, with escapes of what would be invisible. */
export function quoted(text: string): string {
  return JSON.stringify(shorten(text));
}

/** Returns a text for quotation marks, with escapes of what would be invisible. */
export function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

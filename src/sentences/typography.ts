import { shorten } from '../lib/text/shorten.ts';

/** Quotes the beginning of a text from outside, with escapes of what would be invisible. */
export function quoted(text: string): string {
  return JSON.stringify(shorten(text));
}

import type { Listed } from '../core/codes/tables/file-reasons.ts';
import type { Texts } from '../languages/generated/texts.ts';
import { shorten } from '../lib/text/shorten.ts';
import { escaped } from './typography.ts';

type ListTexts = Pick<Texts, 'lists'>;

/** Lists texts without "and", because a sentence may go on with "and others": `a, b`. */
export function listOf(items: readonly string[], { lists: t }: ListTexts): string {
  const [first = '', ...others] = items;
  return others.reduce((list, item) => t.next({ list, item }), first);
}

/** Lists rows, columns or ranges by their numbers and letters: `2, 3 and 4 others`. */
export function numbersOf({ first, others }: Listed<string | number>, t: ListTexts): string {
  const numbers = listOf(first.map(String), t);
  return others === 0 ? numbers : t.lists.numbersAndOthers({ numbers, others });
}

/** Quotes the beginning of a text from outside, with escapes of what would be invisible. */
export function quotedName(text: string, { lists: t }: ListTexts): string {
  return t.quoted({ name: visible(text) });
}

/** Returns the beginning of a text from outside, with escapes of what would be invisible. */
export function visible(text: string): string {
  return escaped(shorten(text));
}

/** Joins sentences. */
export function sentencesOf(sentences: readonly string[], { lists: t }: ListTexts): string {
  const [first = '', ...others] = sentences;
  return others.reduce((said, sentence) => t.nextSentence({ sentences: said, sentence }), first);
}

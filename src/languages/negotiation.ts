import { findPreferred, isTraditionalChinese } from '../lib/accept-language.ts';
import { offered } from './generated/offered.ts';
import type { Language } from './languages.ts';

/** The tags of the languages that are offered, in the order of their list. */
export const languageTags = Object.keys(offered) as readonly Language[]; // keys of the table

/** Returns the language of a tag, or null if none is offered. */
export function languageOf(tag: string | null): Language | null {
  return languageTags.find((one) => one === tag) ?? null;
}

/**
 * Returns the language that `Accept-Language` prefers. English if none of them is offered.
 * A range matches by its language, whatever its region: `de-CH` gets German, `pt-PT` that of Brazil. Traditional
 * Chinese does not exist: who reads it gets the next language of the browser.
 */
export function preferredLanguage(acceptLanguage: string | null): Language {
  return findPreferred(acceptLanguage, languageOfRange) ?? 'en';
}

function languageOfRange(range: string): Language | null {
  const [name = '', ...subtags] = range.split('-');
  if (name === '*') return 'en';
  if (name === 'zh' && isTraditionalChinese(subtags)) return null;
  return languageTags.find((tag) => tag.replace(/-.*/, '') === name) ?? null;
}

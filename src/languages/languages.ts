import { findPreferred, isTraditionalChinese } from '../lib/accept-language.ts';

/** A language of the panel. */
interface LanguageFacts {
  /** Locale of `Intl`, which writes numbers, dates and lists. */
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
  /** What it calls itself. */
  readonly name: string;
}

/** The languages of the panel by their tags (BCP 47). Each has all sentences of `en.json`. */
export const languages = {
  en: { locale: 'en-GB', direction: 'ltr', name: 'English' },
} as const satisfies Readonly<Record<string, LanguageFacts>>;

export type Language = keyof typeof languages;

/** The tags of the languages, in the order in which they are offered. */
export const languageTags = Object.keys(languages) as readonly Language[]; // keys of the table

/** Returns the language of a tag, or null if there is none. */
export function languageOf(tag: string | null): Language | null {
  return languageTags.find((one) => one === tag) ?? null;
}

/**
 * Returns the language that `Accept-Language` prefers. English if none of them exists.
 * A range matches by its language, whatever its region: `de-CH` gets German, `pt-PT` that of Brazil. Traditional
 * Chinese does not exist: who reads it chooses.
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

import { asian } from './asian.ts';
import { germanic } from './germanic.ts';
import { otherEuropean } from './other-european.ts';
import { rightToLeft } from './right-to-left.ts';
import { romance } from './romance.ts';
import { slavic } from './slavic.ts';
import type { VisitorTexts } from './texts.ts';

/**
 * The visitor pages in all languages, by their tag (BCP 47).
 * A language is one entry in one of these files.
 */
export const languages = {
  ...germanic,
  ...romance,
  ...slavic,
  ...otherEuropean,
  ...rightToLeft,
  ...asian,
} as const satisfies Readonly<Record<string, VisitorTexts>>;

export type Language = keyof typeof languages;

const byLowerCase = new Map(
  Object.keys(languages).map((tag) => [tag.toLowerCase(), tag as Language]), // keys of the table
);

/** Tags of a language that are not its own one: former ones, and those of a variety that reads it. */
const aliases: ReadonlyMap<string, Language> = new Map([
  ['iw', 'he'],
  ['prs', 'fa'],
  ['mo', 'ro'],
  ['cmn', 'zh-Hans'],
  ['yue', 'zh-Hant'],
]);

// Browsers send a few languages; what follows is not what somebody reads first.
const maxHeaderChars = 500;
const maxRanges = 30;

/**
 * Returns the language that `Accept-Language` prefers (RFC 9110, 12.5.4).
 * English if none of them exists. A range matches by its language, whatever its region: `de-CH` gets German. Malformed
 * ranges are ignored.
 */
export function preferredLanguage(acceptLanguage: string | null): Language {
  let best: Language = 'en';
  let bestQuality = 0;
  for (const range of (acceptLanguage ?? '').slice(0, maxHeaderChars).split(',', maxRanges)) {
    const [tag = '', parameter = 'q=1'] = range.split(';', 2).map((part) => part.trim());
    const quality = Number(/^q=([01](?:\.\d{1,3})?)$/i.exec(parameter)?.[1] ?? 0);
    const language = quality > bestQuality ? languageOf(tag.toLowerCase()) : null;
    if (language === null) continue;
    best = language;
    bestQuality = quality;
  }
  return best;
}

/** Returns the language of a tag in lower case, or null if it does not exist here. */
function languageOf(tag: string): Language | null {
  if (tag === '*') return 'en';
  const [name = '', ...subtags] = tag.split('-');
  if (name === 'zh') return isTraditional(subtags) ? 'zh-Hant' : 'zh-Hans';
  return byLowerCase.get(name) ?? aliases.get(name) ?? null;
}

/**
 * Returns whether subtags of Chinese mean traditional characters.
 * By the script, otherwise by the region.
 */
function isTraditional(subtags: readonly string[]): boolean {
  if (subtags.includes('hans')) return false;
  return subtags.some((subtag) => ['hant', 'tw', 'hk', 'mo'].includes(subtag));
}

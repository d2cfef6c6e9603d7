import { findPreferred, isTraditionalChinese } from '../../../lib/accept-language.ts';
import { arabic } from './arabic.ts';
import { czech } from './czech.ts';
import { dutch } from './dutch.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { greek } from './greek.ts';
import { hebrew } from './hebrew.ts';
import { hindi } from './hindi.ts';
import { hungarian } from './hungarian.ts';
import { italian } from './italian.ts';
import { japanese } from './japanese.ts';
import { korean } from './korean.ts';
import { persian } from './persian.ts';
import { polish } from './polish.ts';
import { portuguese } from './portuguese.ts';
import { romanian } from './romanian.ts';
import { russian } from './russian.ts';
import { simplifiedChinese } from './simplified-chinese.ts';
import { spanish } from './spanish.ts';
import { swedish } from './swedish.ts';
import type { VisitorTexts } from './texts.ts';
import { traditionalChinese } from './traditional-chinese.ts';
import { turkish } from './turkish.ts';
import { ukrainian } from './ukrainian.ts';

/** The visitor pages in all languages, by their tag (BCP 47). Each language is a file. */
export const languages = {
  en: english,
  de: german,
  nl: dutch,
  sv: swedish,
  fr: french,
  it: italian,
  es: spanish,
  pt: portuguese,
  ro: romanian,
  pl: polish,
  cs: czech,
  uk: ukrainian,
  ru: russian,
  hu: hungarian,
  el: greek,
  tr: turkish,
  ar: arabic,
  he: hebrew,
  fa: persian,
  hi: hindi,
  'zh-Hans': simplifiedChinese,
  'zh-Hant': traditionalChinese,
  ja: japanese,
  ko: korean,
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

/**
 * Returns the language that `Accept-Language` prefers. English if none of them exists.
 * A range matches by its language, whatever its region: `de-CH` gets German.
 */
export function preferredLanguage(acceptLanguage: string | null): Language {
  return findPreferred(acceptLanguage, languageOf) ?? 'en';
}

/** Returns the language of a tag in lower case, or null if it does not exist here. */
function languageOf(tag: string): Language | null {
  if (tag === '*') return 'en';
  const [name = '', ...subtags] = tag.split('-');
  if (name === 'zh') return isTraditionalChinese(subtags) ? 'zh-Hant' : 'zh-Hans';
  return byLowerCase.get(name) ?? aliases.get(name) ?? null;
}

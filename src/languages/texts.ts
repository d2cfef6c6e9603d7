import { createFormats } from './formats.ts';
import { en } from './generated/en.ts';
import { offered } from './generated/offered.ts';
import type { Texts } from './generated/texts.ts';
import { type Language, languages } from './languages.ts';

const creators: Readonly<Partial<Record<Language, typeof en>>> = offered;
const created = new Map<Language, Texts>();

/** Returns the sentences of a language, which is offered. They are created when they are asked for first. */
export function textsOf(language: Language): Texts {
  return created.getOrInsertComputed(language, () => {
    const { locale, direction } = languages[language];
    const create = creators[language] ?? en;
    return create(createFormats(locale, direction));
  });
}

/** A sentence of a page that nobody has asked for yet, such as the label of a field. */
export type Said = string | ((texts: Texts) => string);

/** Says a sentence in a language. */
export function say(said: Said, texts: Texts): string {
  return typeof said === 'string' ? said : said(texts);
}

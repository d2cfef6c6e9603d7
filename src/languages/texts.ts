import { readEmbeddedText } from '../lib/build/embedded.ts';
import { createFormats } from './formats.ts';
import { offered } from './generated/offered.ts';
import type { Texts } from './generated/texts.ts';
import { interpret, type Sentences } from './interpreter.ts';
import { type Language, languages } from './languages.ts';

// Languages that are not offered have none.
const files: Readonly<Partial<Record<Language, string>>> = offered;
const read = new Map<Language, Sentences>();
const created = new Map<Language, Texts>();

/** Returns the compiled sentences of a language, which is offered. They are read when they are asked for first. */
export function compiledSentencesOf(language: Language): Sentences {
  return read.getOrInsertComputed(language, () => {
    return JSON.parse(readEmbeddedText(files[language] ?? offered.en));
  });
}

/** Returns the sentences of a language, which is offered, as texts and functions of their values. */
export function textsOf(language: Language): Texts {
  return created.getOrInsertComputed(language, () => {
    const { locale, direction } = languages[language];
    const formats = createFormats(locale, direction);
    // The cast is safe: release/catalogue.ts writes the type from the same sentences.
    return { formats, ...interpret(compiledSentencesOf(language), formats) } as unknown as Texts;
  });
}

/** A sentence of a page that nobody has asked for yet, such as the label of a field. */
export type Said = string | ((texts: Texts) => string);

/** Says a sentence in a language. */
export function say(said: Said, texts: Texts): string {
  return typeof said === 'string' ? said : said(texts);
}

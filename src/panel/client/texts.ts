import { createFormats } from '../../languages/formats.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { type Sentences, sayable } from '../../languages/sentences.ts';

declare global {
  /** The server puts it before the script of all pages: what the script says in the language of the page. */
  var language: {
    readonly locale: string;
    readonly direction: 'ltr' | 'rtl';
    readonly sentences: Sentences;
  };
}

const { locale, direction, sentences } = globalThis.language;

/** What the script says. */
// The cast is safe: release/catalogue.ts writes the type from the same sentences.
export const { client } = sayable(sentences, createFormats(locale, direction)) as unknown as Pick<
  Texts,
  'client'
>;

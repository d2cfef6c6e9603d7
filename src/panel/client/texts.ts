import { createSentenceFormats } from '../../languages/formats.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { interpret, type Sentences } from '../../languages/interpreter.ts';

declare global {
  /** The server puts it before each script: what the script says in the language of the page. */
  var language: {
    readonly locale: string;
    readonly direction: 'ltr' | 'rtl';
    readonly sentences: Sentences;
  };
}

const { locale, direction, sentences } = globalThis.language;

/** What the script of all pages says, and what that of previews does. Each has its own alone. */
// The cast is safe: release/catalogue.ts writes the type from the same sentences.
export const { client, preview } = interpret(
  sentences,
  createSentenceFormats(locale, direction),
) as unknown as Pick<Texts, 'client' | 'preview'>;

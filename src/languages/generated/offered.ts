// Written by release/catalogue.ts.
import en from './en.sentences' with { type: 'file' };
import de from './de.sentences' with { type: 'file' };

/** The files of the languages that have every sentence. */
export const offered = {
  'en': en,
  'de': de,
};

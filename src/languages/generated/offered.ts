// Written by release/catalogue.ts.
import { en } from './en.ts';

/** The languages that have every sentence. */
export const offered = {
  'en': en,
};

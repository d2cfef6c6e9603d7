import { createFormats } from '../../languages/formats.ts';
import type { Texts } from '../../languages/generated/texts.ts';

declare global {
  /** The server puts it before the script of all pages, in the language of the page. */
  var clientTexts: (formats: typeof createFormats) => Texts['client'];
}

/** What the script says. */
export const client = globalThis.clientTexts(createFormats);

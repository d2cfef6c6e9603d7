import { trimEndWhere } from '../../trim.ts';

/** What stands between blanks and ASCII punctuation in a text. */
export interface Words {
  /** The different words, of letters of one script. */
  readonly words: readonly string[];
  /** How many words have symbols inside, letters of two scripts, or capitals after small letters. */
  readonly broken: number;
  /** How many symbols stand alone. */
  readonly loneSymbols: number;
}

// Enough to see which language a text is in.
const maxRuns = 2000;
const maxRunLength = 100;

/** Splits a text into words. Addresses of web pages are left out. */
export function wordsOf(textWithAddresses: string): Words {
  const text = textWithAddresses.replaceAll(/https?:[^\s;,|"]*/g, ' ');
  const words: string[] = [];
  let broken = text.match(halfCharacter)?.length ?? 0;
  let loneSymbols = 0;
  const runs = new Set(text.replaceAll(signOfNumber, '').match(run));
  for (const run of runs.values().take(maxRuns)) {
    if (run.length > maxRunLength) continue;
    const core = withoutPunctuation(run);
    if (/^[€£§¥]?$/.test(core)) {
      if (/^[^\p{ASCII}]{2,}$/u.test(run)) broken++;
      else if (/^[^\p{ASCII}]/u.test(run)) loneSymbols++;
      continue;
    }
    if (/^[’‘–—…]/.test(run)) loneSymbols++;
    if (hasQuoteInQuote(run)) broken++;
    for (const part of core.split(joiner)) {
      const found = part.match(/[\p{L}\p{M}]+/gu) ?? [];
      if (isBroken(part, found)) broken++;
      else words.push(...found);
    }
  }
  return { words, broken, loneSymbols };
}

// As in 20°, n° 5 and 3 × 4.
const signOfNumber = /(?<=\d\s?|\b[Nn])°|(?<=[\d\s])×(?=[\d\s])/g;
const run = /[^\s\xa0!-/:-@[-`{-~]+/g;
// Second bytes of Big5 and Shift_JIS are ASCII.
const halfCharacter = /[^\p{ASCII}][@\\^`{}~]/gu;

/** Removes punctuation at both ends of a word, also signs of currencies and sections before a digit. */
function withoutPunctuation(run: string): string {
  let start = 0;
  while (opening.test(run.slice(start, start + 1)) || opening.test(run.slice(start, start + 2)))
    start++;
  return trimEndWhere(run.slice(start), (unit) => closing.test(unit)).replace(raised, '');
}

const opening = /^(?:[„“”‘’«‹¿¡–—…•、。・（「『《]|[§€£]\d)$/u;
const closing = /[“”‘’»›–—…®™©·€）」』》、。，]/u;
// As in 20°, m², 1º and nº.
const raised = /(?<=\d)[ºª]$|(?<=(?:^|\d)[cdkm]?m)[²³]$|(?<=^[nNdDmM])[ºª]$/u;

/** Returns whether a quotation opens inside another one. Only `„…“` looks so. */
function hasQuoteInQuote(run: string): boolean {
  return run.search(/[“”]/) < run.lastIndexOf('“');
}

/**
 * What joins two words: an apostrophe, a dash, or the middle dot of Catalan.
 * As in Joe’s, don’t, O’Neill; l’eau, dell’arte, l´acqua; col·legi; 5–7; Paris–Nice.
 */
const joiner =
  /(?<=\p{L})’(?=(?:[stdm]|re|ll|ve)$|\p{Lu})|(?<=^(?:[cdjlmnstCDJLMNST]|[qQ]u|\p{L}{0,8}(?:l|un|qu|t)))[’´](?=[aeiouyhàâäèéêëìíîïòóôöùúûüœæ]\p{L})|(?<=l)·(?=l)|(?<=\d)[–—](?=\d)|(?<=\p{L})[–—](?=\p{Lu})/u;

/** Returns whether a part of a word cannot be one, in ASCII or not. */
function isBroken(part: string, words: readonly string[]): boolean {
  if (!/[^\p{ASCII}]/u.test(part)) return false;
  const hasSymbol = /[^\p{L}\p{M}0-9]/u.test(part.replace(/(?<=^\d{0,5})[½¼¾]$/, ''));
  return hasSymbol || words.some((word) => !isOfOneScript(word) || oddLetters.test(word));
}

// A mark without a letter, capitals after small letters, two capitals before a small letter, a Thai repetition inside.
const oddLetters = /^\p{M}|\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|ๆ\p{L}/u;

function isOfOneScript(word: string): boolean {
  // Marks of Arabic, Hebrew and Thai are of several scripts.
  return oneScript.test(
    word.replaceAll(/(?<=[\p{sc=Arab}\p{sc=Hebr}\p{sc=Thai}\p{M}])\p{M}/gu, ''),
  );
}

const oneScript =
  /^(?:\p{sc=Latn}+|\p{sc=Cyrl}+|\p{sc=Grek}+|\p{sc=Hebr}+|\p{sc=Arab}+|\p{sc=Thai}+|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー]+|[\p{sc=Hang}\p{sc=Han}]+)$/u;

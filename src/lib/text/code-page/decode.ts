import { countHeadersInAscii } from './headers.ts';
import { hasNoAlphabet, languageOf, pairsOf } from './likelihood.ts';
import { type CodePage, codePages, windows1252 } from './pages.ts';
import { isSpelledIn } from './spelling.ts';
import { wordsOf } from './word-splitting.ts';

/** A text and the code page that it was read in. */
export interface CodePageText {
  readonly text: string;
  readonly encoding: string;
}

// Enough to see which language a text is in.
const sampleBytes = 200_000;

/**
 * Decodes a text that is in a code page of Windows or Mac OS, by its words.
 *
 * 1. A page is possible if the bytes are words in it, spelled as in one of its languages (`readingOf`).
 * 2. Of the possible pages, the one is chosen in which the words are likeliest (`likelihoodOf`).
 * 3. It is not taken if that may be chance: another page is nearly as likely, the words are unlikely in all its
 * languages, or too few to tell (`isCertain`).
 *
 * @param isHeader whether a word of the first lines is one that such a text begins with
 * @returns null when no page is certain
 */
export function decodeCodePage(
  bytes: Uint8Array,
  isHeader: (word: string) => boolean,
): CodePageText | null {
  const sample = bytes.subarray(0, sampleBytes);
  const readings = codePages
    .flatMap((page) => readingOf(page, sample, isHeader) ?? [])
    .sort((one, other) => other.likelihood - one.likelihood);
  const likeliest = readings[0]?.text;
  // The pages of Latin letters agree on many of them. The most common page is named then.
  const same = readings.filter(({ text }) => text === likeliest);
  const isCommon = ({ page, likelihoodOfPair }: Reading) =>
    page === windows1252 && likelihoodOfPair >= minPair;
  const chosen = same.find(isCommon) ?? same[0];
  const rival = readings.find(({ text }) => text !== likeliest);
  if (chosen === undefined || !isCertain(chosen, rival)) return null;
  const text = decode(chosen.page, bytes);
  return text === null ? null : { text, encoding: chosen.page.name };
}

/** What a sample is in a code page. */
interface Reading {
  readonly page: CodePage;
  readonly text: string;
  /** How likely the words are in one of the languages of the page, as a logarithm. */
  readonly likelihood: number;
  /** The same for a pair of letters on average; 0 for characters that are not of an alphabet. */
  readonly likelihoodOfPair: number;
  /**
   * Whether the words are too few or too odd to choose the page.
   * The reading may still be a rival of another one.
   */
  readonly isDoubtful: boolean;
}

// Words of a language are above it where a rival is possible, and those in a wrong code page mostly are not.
const minPair = -4.4;

function isCertain(chosen: Reading, rival: Reading | undefined): boolean {
  const { page, likelihood, likelihoodOfPair, isDoubtful } = chosen;
  if (isDoubtful) return false;
  if (rival === undefined) return likelihoodOfPair >= page.minPairAlone;
  return likelihood - rival.likelihood >= page.minLead && likelihoodOfPair >= minPair;
}

// As logarithms, beside those of the words.
const likelihoodOfHeader = 12;
const likelihoodOfLoneSymbol = -3;

/** Reads a sample in a page; null when the page is not possible. */
function readingOf(
  page: CodePage,
  sample: Uint8Array,
  isHeader: (word: string) => boolean,
): Reading | null {
  const text = decode(page, sample, true);
  if (text === null || hasStraySymbols(text)) return null;
  const { words, broken, loneSymbols } = wordsOf(text);
  const beyondAscii = words.filter((word) => !isAscii(word));
  // Quotation marks and dashes alone are read in the most common page.
  if (beyondAscii.length === 0 && page !== windows1252) return null;
  const languages = languagesOf(page, beyondAscii, broken);
  if (languages.length === 0) return null;
  const headers = firstCells(text).filter(isHeader).length + countHeadersInAscii(text, languages);
  return {
    page,
    text,
    likelihood:
      likelihoodOf(words, languages) +
      likelihoodOfHeader * headers +
      likelihoodOfLoneSymbol * loneSymbols,
    likelihoodOfPair: likelihoodOfPair(beyondAscii, languages),
    isDoubtful: headers === 0 && (isDoubtful(beyondAscii, languages) || hasOnlySpaces(text)),
  };
}

/**
 * Returns whether a text has symbols that no real text has.
 * One stands before a small letter, or a quotation is never closed.
 */
function hasStraySymbols(text: string): boolean {
  return /[©®]\p{Ll}/u.test(text) || (text.includes('„') && !/[“”]/.test(text));
}

/**
 * Returns whether only no-break spaces are beyond ASCII, and one is inside of a word.
 * It may be an á of a code page of DOS.
 */
function hasOnlySpaces(text: string): boolean {
  return /(?<![a-z])[b-hj-z]\xa0[a-z]/i.test(text) && !/[^\p{ASCII}\xa0]/u.test(text);
}

/** Returns the languages of a page in which at least nine of ten words beyond ASCII are spelled. */
function languagesOf(
  { languages, isWestern }: CodePage,
  words: readonly string[],
  broken: number,
): readonly string[] {
  const isMostlySpelledIn = (some: readonly string[]) => {
    const isMisspelled = (word: string) => !some.some((one) => isSpelledIn(one, word, isWestern));
    return 10 * (broken + words.filter(isMisspelled).length) <= words.length + broken;
  };
  if (isWestern) return isMostlySpelledIn(languages) ? languages : [];
  return languages.filter((language) => isMostlySpelledIn([language]));
}

// How much less likely a word of another language of the page is than in a text of its own.
const likelihoodOfForeignWord = -4;

/** Returns the logarithm of how likely words are in the language that most of them are of. */
function likelihoodOf(words: readonly string[], languages: readonly string[]): number {
  const sums = languages.map(() => 0);
  for (const word of words) {
    const scores = languages.map((language) => scoreOf(word, language));
    const foreign = Math.max(...scores) + likelihoodOfForeignWord;
    for (const [at, score] of scores.entries())
      sums[at] = (sums[at] ?? 0) + Math.max(score, foreign);
  }
  return Math.max(...sums);
}

function likelihoodOfPair(words: readonly string[], languages: readonly string[]): number {
  const pairs = words.reduce((sum, word) => sum + pairsOf(word).length, 0);
  if (pairs === 0 || languages.some(hasNoAlphabet)) return 0;
  const best = (word: string) => Math.max(...languages.map((language) => scoreOf(word, language)));
  return words.reduce((sum, word) => sum + best(word), 0) / pairs;
}

// Words in ASCII only tell the language, and much less about the page.
const asciiWeight = 0.3;

function scoreOf(word: string, language: string): number {
  if (!isAscii(word)) return languageOf(language).score(word);
  return languageOf(hasNoAlphabet(language) ? 'en' : language).score(word) * asciiWeight;
}

function isAscii(word: string): boolean {
  return /^\p{ASCII}*$/u.test(word);
}

/** Returns whether words beyond ASCII are so few or so odd that they could be chance in this page. */
function isDoubtful(words: readonly string[], languages: readonly string[]): boolean {
  const text = words.join('');
  const isShort = /^[^\p{ASCII}\p{sc=Latn}]{1,5}$/u.test(text);
  // The small letters of one page of Cyrillic or Greek are capitals of another.
  const isInCapitals = /^\p{Lu}+$/u.test(text) && !/\p{sc=Latn}/u.test(text);
  // Words of other scripts are such in a Latin page.
  const isLatinWithoutAscii = /^[^\p{ASCII}]+$/u.test(text) && /\p{sc=Latn}/u.test(text);
  const isRare = languages.some(hasNoAlphabet) && !languages.some((one) => isMostlySeen(text, one));
  return isShort || isInCapitals || isLatinWithoutAscii || isRare;
}

/** Returns whether most characters beyond ASCII are in the names that a language was learned from. */
function isMostlySeen(text: string, language: string): boolean {
  const characters = Array.from(text.replaceAll(/\p{ASCII}/gu, ''));
  const seen = characters.filter((character) => languageOf(language).has(character));
  return characters.length > 2 && 3 * seen.length >= 2 * characters.length;
}

/** Decodes bytes; null when they are not text of this page. */
function decode({ label }: CodePage, bytes: Uint8Array, isSample = false): string | null {
  try {
    const text = new TextDecoder(label, { fatal: true }).decode(bytes, { stream: isSample });
    // Undefined bytes become control characters, those of private use or rare ones.
    return /[\x80-\x9f\ue000-\uf8ff\u{10000}-\u{10ffff}]/u.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** Returns the texts of the first lines, which may be headers. */
function firstCells(text: string): string[] {
  return text
    .slice(0, 2000)
    .split(/[\n\r;,\t|"]+/)
    .slice(0, 60);
}

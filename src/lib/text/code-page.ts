import { trimEndWhere } from '../trim.ts';
import {
  alphabets,
  codePages,
  hasNoAlphabet,
  languageOf,
  lowerCase,
  notWestern,
  pairsOf,
} from './languages.ts';

/** A text and the code page that it was read in. */
export interface CodePageText {
  readonly text: string;
  readonly encoding: string;
}

// Enough to see which language a text is in.
const sampleBytes = 200_000;
const maxWords = 2000;
const maxWordLength = 100;

// Differences of logarithms: about what a pair of letters that no word has costs.
const minLeadOfOthers = 5;
const minLeadOfWestern = 3;
// Mean of a pair. Words of a language are above it, and those in a wrong code page mostly are not.
const minMean = -4.4;
const minMeanAlone = -5.0;
const minMeanOfMac = -3.6;
const perKnownHeader = 12;
const perLoneSymbol = -3;

/**
 * Decodes a text that is in a code page of Windows or Mac OS.
 * A page is possible if the words that it gives have only letters of one of its languages, and no symbols inside; of
 * several, the one whose words are likely is taken.
 *
 * @param isKnown whether a word of the first lines is one that such a text begins with
 * @returns null when no page fits, or it is not clear which one
 */
export function decodeCodePage(
  bytes: Uint8Array,
  isKnown: (word: string) => boolean,
): CodePageText | null {
  const sample = bytes.subarray(0, sampleBytes);
  const readings = codePages
    .flatMap((page) => readingOf(page, sample, isKnown) ?? [])
    .sort((one, other) => other.score - one.score);
  const [best] = readings;
  if (best === undefined) return null;
  // The pages of Latin letters agree on many of them.
  const western = readings.find(({ page }) => page.label === 'windows-1252');
  const chosen = western?.text === best.text ? western : best;
  const next = readings.find(({ text }) => text !== chosen.text);
  const lead = chosen === western ? minLeadOfWestern : minLeadOfOthers;
  if (next !== undefined && chosen.score - next.score < lead) return null;
  const isMac = chosen.page.label === 'macintosh';
  const floor = next === undefined ? minMeanAlone : minMean;
  if (chosen.mean < (isMac ? minMeanOfMac : floor)) return null;
  if (chosen.isDoubtful || (isMac && next !== undefined)) return null;
  const text = decode(chosen.page.label, bytes);
  return text === null ? null : { text, encoding: chosen.page.name };
}

type CodePage = (typeof codePages)[number];

interface Reading {
  readonly page: CodePage;
  /** The sample in this page. */
  readonly text: string;
  /** How likely its words are, as a logarithm. */
  readonly score: number;
  /** The same for a pair of letters, or 0 for characters that are no letters of an alphabet. */
  readonly mean: number;
  /** Whether its letters alone do not show the page. It only keeps others from being taken. */
  readonly isDoubtful: boolean;
}

/** Reads a sample in a page; null when the page is not possible. */
function readingOf(
  page: CodePage,
  sample: Uint8Array,
  isKnown: (word: string) => boolean,
): Reading | null {
  const text = decode(page.label, sample, true);
  if (text === null) return null;
  const { words, broken, loneSymbols } = wordsOf(text.replaceAll(/https?:\S*/g, ' '));
  const beyond = words.filter((word) => /[^\p{ASCII}]/u.test(word));
  // Quotes and dashes alone are those of the western page.
  if (beyond.length === 0 && page.label !== 'windows-1252') return null;
  const known = firstCells(text).filter(isKnown).length;
  const languages = page.languages.split(' ');
  const isWestern = /^(?:windows-1252|macintosh)$/.test(page.label);
  const fitting = languages.filter((language) => {
    // A list in a western language has names of others.
    const among = isWestern ? languages : [language];
    const unfit = beyond.filter((word) => !among.some((one) => fits(word, one, isWestern)));
    return 10 * (broken + unfit.length) <= beyond.length + broken;
  });
  if (fitting.length === 0) return null;
  const scores = fitting.map((language) => words.map((word) => scoreOf(word, language)));
  const best = words.map((_, at) => Math.max(...scores.map((ofWords) => ofWords[at] ?? 0)));
  const sums = scores.map((ofWords) =>
    ofWords.reduce(
      (sum, score, at) =>
        sum + (isWestern ? Math.max(score, (best[at] ?? 0) - perForeignWord) : score),
      0,
    ),
  );
  const pairs = beyond.reduce((sum, word) => sum + pairsOf(word).length, 0);
  const ofBeyond = words.map((word, at) => (/[^\p{ASCII}]/u.test(word) ? (best[at] ?? 0) : 0));
  const hasPairs = pairs > 0 && !fitting.some(hasNoAlphabet);
  return {
    page,
    text,
    score: Math.max(...sums) + perKnownHeader * known + perLoneSymbol * loneSymbols,
    isDoubtful: known === 0 && isDoubtful(beyond, fitting),
    mean: hasPairs ? ofBeyond.reduce((sum, score) => sum + score, 0) / pairs : 0,
  };
}

// What a word of another language of the page costs.
const perForeignWord = 4;
// Words in ASCII only tell the language, and much less about the page.
const asciiWeight = 0.3;

function scoreOf(word: string, language: string): number {
  const isAscii = /^\p{ASCII}*$/u.test(word);
  const written = isAscii && hasNoAlphabet(language) ? 'en' : language;
  return languageOf(written).score(word) * (isAscii ? asciiWeight : 1);
}

/** Returns whether the letters of a word are of a language, or those that most Latin pages share. */
function fits(word: string, language: string, isWestern: boolean): boolean {
  const alphabet = alphabets[language];
  if (alphabet === undefined)
    return language === 'ja'
      ? !/^[\uff61-\uff9f]$/.test(word)
      : !/[\p{sc=Hira}\p{sc=Kana}]/u.test(word);
  const shared = isWestern ? '' : 'éèüöäßçáíóñ';
  const isLatin = /\p{sc=Latn}/u.test(word);
  if (isLatin && /^[^\p{ASCII}]{3,}$/u.test(word)) return false;
  // Most words of Thai have a sign for a vowel.
  if (language === 'th' && (!/[ะ-ูเ-ไ]/.test(word) || !thai.test(word))) return false;
  if (isWestern && notWestern.test(lowerCase(word))) return false;
  const beyond = Array.from(lowerCase(word)).filter((letter) => letter > '\x7f');
  return [alphabet, shared].some((all) => beyond.every((letter) => all.includes(letter)));
}

// Vowels before a consonant, and marks and vowels behind it.
const thai = /^(?:[เ-ไ]?[ก-ฮ](?:[ัิ-ฺ][่-๋]?|[็-์]*)[ะาำๅ]*[ฯๆ]?)+$/;

/** Returns whether words are too few, or too odd, to show the page: other scripts are as good. */
function isDoubtful(words: readonly string[], languages: readonly string[]): boolean {
  const text = words.join('');
  const isFew = /^[^\p{ASCII}\p{sc=Latn}]{1,5}$/u.test(text);
  const isOtherInCapitals = /^\p{Lu}+$/u.test(text) && !/\p{sc=Latn}/u.test(text);
  const hasNoAscii =
    text !== '' &&
    words.every((word) => /^[^\p{ASCII}]+$/u.test(word) && /\p{sc=Latn}/u.test(word));
  const isRare =
    languages.some(hasNoAlphabet) && !languages.some((one) => isMostlySeen(words, one));
  return isFew || isOtherInCapitals || hasNoAscii || isRare;
}

function isMostlySeen(words: readonly string[], language: string): boolean {
  const characters = Array.from(words.join('').replaceAll(/\p{ASCII}/gu, ''));
  const seen = characters.filter((character) => languageOf(language).has(character));
  return characters.length > 2 && 3 * seen.length >= 2 * characters.length;
}

/** Decodes bytes; null when they are not text of this page. */
function decode(label: string, bytes: Uint8Array, isSample = false): string | null {
  try {
    const text = new TextDecoder(label, { fatal: true }).decode(bytes, { stream: isSample });
    // Undefined bytes become control characters, those of private use or rare ones.
    return /[\x80-\x9f\ue000-\uf8ff\u{10000}-\u{10ffff}]/u.test(text) ? null : text;
  } catch {
    return null;
  }
}

const opening = /^(?:[„“”‘’«‹¿¡–—…•、。・（「『《]|[§€£]\d)$/u;
const closing = /[“”‘’»›–—…®™©·€）」』》、。，]/u;
// As in 20°, m², 1º and nº.
const raised = /(?<=\d)[ºª]$|(?<=(?:^|\d)[cdkm]?m)[²³]$|(?<=^[nNdDmM])[ºª]$/u;
// As in l’eau, dell’arte, Joe’s, don’t, O’Neill, l´acqua, col·legi, 5–7 and Paris–Nice.
const inner =
  /(?<=\p{L})’(?=(?:[stdm]|re|ll|ve)$|\p{Lu})|(?<=^(?:[cdjlmnstCDJLMNST]|[qQ]u|\p{L}{0,8}(?:l|un|qu|t)))[’´](?=[aeiouyhàâäèéêëìíîïòóôöùúûüœæ]\p{L})|(?<=l)·(?=l)|(?<=\d)[–—](?=\d)|(?<=\p{L})[–—](?=\p{Lu})/u;
const oneScript =
  /^(?:\p{sc=Latn}+|\p{sc=Cyrl}+|\p{sc=Grek}+|\p{sc=Hebr}+|\p{sc=Arab}+|\p{sc=Thai}+|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー]+|[\p{sc=Hang}\p{sc=Han}]+)$/u;

/**
 * Returns the different words of a text, and how many more are broken.
 * By symbols, capitals or letters of two scripts.
 */
function wordsOf(text: string): { words: string[]; broken: number; loneSymbols: number } {
  const runs = new Set(
    text
      .replaceAll(/(?<=\d\s?|\b[Nn])°|(?<=[\d\s])×(?=[\d\s])/g, '')
      .match(/[^\s\xa0!-/:-@[-`{-~]+/g),
  );
  const words: string[] = [];
  // Second bytes of Big5 and Shift_JIS are ASCII.
  let broken = text.match(/[^\p{ASCII}][@\\^`{}~]/gu)?.length ?? 0;
  let loneSymbols = 0;
  for (const run of runs.values().take(maxWords)) {
    if (run.length > maxWordLength) continue;
    const core = withoutPunctuation(run);
    if (/^[€£§¥]?$/.test(core)) {
      if (/^[^\p{ASCII}]{2,}$/u.test(run)) broken++;
      else if (/^[^\p{ASCII}]/u.test(run)) loneSymbols++;
      continue;
    }
    if (/^[’‘–—…]/.test(run)) loneSymbols++;
    // No language opens a quotation inside of one that is not „…“.
    if (run.search(/[“”]/) < run.lastIndexOf('“')) broken++;
    for (const part of core.split(inner)) {
      const found = part.match(/[\p{L}\p{M}]+/gu) ?? [];
      const isBroken =
        /[^\p{L}\p{M}0-9]/u.test(part.replace(/(?<=^\d{0,5})[½¼¾]$/, '')) ||
        found.some(
          (word) =>
            !oneScript.test(withoutMarks(word)) ||
            /^\p{M}|\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|ๆ\p{L}/u.test(word),
        );
      if (isBroken && /[^\p{ASCII}]/u.test(part)) broken++;
      else words.push(...found);
    }
  }
  return { words, broken, loneSymbols };
}

/**
 * Removes punctuation and signs of both ends of a word.
 * Also signs of currencies and sections before a digit.
 */
function withoutPunctuation(run: string): string {
  let start = 0;
  while (opening.test(run.slice(start, start + 1)) || opening.test(run.slice(start, start + 2)))
    start++;
  return trimEndWhere(run.slice(start), (unit) => closing.test(unit)).replace(raised, '');
}

/** Removes marks of the scripts of Arabic, Hebrew and Thai where they follow a letter of it. */
function withoutMarks(word: string): string {
  return word.replaceAll(/(?<=[\p{sc=Arab}\p{sc=Hebr}\p{sc=Thai}\p{M}])\p{M}/gu, '');
}

/** Returns the texts of the first lines, which may be headers. */
function firstCells(text: string): string[] {
  return text
    .slice(0, 2000)
    .split(/[\n\r;,\t|"]+/)
    .slice(0, 60);
}

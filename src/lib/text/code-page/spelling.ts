import { lowerCase } from './likelihood.ts';

/** Returns whether a word with letters beyond ASCII can be of a language, by its letters. */
export function isSpelledIn(language: string, word: string, isWestern: boolean): boolean {
  const alphabet = alphabets[language];
  if (language === 'ja') return !isLoneHalfWidthKana.test(word);
  if (alphabet === undefined) return !kana.test(word);
  if (isLatin.test(word) && withoutAscii.test(word)) return false;
  if (language === 'th' && !(thaiVowel.test(word) && thaiSyllables.test(word))) return false;
  const lower = lowerCase(word);
  if (isWestern && unlikelyInWestern.test(lower)) return false;
  if (!isWestern && unlikelyInRegional.test(lower)) return false;
  const letters = Array.from(lower).filter((letter) => letter > '\x7f');
  const isOf = (known: string) => letters.every((letter) => known.includes(letter));
  return isOf(alphabet) || (!isWestern && isOf(lettersOfLoanwords));
}

const isLoneHalfWidthKana = /^[\uff61-\uff9f]$/;
const kana = /[\p{sc=Hira}\p{sc=Kana}]/u;

// Words of Latin letters have some in ASCII. A word of Cyrillic letters that is read in a Latin page has none.
const isLatin = /\p{sc=Latn}/u;
const withoutAscii = /^[^\p{ASCII}]{3,}$/u;

// Most words have a sign for one.
const thaiVowel = /[ะ-ูเ-ไ]/;
// Vowels before a consonant, and marks and vowels behind it.
const thaiSyllables = /^(?:[เ-ไ]?[ก-ฮ](?:[ัิ-ฺ][่-๋]?|[็-์]*)[ะาำๅ]*[ฯๆ]?)+$/;

/**
 * Pairs of letters that western languages lack.
 * Words of other code pages have them when they are read in a western one.
 */
const unlikelyInWestern = /œ[akovwyz]|õ(?!e)|ã(?![eios]|$)|\p{L}þ|^ð|è[aeiouy]|æ[aeou]|^ÿ/u;

/** Slovak has no such word, and `Œuf` and `Œuvre` in ISO 8859-15 are read so. */
const unlikelyInRegional = /^ľu[fv]/u;

/** Letters of words such as `café` and `Müller`, at the same place in most Latin pages. */
const lettersOfLoanwords = 'éèüöäßçáíóñ';

/** Lower-case letters beyond ASCII of the languages that have an alphabet. */
const alphabets: Readonly<Record<string, string>> = {
  de: 'äöüß',
  fr: 'àâæçéèêëîïôœùûüÿ',
  es: 'áéíñóúü',
  pt: 'ãáàâçéêíõóôúü',
  it: 'àèéìíîòóùú',
  nl: 'éëïóöüèê',
  sv: 'åäöéà',
  da: 'æøåéó',
  nb: 'æøåéêóòôü',
  fi: 'äöå',
  is: 'áéíóúýþæöð',
  ca: 'àçèéíïòóúü',
  en: 'éèêëïöçñôàüâ',
  pl: 'ąćęłńóśźż',
  cs: 'áčďéěíňóřšťúůýž',
  sk: 'áäčďéíĺľňóôŕšťúýž',
  hu: 'áéíóöőúüű',
  ro: 'ăâîşţ',
  hr: 'čćđšž',
  sl: 'čšž',
  sq: 'ëç',
  ru: 'абвгдеёжзийклмнопрстуфхцчшщъыьэюя',
  uk: 'абвгґдеєжзиіїйклмнопрстуфхцчшщьюя',
  bg: 'абвгдежзийклмнопрстуфхцчшщъьюя',
  sr: 'абвгдђежзијклљмнњопрстћуфхцчџш',
  mk: 'абвгдѓежзѕијклљмнњопрстќуфхцчџш',
  be: 'абвгдеёжзійклмнопрстуўфхцчшыьэюя',
  el: 'αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ',
  tr: 'çğıöşüâîûİ',
  he: 'אבגדהוזחטיכךלמםנןסעפףצץקרשת',
  ar: 'ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيًٌٍَُِّْ',
  fa: 'ءآأؤئابپتثجچحخدذرزژسشصضطظعغفقکكگلمنهوىي',
  lt: 'ąčęėįšųūž',
  lv: 'āčēģīķļņšūž',
  et: 'äöõüšž',
  th: 'กขคฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรฤลวศษสหฬอฮะัาำิีึืฺุูเแโใไๅ็่้๊๋์ๆฯ',
};

/** The words of a language, as far as they tell it from others. */
export interface Language {
  /** How likely a word is: the logarithms of its pairs of letters, those of two ASCII letters left out. */
  score(word: string): number;
  /** Returns whether a character occurs in the names that the language was learned from. */
  has(character: string): boolean;
}

/**
 * Code pages in which spreadsheets save CSV, and the languages written in them.
 * They are by the regions of Windows and Mac OS.
 */
export const codePages = [
  {
    label: 'windows-1252',
    name: 'Windows-1252',
    languages: 'de fr es pt it nl sv da nb fi is ca en',
  },
  { label: 'windows-1250', name: 'Windows-1250', languages: 'pl cs sk hu ro hr sl sq' },
  { label: 'windows-1251', name: 'Windows-1251', languages: 'ru uk bg sr mk be' },
  { label: 'windows-1253', name: 'Windows-1253', languages: 'el' },
  { label: 'windows-1254', name: 'Windows-1254', languages: 'tr' },
  { label: 'windows-1255', name: 'Windows-1255', languages: 'he' },
  { label: 'windows-1256', name: 'Windows-1256', languages: 'ar fa' },
  { label: 'windows-1257', name: 'Windows-1257', languages: 'lt lv et' },
  { label: 'windows-874', name: 'Windows-874', languages: 'th' },
  { label: 'shift_jis', name: 'Shift_JIS', languages: 'ja' },
  { label: 'gbk', name: 'GBK', languages: 'zh-CN' },
  { label: 'big5', name: 'Big5', languages: 'zh-TW' },
  { label: 'euc-kr', name: 'EUC-KR', languages: 'ko' },
  { label: 'macintosh', name: 'Mac OS Roman', languages: 'de fr es pt it sv da nb' },
] as const;

/** Lower-case letters beyond ASCII of the languages that have an alphabet. */
export const alphabets: Readonly<Record<string, string>> = {
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

/** Words with pairs of letters that the names of countries and languages lack. */
const moreWords: Readonly<Record<string, string>> = {
  fr: 'œuf sœur cœur bœuf œuvre vœu nœud crêpe tête fête forêt père mère crème entrée été',
  it: 'caffè città menù tiramisù perché però più lunedì qualità',
  hu: 'étel főétel győr hűtő kürtő sütő üdítő',
  da: 'smør brød rødgrød køb øl æble æg være',
  de: 'übersicht äpfel ärzte öl gemüse küche grüße',
  sv: 'ångbåt smörgås räksallad öl ägg åre',
  nb: 'rømme grøt bjørn kjøtt tromsø',
};

/**
 * Pairs of letters, of lower case, that words in western languages do not have.
 * Those in other code pages do.
 */
export const notWestern = /œ[akovwyz]|õ(?!e)|ã(?![eios]|$)|\p{L}þ|^ð|è[aeiouy]|æ[aeou]/u;

/** Whether a language is written without an alphabet, so that single characters tell more than pairs. */
export function hasNoAlphabet(language: string): boolean {
  return /^(?:ja|ko|zh)/.test(language);
}

const learned = new Map<string, Language>();

/**
 * Returns a language, learned once from names in it.
 * They are of countries, languages, currencies and scripts.
 */
export function languageOf(language: string): Language {
  const known = learned.get(language) ?? learn(language);
  learned.set(language, known);
  return known;
}

// A pair that was not seen is as likely as a third of one that was, among some forty letters.
const unseen = 0.3;
const letters = 40;
const minLog = -6;
// Of tens of thousands of characters, a few hundred are seen.
const unseenCharacter = -11;

function learn(language: string): Language {
  const pairs = new Map<string, number>();
  const singles = new Map<string, number>();
  let total = 0;
  for (const word of namesIn(language)) {
    const padded = ` ${word} `;
    for (let at = 0; at + 1 < padded.length; at++) {
      const pair = padded.slice(at, at + 2);
      const single = padded.charAt(at);
      pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
      singles.set(single, (singles.get(single) ?? 0) + 1);
      total++;
    }
  }
  const has = (character: string) => singles.has(character);
  const scoreOfCharacters = (word: string) => {
    let sum = 0;
    for (const character of word.replaceAll(/\p{ASCII}/gu, ''))
      sum += has(character) ? Math.log((singles.get(character) ?? 1) / total) : unseenCharacter;
    return sum;
  };
  const scoreOfPairs = (word: string) => {
    let sum = 0;
    for (const pair of pairsOf(word)) {
      const first = singles.get(pair.charAt(0)) ?? 0;
      const likelihood = ((pairs.get(pair) ?? 0) + unseen) / (first + unseen * letters);
      sum += Math.max(minLog, Math.log(likelihood));
    }
    return sum;
  };
  return { has, score: hasNoAlphabet(language) ? scoreOfCharacters : scoreOfPairs };
}

/** Returns a text in lower case, except the İ of Turkish, which would become two characters. */
export function lowerCase(text: string): string {
  return text
    .split('İ')
    .map((part) => part.toLowerCase())
    .join('İ');
}

/**
 * Returns the pairs of letters of a word with its ends.
 * One letter is beyond ASCII, unless the whole word is ASCII.
 */
export function pairsOf(word: string): string[] {
  const padded = ` ${lowerCase(word)} `;
  const all = Array.from({ length: padded.length - 1 }, (_, at) => padded.slice(at, at + 2));
  const beyond = all.filter((pair) => /[^\p{ASCII}]/u.test(pair));
  return beyond.length === 0 ? all : beyond;
}

/** Yields words of names in a language, which the runtime knows (Unicode CLDR). */
function* namesIn(language: string): Generator<string> {
  const pairs = Array.from({ length: 26 * 26 }, (_, at) =>
    String.fromCharCode(97 + Math.floor(at / 26), 97 + (at % 26)),
  );
  const codes = {
    region: pairs.map((pair) => pair.toUpperCase()),
    language: pairs,
    currency: Intl.supportedValuesOf('currency'),
    script: [
      'Arab',
      'Armn',
      'Cyrl',
      'Deva',
      'Ethi',
      'Geor',
      'Grek',
      'Hang',
      'Hans',
      'Hant',
      'Hebr',
    ],
  } as const;
  for (const type of ['region', 'language', 'currency', 'script'] as const) {
    const names = new Intl.DisplayNames([language], { type, fallback: 'none' });
    for (const code of codes[type])
      yield* wordsOf(
        lowerCase(names.of(code) ?? '')
          .replaceAll('ț', 'ţ')
          .replaceAll('ș', 'ş'),
      );
  }
  yield* wordsOf(moreWords[language] ?? '');
}

function wordsOf(text: string): string[] {
  return text.normalize('NFC').match(/[\p{L}\p{M}]+/gu) ?? [];
}

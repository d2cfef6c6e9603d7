/**
 * Encodings in which a file may be that is not in Unicode, in the order in which they are offered.
 * With the languages that are written in them, as BCP 47 names them; those of the first are all others.
 */
const languagesByEncoding = {
  'windows-1252': '',
  'windows-1250': 'bs cs hr hu pl ro sk sl sq',
  'windows-1251': 'be bg kk mk ru sr uk',
  'windows-1253': 'el',
  'windows-1254': 'az tr',
  'windows-1257': 'et lt lv',
  shift_jis: 'ja',
  gb18030: 'zh',
  'euc-kr': 'ko',
  big5: 'zh-hant zh-hk zh-mo zh-tw',
  'windows-1255': 'he yi',
  'windows-1256': 'ar fa ur',
  'windows-1258': 'vi',
  'windows-874': 'th',
  macintosh: '',
  'x-mac-cyrillic': 'be bg mk ru sr uk',
  'koi8-u': 'be ru uk',
  ibm866: 'be bg ru uk',
  'euc-jp': 'ja',
  'iso-8859-2': 'bs cs hr hu pl ro sk sl sq',
  'iso-8859-5': 'bg mk ru sr',
  'iso-8859-7': 'el',
  'iso-8859-13': 'et lt lv',
  'iso-8859-15': '',
  'utf-16le': '',
  'utf-16be': '',
} as const;

/** An encoding that can be chosen, as the Encoding Standard names it. */
export type Encoding = keyof typeof languagesByEncoding;

// The cast is safe: these are the keys of the constant.
export const encodings = Object.keys(languagesByEncoding) as readonly Encoding[];

/** Words of a file as an encoding reads them. */
export interface Reading {
  readonly encoding: Encoding;
  /** The same words of the file in each reading. */
  readonly words: readonly string[];
}

// More would be hard to compare. Others can be named.
const maxReadings = 5;
const shownWords = 3;
const maxWordLength = 60;
// Enough to tell encodings apart, and decoded within milliseconds.
const sampleBytes = 200_000;

/**
 * Returns how encodings read the first words of a file with letters beyond ASCII.
 * Encodings that read the file alike are one reading. Words in which two of them differ are among those shown. None
 * when the file is text in no encoding.
 *
 * @param languages those of the person, the preferred one first: their encodings come first
 */
export function readingsOf(bytes: Uint8Array, languages: readonly string[]): readonly Reading[] {
  const isWide = bytes.includes(0);
  const sample = isWide ? bytes.subarray(0, sampleBytes) : linesBeyondAscii(bytes);
  const found: { encoding: Encoding; text: string }[] = [];
  for (const encoding of byLanguage(languages)) {
    const text = isWide === encoding.startsWith('utf-16') ? decodeAs(sample, encoding) : null;
    if (text === null || found.some((one) => one.text === text)) continue;
    // Bytes in the wrong order hardly make a separator.
    if (isWide && !/[\n\r\t,;:]/.test(text)) continue;
    if (found.push({ encoding, text }) === maxReadings) break;
  }
  const parts = found.map(({ text }) => text.split(/[\n\r\t,;"]+/));
  // Separators are the same bytes in all encodings, except in UTF-16.
  const shown = isWide ? null : toldApart(parts);
  return found.map(({ encoding }, at) => {
    const words = parts[at]?.filter((word, index) => shown?.has(index) ?? word !== '') ?? [];
    return {
      encoding,
      words: (isWide ? words.slice(0, shownWords) : words).map(shortWord),
    };
  });
}

/** Returns the part of a word around its first letter beyond ASCII. */
function shortWord(word: string): string {
  const first = Math.max(0, word.search(/[^\p{ASCII}]/u));
  const start = word.length > maxWordLength ? Math.max(0, first - maxWordLength / 2) : 0;
  return word
    .slice(start, start + maxWordLength)
    .toWellFormed()
    .trim();
}

/** Decodes a file; null when it is no text in an encoding. @param encoding a label of the Encoding Standard */
export function decodeAs(bytes: Uint8Array, encoding: string): string | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    // Undefined bytes become control characters or those of private use.
    return /[^\P{Cc}\n\r\t]|\p{Co}/u.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** Returns the encodings, those of some languages first. */
function byLanguage(languages: readonly string[]): readonly Encoding[] {
  const preferred = languages.flatMap((language) => {
    const [primary = ''] = language.toLowerCase().split('-');
    const of = (name: string) =>
      encodings.filter((encoding) => languagesByEncoding[encoding].split(' ').includes(name));
    return [...of(language.toLowerCase()), ...of(primary)];
  });
  return [...new Set([...preferred, ...encodings])];
}

/** Returns the lines of a file with bytes beyond ASCII, up to the size of a sample. */
function linesBeyondAscii(bytes: Uint8Array): Uint8Array {
  const lines: Uint8Array[] = [];
  let length = 0;
  for (let at = 0; at < bytes.length && length < sampleBytes; at++) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    const start = bytes.lastIndexOf(newline, at) + 1;
    const next = bytes.indexOf(newline, at);
    const end = next === -1 ? bytes.length : next + 1;
    const line = end - start > maxLineBytes ? cellsAround(bytes, at) : bytes.subarray(start, end);
    lines.push(line);
    length += line.length;
    at = end - 1;
  }
  return Buffer.concat(lines);
}

const newline = 10;
const maxLineBytes = 20_000;

/** Returns the cells around a position of a long line; none where they are long too. */
function cellsAround(bytes: Uint8Array, at: number): Uint8Array {
  const half = maxLineBytes / 2;
  const isSeparator = (byte: number) => byte === 0x2c || byte === 0x3b || byte === 0x09;
  const start = bytes.subarray(Math.max(0, at - half), at).findLastIndex(isSeparator);
  const end = bytes.subarray(at, at + half).findLastIndex(isSeparator);
  if (start === -1 || end === -1) return bytes.subarray(at, at);
  return bytes.subarray(Math.max(0, at - half) + start + 1, at + end + 1);
}

/** Returns which words are shown: the first beyond ASCII, and those in which two readings differ. */
function toldApart(readings: readonly (readonly string[])[]): ReadonlySet<number> {
  const beyond = [...(readings[0]?.keys() ?? [])].filter((index) =>
    readings.some((words) => /[^\p{ASCII}]/u.test(words[index] ?? '')),
  );
  const shown = new Set(beyond.slice(0, shownWords));
  for (const [at, one] of readings.entries())
    for (const other of readings.slice(at + 1)) {
      const differs = (index: number) => one[index] !== other[index];
      const first = [...shown].some(differs) ? undefined : beyond.find(differs);
      if (first !== undefined) shown.add(first);
    }
  return shown;
}

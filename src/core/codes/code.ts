import type { RandomBytes } from '../ports.ts';

/**
 * Alphabet of codes: Crockford's base32 in lower case, without i, l, o and u, which are misread on
 * paper. Eight characters are 40 random bits, so that codes cannot be guessed.
 */
export const codeAlphabet = '0123456789abcdefghjkmnpqrstvwxyz';
export const codeLength = 8;

/** Digit value of each ASCII character, by its code unit; -1 for characters outside the alphabet. */
const digits = new Int8Array(128).fill(-1);
for (const [digit, character] of [...codeAlphabet].entries())
  for (const spelling of [character, character.toUpperCase()])
    digits[spelling.charCodeAt(0)] = digit;

/**
 * Parses the code between two positions of a text as a base-32 number below 2⁴⁰, ignoring case.
 * Redirects look codes up by this number, without cutting a string from the URL.
 *
 * @returns null when the characters are no code
 */
export function parseCodeNumber(text: string, from: number, to: number): number | null {
  if (to - from !== codeLength) return null;
  let number = 0;
  for (let at = from; at < to; at++) {
    const digit = digits[text.charCodeAt(at)] ?? -1;
    if (digit < 0) return null;
    number = number * 32 + digit;
  }
  return number;
}

/** Returns the stored form of a code number. */
export function formatCodeNumber(number: number): string {
  let code = '';
  for (let rest = number; code.length < codeLength; rest = Math.floor(rest / 32))
    code = codeAlphabet.charAt(rest % 32) + code;
  return code;
}

/** Returns the stored form of a code, or null when the text is no code. Case is ignored. */
export function parseCode(text: string | null | undefined): string | null {
  const isCode = typeof text === 'string' && parseCodeNumber(text, 0, text.length) !== null;
  return isCode ? text.toLowerCase() : null;
}

/** First segments of Waymark's own pages, below which neither imported links nor base URLs can be. */
export const ownSegments: ReadonlySet<string> = new Set([
  'account',
  'api',
  'docs',
  'healthz',
  'metrics',
]);

/** Maximum length of the path of an imported link in characters. */
export const maxPathLength = 255;

/**
 * Returns a text that can be a code in any case, or the path of an imported link, whose case matters;
 * null when it can be neither. `Qrs.get` tells which of the two exists.
 */
export function parseCodeOrPath(text: string | null | undefined): string | null {
  if (typeof text !== 'string' || text === '' || text.length > maxPathLength) return null;
  return /\p{Cc}/u.test(text) || !text.isWellFormed() ? null : text;
}

/**
 * Returns the stored forms that a text may have.
 * The path of an imported link, and a code in lower case.
 */
export function storedForms(text: string): string[] {
  const forms = [parseCodeOrPath(text), parseCode(text)].filter((form) => form !== null);
  return [...new Set(forms)];
}

/** Returns the code whose image has a name, such as `7h3k9m2x.png`; null for other names. */
export function imagedCode(name: string): string | null {
  return parseCode(/^(.*)\.(?:png|svg)$/s.exec(name)?.[1]);
}

/** Generates a code. The router reserves no path that could be a code. */
export function newCode(randomBytes: RandomBytes): string {
  // 32 divides 256, so the remainder is uniformly distributed.
  return Array.from(randomBytes(codeLength), (byte) => codeAlphabet[byte % 32]).join('');
}

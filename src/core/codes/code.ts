/**
 * The code of a QR: the last segment of its short link and its name in the API.
 *
 * Eight characters of Crockford's base32 in lower case (no i, l, o, u: nothing that is misread from
 * paper), 40 bits from a cryptographic source, so that codes cannot be guessed in sequence.
 */
export const codeAlphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const codeLength = 8;

const capital = /[A-Z]/;

/** What a character stands for in a code, by its code unit; only ASCII letters have another case. */
const digits = new Int8Array(128).fill(-1);
for (const [digit, character] of [...codeAlphabet].entries())
  for (const spelling of [character, character.toUpperCase()])
    digits[spelling.charCodeAt(0)] = digit;

/**
 * The code that stands in a text from one place up to another, as the number that its characters spell
 * as digits to the base 32, which is below 2⁴⁰; null when no code is spelled like that.
 *
 * Short links are looked up by it: cutting a piece off the URL, matching it and finding it among the
 * texts of thousands of codes takes half a microsecond more, a twentieth of a redirect.
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

/** The stored spelling of the code that {@link parseCodeNumber} made a number of. */
export function formatCodeNumber(number: number): string {
  let code = '';
  for (let rest = number; code.length < codeLength; rest = Math.floor(rest / 32))
    code = codeAlphabet.charAt(rest % 32) + code;
  return code;
}

/**
 * The stored spelling of a code that came in from outside, or null when no code is spelled like
 * that. Codes are looked up without regard to case, because printed links may be typed by hand and
 * dense links are written in capitals.
 */
export function parseCode(text: string | null | undefined): string | null {
  if (typeof text !== 'string' || parseCodeNumber(text, 0, text.length) === null) return null;
  // Most come as they are stored, and lower case is made for each anew.
  return capital.test(text) ? text.toLowerCase() : text;
}

/**
 * A fresh code. 32 divides 256, so taking each byte modulo 32 favours no character.
 *
 * It is never a word that the router uses: the site refuses to be built with a path spelled like a code.
 *
 * @param randomBytes a cryptographic source
 */
export function newCode(randomBytes: (length: number) => Uint8Array): string {
  return Array.from(randomBytes(codeLength), (byte) => codeAlphabet[byte % 32]).join('');
}

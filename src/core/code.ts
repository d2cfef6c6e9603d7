/**
 * The code of a QR: the last segment of its short link and its name in the API.
 *
 * Eight characters of Crockford's base32 in lower case (no i, l, o, u: nothing that is misread from
 * paper), 40 bits from a cryptographic source, so that codes cannot be guessed in sequence.
 */
export const codeAlphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const codeLength = 8;

// Without the u flag only ASCII letters have another case: no Kelvin sign is a k.
const codePattern = /^[0-9a-hjkmnp-tv-z]{8}$/i;
const capital = /[A-Z]/;

/**
 * The stored spelling of a code that came in from outside, or null when no code is spelled like
 * that. Codes are looked up without regard to case, because printed links may be typed by hand and
 * dense links are written in capitals.
 */
export function parseCode(text: string | null | undefined): string | null {
  if (typeof text !== 'string' || !codePattern.test(text)) return null;
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

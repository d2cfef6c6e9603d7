import { readCommonPasswords } from '../../../lib/build/embedded.ts';

/** Rows of keyboards (English, German, French), digits and the alphabet. */
const sequences = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
].flatMap((text) => [text, [...text].reverse().join('')]);

/**
 * Returns whether a password is one of the first guesses (NIST SP 800-63B, 3.1.1.2).
 * A common password, a sequence, or a name of this account or program. Case makes no difference, nor do up to five
 * digits or signs at the end (a year and a sign).
 *
 * @param names what an attacker knows
 */
export function isGuessablePassword(password: string, names: readonly string[]): boolean {
  const text = password.toLowerCase();
  // A password is set rarely, so that nothing keeps the list in memory.
  const commonPasswords = readCommonPasswords();
  const known = names.map((name) => name.toLowerCase());
  return [0, 1, 2, 3, 4, 5].some((added) => {
    const start = text.slice(0, text.length - added);
    return (
      /^[^\p{L}\s]*$/u.test(text.slice(start.length)) &&
      (known.includes(start) ||
        commonPasswords.includes(JSON.stringify(start)) ||
        sequences.some((sequence) => sequence.includes(start)))
    );
  });
}

/** Returns the part that a text repeats (`ab` of `ababab`), or the text. */
export function repeatedPart(text: string): string {
  // Where a text is found again in two of it.
  return text.slice(0, (text + text).indexOf(text, 1));
}

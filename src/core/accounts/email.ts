import { Refused } from '../errors.ts';

/** Maximum length of an e-mail address in characters (RFC 5321, 4.5.3.1). */
export const maxEmailLength = 254;

// Version 1.1 stored every address with one @ and text on both sides, without blanks and control characters.
const storedEmailPattern = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;

// In lower case, it is the k of ASCII, as no other character outside of ASCII is one of it: two addresses would be one.
const kelvinSign = '\u212a';

/** Returns the stored form of the e-mail address of an existing account, or null for any other text. */
export function parseEmail(text: string): string | null {
  if (text.includes(kelvinSign)) return null;
  const email = text.trim().toLowerCase();
  return email.length <= maxEmailLength && storedEmailPattern.test(email) ? email : null;
}

/**
 * Returns the stored forms that the e-mail address of an existing account may have.
 * Fields for e-mail addresses send a domain in its form with `xn--`, other fields as it was typed.
 */
export function storedEmails(text: string): string[] {
  const email = parseEmail(text);
  if (email === null) return [];
  const [local = '', domain = ''] = email.split('@');
  const isAscii = /^\p{ASCII}*$/u.test(domain);
  // Of a text with these, a URL would take a part alone for its host.
  const isHost = !/[/\\?#:[\]%]/.test(domain);
  const url = !isAscii && isHost ? URL.parse(`http://${domain}`) : null;
  return url === null ? [email] : [email, `${local}@${url.hostname}`];
}

/**
 * Returns whether browsers accept a text as an e-mail address.
 * HTML: "valid e-mail address".
 */
function isValidEmail(email: string): boolean {
  const [local = '', domain = '', ...more] = email.split('@');
  const isLabel = (label: string) =>
    /^[a-z0-9-]{1,63}$/.test(label) && !label.startsWith('-') && !label.endsWith('-');
  return (
    more.length === 0 &&
    /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+$/.test(local) &&
    domain.split('.').every(isLabel)
  );
}

/**
 * Returns the stored form of an e-mail address for an account.
 * A domain with other letters than those of ASCII is stored in its form with `xn--`, as browsers send it.
 *
 * @throws Refused
 */
export function parseNewEmail(text: string): string {
  const email = storedEmails(text).find(isValidEmail);
  if (email !== undefined) return email;
  throw new Refused({ kind: 'no e-mail address' });
}

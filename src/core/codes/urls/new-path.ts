import { skeletonOf } from '../../../lib/text/look-alikes.ts';
import { trimInvisible } from '../../../lib/trim.ts';
import { Refused } from '../../errors.ts';
import type { PathReason } from '../../reasons.ts';
import { ownSegments } from '../code.ts';
import { parseTypedPath } from '../path.ts';

/**
 * Parses a path that the owner of a code chooses.
 * Paths that were chosen before, and imported ones, stay as they are.
 *
 * @param text percent-encoded or not; a slash at the beginning is left out
 * @returns the stored form, or null for an empty text
 * @throws Refused
 */
export function parseNewPath(text: string): string | null {
  const path = parseTypedPath(text);
  if (path !== null) requireNewPath(path);
  return path;
}

/** Checks that no visitor takes a new path for a page of this server, or for another path. @throws Refused */
export function requireNewPath(path: string): void {
  const reason = problemOf(path);
  if (reason !== null) throw new Refused(reason);
}

function problemOf(path: string): PathReason | null {
  const segments = path.split('/');
  if (segments.some((segment) => trimInvisible(segment) !== segment || blankAtEnd.test(segment)))
    return { kind: 'path with a blank at an end' };
  const own = path.normalize('NFKC').split(separator).find(isLikeOwnPage);
  if (own !== undefined) return { kind: 'path like own page', segment: own };
  if (hiddenCharacter.test(path)) return { kind: 'path with invisible characters' };
  return isOfOneScript(path) ? null : { kind: 'path of several scripts' };
}

/** Blanks that are no white space: of Braille, and fillers of Hangul. */
const blankAtEnd = /^[\u2800\u115f\u1160\u3164\uffa0]|[\u2800\u115f\u1160\u3164\uffa0]$/;

/** What ends a part of a path for those who read it: slashes and what looks like one, and signs of queries. */
const separator = /[/\u2044\u2215\u2571\u27cb\u29f8;:,&=@+]+/;

/** What visitors take for the server's own: its pages, and where people sign in or administer. */
const ownWords = new Set(
  [
    ...ownSegments,
    ...['accounts', 'admin', 'administrator', 'auth', 'login', 'logon', 'logout', 'oauth'],
    ...['password', 'settings', 'sign in', 'sign on', 'sign out', 'sign up', 'sso'],
  ].map(skeletonOf),
);

function isLikeOwnPage(segment: string): boolean {
  // `login.php` is one, too.
  const [ending = ''] = /\.[\p{L}\p{N}]{1,5}$/u.exec(segment) ?? [];
  return [segment, segment.slice(0, segment.length - ending.length)].some((text) =>
    ownWords.has(skeletonOf(text)),
  );
}

/** Characters that are not seen, but for joiners in scripts and emoji that need them. */
const hiddenCharacter =
  /(?<![\p{scx=Arab}\p{scx=Beng}\p{scx=Deva}\p{scx=Gujr}\p{scx=Guru}\p{scx=Knda}\p{scx=Mlym}\p{scx=Orya}\p{scx=Sinh}\p{scx=Taml}\p{scx=Telu}\p{ExtPict}\ufe0f])[\u200c\u200d]|(?<!\p{ExtPict})\ufe0f|[\p{DI}--[\u200c\u200d\ufe0f]]/v;

/** Scripts in common use (UAX 31, table 5); those that one language writes together are one. */
const scripts = [
  ...['Latin', 'Cyrillic', 'Greek', 'Arabic', 'Armenian', 'Bengali', 'Devanagari', 'Ethiopic'],
  ...['Georgian', 'Gujarati', 'Gurmukhi', 'Hebrew', 'Kannada', 'Khmer', 'Lao', 'Malayalam'],
  ...['Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Thaana', 'Thai', 'Tibetan'],
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Hangul'],
  ['Han', 'Bopomofo'],
].map((names) => {
  const letters = [names, 'Common', 'Inherited'].flat().map((name) => `\\p{scx=${name}}`);
  return new RegExp(`^[\\P{L}${letters.join('')}]*$`, 'u');
});

function isOfOneScript(path: string): boolean {
  return scripts.some((script) => script.test(path));
}

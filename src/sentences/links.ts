import type { LinkReason, PathReason, Sentences } from '../core/reasons.ts';
import type { Texts } from '../languages/generated/texts.ts';
import { formatCount } from '../lib/numbers.ts';

/** Why a path cannot be that of an imported link, or one more path of a code. */
export const pathSentences = (_: Texts) =>
  ({
    'path badly encoded': () => 'The path is badly encoded.',
    'path empty': () => 'The address has no path. Every link needs one.',
    'path too long': ({ maxLength }) =>
      `The path is longer than ${formatCount(maxLength, 'character')}.`,
    'path of Waymark': ({ segment }) => `/${segment} is a page of Waymark.`,
    'path with a slash at the end': () => 'The path has a slash at the end. Leave it out.',
    'path with a blank at an end': () =>
      'The path, or a part of it, begins or ends with a blank. Leave it out.',
    'path with invisible characters': () =>
      'The path has characters that nobody sees. Type it instead of pasting it.',
    'path of several scripts': () =>
      'The path mixes letters of several scripts, or has some of a script that is not in common use. Some look alike: write it in one.',
    'path like own page': ({ segment }) =>
      `/${segment} looks like a page of Waymark, or one to sign in. Choose another path.`,
    'path leads back': ({ path }) =>
      `The destination of the code leads to /${path}, so it would lead to itself. Change the destination first, or choose another path.`,
    'path exists': ({ path }) => `/${path} exists already.`,
    'path in another case': ({ path }) =>
      `There is a path that differs from /${path} only in capitals, and people type both alike. Choose another path.`,
  }) satisfies Partial<Sentences<PathReason>>;

/** Creates the sentences on why a printed link is not imported. */
export function linkSentences(_: Texts) {
  return {
    'addresses not read': ({ name }) =>
      `The addresses in “${name}” are in a form that is not known. Write them with spaces between, or remove the field.`,
    'path of an earlier row': ({ row }) => `Row ${row} has the same path.`,
    'path of an earlier row and another host': ({ row }) =>
      `Row ${row} has the same path under another host. Here a path leads to one place under all hosts: leave one of the two out.`,
    'short address of another domain': ({ url }) =>
      `The short address is not one of ${url}, which the row names as its domain.`,
    'no short address': () => 'The row has no short address.',
    'no number of scans': ({ text }) => `“${text}” is no number of scans.`,
  } satisfies Partial<Sentences<LinkReason>>;
}

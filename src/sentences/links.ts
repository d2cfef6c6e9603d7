import type { LinkReason, PathReason, Sentences } from '../core/reasons.ts';
import type { Texts } from '../languages/generated/texts.ts';

/** Why a path cannot be that of an imported link, or one more path of a code. */
export const pathSentences = ({ pathReasons: t }: Texts) =>
  ({
    'path badly encoded': () => t.badlyEncoded,
    'path empty': () => t.missing,
    'path too long': ({ maxLength }) => t.tooLong({ chars: maxLength }),
    'path of Waymark': t.ofWaymark,
    'path with a slash at the end': () => t.slashAtEnd,
    'path with a blank at an end': () => t.blankAtEnd,
    'path with invisible characters': () => t.invisibleCharacters,
    'path of several scripts': () => t.severalScripts,
    'path like own page': t.likeOwnPage,
    'path leads back': t.leadsBack,
    'path exists': t.exists,
    'path in another case': t.differsInCapitals,
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

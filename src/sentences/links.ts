import type { PathReason, Sentences } from '../core/reasons.ts';
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

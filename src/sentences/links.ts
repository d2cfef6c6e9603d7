import type { LinkReason, PathReason, Sentences } from '../core/reasons.ts';
import { formatCount } from '../lib/numbers.ts';
import type { Typography } from './typography.ts';

/** Why a path cannot be that of an imported link, or one more path of a code. */
export const pathSentences = {
  'path badly encoded': () => 'The path is badly encoded.',
  'path empty': () => 'The path is empty.',
  'path too long': ({ maxLength }) =>
    `The path is longer than ${formatCount(maxLength, 'character')}.`,
  'path of Waymark': ({ segment }) => `/${segment} is a page of Waymark.`,
  'path with a slash at the end': () => 'The path has a slash at the end. Leave it out.',
  'path exists': ({ path }) => `/${path} exists already.`,
} satisfies Partial<Sentences<PathReason>>;

/** Creates the sentences on why a printed link is not imported. */
export function linkSentences({ quote }: Typography) {
  return {
    'path of an earlier row': ({ row }) => `Row ${row} has the same path.`,
    'no short address': () => 'The row has no short address.',
    'no number of scans': ({ text }) => `${quote(text)} is no number of scans.`,
  } satisfies Partial<Sentences<LinkReason>>;
}

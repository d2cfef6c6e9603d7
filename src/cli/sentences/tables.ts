import type {
  BatchReason,
  BulkEditReason,
  LabelReason,
  LinkReason,
  ListReason,
  PathReason,
  Reason,
  RowReason,
  Sentences,
} from '../../core/reasons.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { formatCount, formatNumber, plural } from '../../lib/numbers.ts';
import * as common from '../../sentences/codes.ts';
import { pathSentences as commonPathSentences } from '../../sentences/links.ts';
import { straight } from '../../sentences/straight.ts';
import {
  batchSentences as commonBatchSentences,
  rowSentences as commonRowSentences,
} from '../../sentences/tables.ts';
import { quoted } from '../../sentences/typography.ts';

export const labelSentences = (t: Texts): Sentences<LabelReason> => ({
  ...common.labelSentences(t),
  'control characters in a label': ({ noun }) => `A ${noun} must not contain control characters.`,
  'label is no Unicode': ({ noun }) => `The ${noun} is not valid Unicode.`,
});

export const listSentences = (t: Texts): Sentences<ListReason> => ({
  ...common.listSentences(t),
  'sorted too far': ({ max }) =>
    `Only the first ${formatNumber(max)} codes of this list can be sorted. Use a smaller offset, a search or a filter.`,
});

export const batchSentences = (t: Texts): Sentences<BatchReason> => ({
  ...commonBatchSentences(t),
  'plan expired': () =>
    'The paid plan of this account has expired. Printed codes continue to redirect.',
});

export const rowSentences = (t: Texts): Sentences<RowReason> => ({
  ...straight(commonRowSentences(t)),
  'no destination in the row': () => 'The row has no destination.',
});

export const pathSentences = (t: Texts): Sentences<PathReason> => ({
  ...commonPathSentences(t),
  'path with control characters': () =>
    'The path has a control character, a backslash, a question mark or a hash.',
  'path with an empty segment': () => 'The path has an empty segment, "." or "..".',
  'path that programs ask for': ({ path }) =>
    `Browsers and other programs ask each host for /${path}, and each time would count as a scan. Choose another path.`,
  'path reserved': ({ path }) =>
    `/${path} belonged to another account, which gave it up less than two years ago. People may still have it. Choose another path.`,
});

export const linkSentences: Sentences<LinkReason> = {
  'addresses not read': ({ name }) =>
    `The addresses in "${name}" are in a form that is not known. Write them with spaces between, or remove the field.`,
  'path of an earlier row and another host': ({ row }) =>
    `Row ${row} has the same path under another host. Here a path leads to one place under all hosts: leave one of the two out.`,
  'short address of another domain': ({ url }) =>
    `The short address is not one of ${url}, which the row names as its domain.`,
  'no short address': () => 'The row has no short address.',
  'destination in this file': () =>
    'The destination is a link of this import and would redirect in a loop.',
  'path of an image': ({ path, code }) =>
    `/${path} is the name of an image: there is a code ${code}. The API would show the image for it.`,
  'printed path that programs ask for': ({ path }) =>
    `Browsers and other programs ask each host for /${path}, and each time would count as a scan. If it was printed, import it with --force.`,
  'short address is no URL': () => 'The short address is no valid URL.',
  'short address with a query': () =>
    'The printed address has a query or a fragment, which links cannot have.',
  'no number of scans': ({ text }) => `${quoted(text)} is no number of scans.`,
  'no date': ({ of, text }) => `${quoted(text)} is no date of the ${of}. Write it like 2026-01-31.`,
  'paths created meanwhile': ({ created }) =>
    `Another process created one of the paths meanwhile. ${
      created === 0
        ? 'Nothing was created. Try again.'
        : `${created} links were created. Import the file again with --only-good, which leaves out those that exist.`
    }`,
};

/** @param say the sentence of another reason */
export function bulkEditSentences(
  t: Texts,
  say: (reason: Reason) => string,
): Sentences<BulkEditReason> {
  return {
    ...common.bulkEditSentences(t, say),
    'bulk edit running': () =>
      'Another bulk edit of this account is running, or was interrupted. Try again in a minute.',
    'nothing to replace': () => 'Name the part of the destination that is to be replaced.',
    'too many selected': ({ max }) =>
      `More than ${formatNumber(max)} codes are selected. Search for a part of them, and repeat the edit for the others.`,
    'changed since': ({ changed, codes }) =>
      `${formatNumber(changed)} of the ${formatCount(codes, 'code')} ${plural(changed, 'was', 'were')} changed since this bulk edit, so it can't be undone.`,
  };
}

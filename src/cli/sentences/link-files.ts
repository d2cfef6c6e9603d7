import { mapLinkLabels } from '../../core/codes/fields.ts';
import type { LinkFileReason, Listed } from '../../core/codes/tables/file-reasons.ts';
import type { Sentences } from '../../core/reasons.ts';
import { formatCount } from '../../lib/numbers.ts';
import { quoted } from '../../sentences/typography.ts';

/** Lists names: `"a", "b" and others`. */
function names({ first, others }: Listed<string>): string {
  return `${first.map(quoted).join(', ')}${others > 0 ? ' and others' : ''}`;
}

/** Why a file is no export of links. */
export const linkFileSentences: Sentences<LinkFileReason> = {
  'too many links': ({ max }) =>
    `The file has more than ${formatCount(max, 'link')}. Split it into several.`,
  'too many columns of links': ({ row, max }) =>
    `Row ${row} has more than ${formatCount(max, 'column')}, so the file is no export of links.`,
  'file without links': () => 'There is no link in the file.',
  'file is an SQL dump': () =>
    'The file is an SQL dump, which is not read. Export the table of links as CSV with a header row instead: in phpMyAdmin "Export", "CSV", "Put columns names in the first row"; the page "Moving in" of the documentation has the commands for MySQL, PostgreSQL and SQLite.',
  'columns of links not known': () => 'The file does not say plainly what is in its columns.',
  'column chosen twice': ({ column }) =>
    `The column ${quoted(column)} is named twice. A column is one thing.`,
  'not this export': ({ unknown, missing }) =>
    [
      'The file is not exactly as this service writes it.',
      ...(missing.first.length > 0 ? [`It lacks: ${names(missing)}.`] : []),
      ...(unknown.first.length > 0 ? [`Not known: ${names(unknown)}.`] : []),
      'Name its columns instead of the service.',
    ].join(' '),
  'links without a header': () => {
    const optional = Object.values(mapLinkLabels((name) => `"${name}"`)).join(', ');
    return `The first row does not name the columns. A table needs the columns "path" and "destination", and may have ${optional}, "scans", "created" and "last scan".`;
  },
  'JSON without links': () =>
    'The JSON has no list of links. It needs one of objects with "path" and "destination".',
  'JSON with too many fields': () => 'The JSON has too many fields.',
  'JSON with several lists': ({ lists }) =>
    `The JSON has several lists of links: ${names(lists)}. Save each in a file, and import one after the other.`,
  'broken JSON': () =>
    'The file begins like JSON but is broken, or has several answers one after the other. Export it again, each answer in a file, or join them with "jq -s .".',
};

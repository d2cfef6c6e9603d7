import {
  type CodeColumn,
  codeFields,
  fieldText,
  labelFields,
  labelNames,
  mapLabels,
  textLabels,
} from '../../core/codes/fields.ts';
import { isoTimestamp, type Qr } from '../../core/codes/qr.ts';
import { readableUrl } from '../../lib/text/readable-url.ts';
import { formatTable } from '../output.ts';

/** Converts a code for `--json`. */
export function codeJson(qr: Qr): Readonly<Record<string, unknown>> {
  const fields = codeFields.filter(
    ({ isNotInJson, isInJsonIfSet, value }) =>
      !isNotInJson && !(isInJsonIfSet && value(qr) === null),
  );
  const { query } = qr;
  return {
    ...Object.fromEntries(fields.map(({ column, value }) => [column, value(qr)])),
    ...(query !== null && { query }),
  };
}

/** A code, with the e-mail address of its account in a list of several accounts. */
export interface ListedCode {
  readonly qr: Qr;
  readonly owner?: string;
}

/** Describes codes in columns with a header. The destination is last, because it may be long. */
export function codeTable(codes: readonly ListedCode[]): string {
  const hasOwner = codes.some(({ owner }) => owner !== undefined);
  const hasPath = codes.some(({ qr }) => qr.path !== null);
  const labels = labelNames.filter(
    (name) =>
      !('areaLength' in labelFields[name]) && name !== 'query' && (name !== 'path' || hasPath),
  );
  const columns: readonly (readonly [string, (code: ListedCode) => string])[] = [
    ['code', ({ qr }) => qr.code],
    ...(hasOwner ? ([['account', ({ owner = '' }) => owner]] as const) : []),
    ['status', ({ qr }) => (qr.isArchived ? `${qr.status}, archived` : qr.status)],
    ['scans', ({ qr }) => String(qr.scans)],
    [
      'last scan (UTC)',
      ({ qr }) => (qr.lastScanMs === null ? 'never' : minuteOf(isoTimestamp(qr.lastScanMs))),
    ],
    ...labels.map(
      (name) => [labelFields[name].label, ({ qr }: ListedCode) => qr[name] ?? ''] as const,
    ),
    ['destination', ({ qr }) => readableUrl(qr.destination)],
  ];
  return formatTable([
    columns.map(([header]) => header.toUpperCase()),
    ...codes.map((code) => columns.map(([, text]) => text(code))),
  ]);
}

/** Shortens an ISO 8601 instant for people: `2026-12-24 18:00`. */
function minuteOf(instant: string): string {
  return instant.slice(0, 16).replace('T', ' ');
}

const columnLabels: Readonly<Record<CodeColumn, string>> = {
  ...mapLabels((_, { label }) => label),
  code: 'Code',
  url: 'Short link',
  destination: 'Destination',
  status: 'Status',
  scans: 'Scans',
  last_scan: 'Last scan',
  created_at: 'Created',
  archived: 'Archived',
};

/** Describes a code in several lines. */
export function codeText(qr: Qr): string {
  return codeFields
    .map((field) => {
      const { column } = field;
      const text = fieldText(field, qr);
      return [columnLabels[column], column === 'destination' ? readableUrl(text) : text] as const;
    })
    .concat([['Query', qr.query === null ? '' : 'passed on to the destination']])
    .filter(([, value]) => value !== '')
    .map(([label, value]) => {
      // Lines of a note are indented like its first one.
      const text = value.replaceAll('\n', `\n${' '.repeat(columnWidth)}`);
      return `${`${label}:`.padEnd(columnWidth)}${text}`;
    })
    .join('\n');
}

const columnWidth = 'Destination: '.length;

/** Help of `--search`, whose rule is `searchedTexts`. */
export const searchHelp = `only codes whose ${[...textLabels, 'destination'].join(', ')} or code contains a text, or whose short link it is`;

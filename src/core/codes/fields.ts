import { maxNoteLength, parseLine, parseName, parseNote, parseSwitch } from '../labels.ts';
import { parseNewPath } from './urls/new-path.ts';

/**
 * The fields of a code.
 * Everything that lists, pages, commands, exports, tables and searches know about them is here, so that one entry adds
 * a field. Its words in the panel are sentences of it. "How to add something" in CONTRIBUTING.md adds one.
 */

/** A text on a code for people, which its owner can edit. The API does not show it. */
export interface LabelField {
  /** What commands call it. */
  readonly label: string;
  /** Headers of its column in tables, in small letters: one for each language of the panel. */
  readonly headers: readonly string[];
  /** Returns null for an empty text. @throws Refused */
  readonly parse: (text: string) => string | null;
  /** Maximum length in characters, if it may have several lines. */
  readonly areaLength?: number;
}

/** The labels of a code by the names of their columns, in the order in which they are shown. */
export const labelFields = {
  name: {
    label: 'Name',
    headers: ['name'],
    parse: parseName,
  },
  note: {
    label: 'Note',
    headers: ['note'],
    parse: parseNote,
    areaLength: maxNoteLength,
  },
  folder: {
    label: 'Folder',
    headers: ['folder'],
    parse: (text) => parseLine(text, 'folder'),
  },
  /** One more path of the short link. It is looked up: `sql/codes/paths.ts` makes it unique. */
  path: {
    label: 'Path',
    headers: ['path'],
    parse: parseNewPath,
  },
  /** Whether the query of a visitor is added to the destination, see `withQuery`: `on`, or null. */
  query: {
    label: 'Pass the query on',
    headers: ['pass query', 'pass the query on', 'query'],
    parse: parseSwitch,
  },
} as const satisfies Readonly<Record<string, LabelField>>;

export type LabelName = keyof typeof labelFields;

/** The labels that are texts for people. Whether the query is passed on is a switch. */
export type TextLabelName = Exclude<LabelName, 'query'>;

/** The labels of a code; null for none. */
export type QrLabels = Readonly<Record<LabelName, string | null>>;

// The cast is safe: these are the keys of the constant.
export const labelNames = Object.keys(labelFields) as readonly LabelName[];

export const textLabels = labelNames.filter((name): name is TextLabelName => name !== 'query');

const firstLabels: readonly TextLabelName[] = ['name', 'note', 'folder'];

/**
 * The last columns of CSV, in an order that stays: scripts read columns by their number.
 * Version 1.1 had the first labels and `archived`. A new label follows them.
 */
export const lastColumns: readonly (TextLabelName | 'archived')[] = [
  ...firstLabels,
  'archived',
  ...textLabels.filter((name) => !firstLabels.includes(name)),
];

/** The labels of a link to import, whose path is the printed one. */
export type LinkLabelName = Exclude<LabelName, 'path'>;
export type LinkLabels = Omit<QrLabels, 'path'>;

/** Returns an object with a value for each label. */
export function mapLabels<T>(
  value: (name: LabelName, field: LabelField) => T,
): Record<LabelName, T> {
  // The cast is safe: the loop adds each label. It takes a fifth of the time of entries.
  const labels = {} as Record<LabelName, T>;
  for (const name of labelNames) labels[name] = value(name, labelFields[name]);
  return labels;
}

/** Returns an object with a value for each label of an imported link. */
export function mapLinkLabels<T>(
  value: (name: LinkLabelName, field: LabelField) => T,
): Record<LinkLabelName, T> {
  const { path: _, ...labels } = mapLabels((name, field) =>
    name === 'path' ? null : value(name, field),
  );
  // The cast is safe: only the path is null.
  return labels as Record<LinkLabelName, T>;
}

/** The values of a code that people see. */
export interface CodeValues extends QrLabels {
  readonly code: string;
  readonly shortLink: string;
  readonly destination: string;
  readonly status: string;
  /** Whether it is done with: not in lists, searches and exports, though it redirects. */
  readonly isArchived: boolean;
  readonly scans: number;
  readonly lastScanMs: number | null;
  readonly createdAtMs: number;
}

/** The columns of codes in CSV and JSON. */
export type CodeColumn =
  | TextLabelName
  | 'code'
  | 'url'
  | 'destination'
  | 'status'
  | 'scans'
  | 'last_scan'
  | 'created_at'
  | 'archived';

/** How commands and exports show a value of a code. */
export interface CodeField {
  readonly column: CodeColumn;
  readonly value: (code: CodeValues) => string | number | boolean | null;
  /** Whether it is a time: the value is in UTC. */
  readonly isTime?: boolean;
  /** Whether `--json` lacks it, whose fields are fixed (DESIGN, "Command line"). */
  readonly isNotInJson?: boolean;
  /** Whether `--json` lacks it where it is null. */
  readonly isInJsonIfSet?: boolean;
}

const labelField = (name: TextLabelName): CodeField => ({
  column: name,
  value: (code) => code[name],
  isNotInJson: name === 'note',
  isInJsonIfSet: name === 'path',
});

const timestamp = (ms: number) => new Date(ms).toISOString();

/** All fields in the order in which they are shown. */
export const codeFields: readonly CodeField[] = [
  labelField('name'),
  { column: 'code', value: ({ code }) => code },
  { column: 'url', value: ({ shortLink }) => shortLink },
  { column: 'destination', value: ({ destination }) => destination },
  { column: 'status', value: ({ status }) => status },
  { column: 'scans', value: ({ scans }) => scans },
  {
    column: 'last_scan',
    value: ({ lastScanMs }) => (lastScanMs === null ? null : timestamp(lastScanMs)),
    isTime: true,
  },
  {
    column: 'created_at',
    value: ({ createdAtMs }) => timestamp(createdAtMs),
    isTime: true,
  },
  ...lastColumns
    .filter((column) => column !== 'name')
    .map(
      (column): CodeField =>
        column === 'archived'
          ? { column, value: ({ isArchived }) => isArchived }
          : labelField(column),
    ),
];

/**
 * Returns a value of a code for people and CSV; empty for none.
 * Times are in a zone, with their UTC offset.
 */
export function fieldText(
  { value, isTime = false }: CodeField,
  code: CodeValues,
  zone = 'UTC',
): string {
  const shown = value(code);
  if (isTime && typeof shown === 'string' && zone !== 'UTC')
    return Temporal.Instant.from(shown).toString({ timeZone: zone, fractionalSecondDigits: 3 });
  return shown === true ? 'yes' : shown === false ? '' : String(shown ?? '');
}

/** Returns the texts of a code that a search reads. */
export function searchedTexts(
  code: Pick<CodeValues, 'code' | 'destination' | LabelName>,
): string[] {
  const labels = textLabels.map((name) => code[name]).filter((label) => label !== null);
  return [code.destination, code.code, ...labels];
}

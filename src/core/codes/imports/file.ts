import { detectDelimiter } from '../../../lib/csv.ts';
import type { Sheet } from '../../../lib/spreadsheet/cells.ts';
import { Refused } from '../../errors.ts';
import type { FileNotice } from '../tables/file-reasons.ts';
import {
  contentOf,
  filledRows,
  requireAtMost,
  type TableBounds,
  type TableRow,
  withNotices,
} from '../tables/rows.ts';
import { readSheet } from '../tables/text-file.ts';
import {
  detectSource,
  type ForeignLink,
  type LinkReader,
  type LinkSource,
  linkReader,
} from './sources.ts';

/** Maximum number of links in a file. */
const maxImportedLinks = 50_000;

/** Bounds of a file. The bytes are 50,000 links with long addresses. */
export const linkFileBounds: TableBounds = {
  maxBytes: 20_000_000,
  // With the header.
  maxRows: maxImportedLinks + 1,
  maxLines: 10 * maxImportedLinks,
  tooLong: { kind: 'too many links', max: maxImportedLinks },
  tooWide: (row, max) => ({ kind: 'too many columns of links', row, max }),
};

/** The links of a file. */
export interface LinkFile {
  readonly source: LinkSource;
  readonly links: readonly ForeignLink[];
  /** Rows that cannot be read at all. */
  readonly broken: readonly number[];
  /** Columns of a table that are not read. */
  readonly ignoredColumns: readonly string[];
  /** What was recognized. */
  readonly notices: readonly FileNotice[];
  /** Names of the sheets that were not read, if there are any. */
  readonly otherSheets?: readonly string[];
  /** How many links there are, if a document says that it has only some of them. */
  readonly total?: number;
}

/**
 * Reads the export of another service, see {@link parseLinkFile}.
 *
 * @throws Refused, with `several sheets` when somebody has to choose
 */
export async function readLinkFile(
  file: Uint8Array,
  { sheet, source = null }: { sheet?: string | undefined; source?: LinkSource | null | undefined },
): Promise<LinkFile> {
  return parseLinkFile(await readSheet(file, sheet, linkFileBounds), source);
}

/**
 * Parses the export of another service: CSV, JSON or a sheet of a spreadsheet.
 *
 * @param file a file in text form, or a sheet
 * @param source null detects it from the fields
 * @throws Refused when the file is no such export
 */
export function parseLinkFile(
  file: Uint8Array | string | Sheet,
  source: LinkSource | null,
): LinkFile {
  const content = contentOf(file, linkFileBounds);
  const { text, notices, otherSheets } = content;
  if (text !== null) rejectSqlDump(text);
  const isJson = text !== null && /^\s*[[{]/.test(text);
  const found = withNotices(notices, () => {
    const read = isJson
      ? parseJson(text, source)
      : parseRows(filledRows(content, detectDelimiter, linkFileBounds), source);
    if (read.links.length + read.broken.length === 0)
      throw new Refused({ kind: 'file without links' });
    return read;
  });
  return { ...found, notices, ...(otherSheets.length > 0 && { otherSheets }) };
}

// Bounds of work, which a file that is no export could make last for a minute.
const maxJsonObjects = 10 * maxImportedLinks;
const maxJsonDepth = 20;

function requireFew(links: number): void {
  if (links > maxImportedLinks) throw new Refused(linkFileBounds.tooLong);
}

// Enough to see how a file is made.
const sampleLength = 20_000;

// The first statements of dumps by mysqldump, phpMyAdmin, pg_dump and sqlite3.
const statement =
  /^[ \t]*(?:INSERT\s+(?:IGNORE\s+)?INTO\s|CREATE\s+TABLE\s|LOCK\s+TABLES\s|DROP\s+TABLE\s|COPY\s+\S+\s+\()/im;

/** @throws Refused when a text is a dump of a database */
function rejectSqlDump(text: string): void {
  if (statement.test(text.slice(0, sampleLength)))
    throw new Refused({ kind: 'file is an SQL dump' });
}

function parseRows(
  rows: Iterable<TableRow>,
  source: LinkSource | null,
): Omit<LinkFile, 'notices' | 'otherSheets'> {
  const links: ForeignLink[] = [];
  const broken: number[] = [];
  let format: { source: LinkSource; reader: LinkReader } | null = null;
  for (const { row, cells } of rows) {
    if (format === null) {
      if (cells === null) throw new Refused({ kind: 'links without a header' });
      const names = cells.map(({ text }) => text);
      const known = readHeader(names, source);
      format = known ?? headerless(names);
      if (known !== null) continue;
    }
    if (cells === null) broken.push(row);
    else for (const link of format.reader.read(row, cells)) links.push(link);
    requireFew(links.length + broken.length);
  }
  const { source: found = 'csv', reader } = format ?? {};
  return { source: found, links, broken, ignoredColumns: reader?.ignored ?? [] };
}

function readHeader(cells: readonly string[], source: LinkSource | null) {
  const chosen = source ?? detectSource(cells);
  const reader = linkReader(cells, chosen);
  return reader && { source: chosen, reader };
}

/** Reads a table of paths, destinations and names without a header. @throws Refused for any other */
function headerless(cells: readonly string[]): { source: LinkSource; reader: LinkReader } {
  const reader = linkReader(['path', 'destination', 'name'], 'csv');
  if (reader === null || !/^https?:\/\//i.test(cells[1] ?? ''))
    throw new Refused({ kind: 'links without a header' });
  return { source: 'csv', reader };
}

function parseJson(
  text: string,
  source: LinkSource | null,
): Omit<LinkFile, 'notices' | 'otherSheets'> {
  const document = parsedJson(text);
  const lists = listsOf(document).toArray();
  if (lists.length === 0) throw new Refused({ kind: 'JSON without links' });
  for (const list of lists) {
    const items = list.map(fieldsOf);
    const names = [...new Set(items.flatMap((item) => [...item.keys()]))];
    const chosen = source ?? detectSource(names);
    const reader = linkReader(names, chosen);
    if (reader === null) continue;
    requireFew(items.length);
    // Each link gets a cell for each field.
    if (names.length > maxFields) throw new Refused({ kind: 'JSON with too many fields' });
    const links: ForeignLink[] = [];
    for (const [index, item] of items.entries()) {
      const cells = names.map((name) => ({ text: item.get(name) ?? '', link: null }));
      for (const link of reader.read(index + 1, cells)) links.push(link);
      requireFew(links.length);
    }
    const total = totalOf(document);
    return {
      source: chosen,
      links,
      broken: [],
      ignoredColumns: ignoredFields(names, reader.ignored),
      ...(total > items.length && { total }),
    };
  }
  throw new Refused({ kind: 'JSON without addresses' });
}

// More than the API of any service has.
const maxFields = 300;

/** Returns the names of fields that are not read: of an object of which nothing is read, its own. */
function ignoredFields(names: readonly string[], ignored: readonly string[]): string[] {
  const outerOf = (name: string) => name.replace(/\..*/s, '');
  const isIgnored = new Set(ignored);
  const read = new Set(names.filter((name) => !isIgnored.has(name)).map(outerOf));
  return [...new Set(ignored.map((name) => (read.has(outerOf(name)) ? name : outerOf(name))))];
}

/** Returns how many links an answer in pages says that there are; 0 when it does not. */
function totalOf(document: unknown): number {
  if (!isObject(document) || Array.isArray(document)) return 0;
  const outer = Object.values(document).filter((value) => isObject(value) && !Array.isArray(value));
  const counts = [document, ...outer].flatMap((value) => Object.entries(value ?? {}));
  const found = counts.find(([name]) =>
    /^(?:total|count|total_?(?:items|links|count|results))$/i.test(name),
  );
  return Number(found?.[1]) || 0;
}

function parsedJson(text: string): unknown {
  requireAtMost(text, '{', maxJsonObjects, linkFileBounds);
  if (isDeep(text)) throw new Refused({ kind: 'JSON without links' });
  requireAtMost(text, '[', maxJsonObjects, linkFileBounds);
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused({ kind: 'broken JSON' });
  }
}

/**
 * Returns whether lists and objects are nested deeper than an export has them.
 * JSON.parse would take gigabytes.
 */
function isDeep(text: string): boolean {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isString = !isString;
    else if (isString && character === '\\') at++;
    else if (!isString && (character === '[' || character === '{')) depth++;
    else if (!isString && (character === ']' || character === '}')) depth--;
    if (depth > maxJsonDepth) return true;
  }
  return false;
}

// Shlink and YOURLS have their lists two levels deep.
const maxDepth = 3;

/** Returns the lists of objects in a document. */
function* listsOf(value: unknown, depth = 0): Generator<object[]> {
  if (!isObject(value) || depth > maxDepth) return;
  const values: unknown[] = Object.values(value);
  const isList = Array.isArray(value) || 'link_1' in value;
  if (isList && values.length > 0 && values.every(isObject)) yield values;
  else for (const one of values) yield* listsOf(one, depth + 1);
}

/**
 * Returns the fields of an object as text.
 * Those of an object in it are `outer.inner`, and a list has one in a line.
 */
function fieldsOf(item: object): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of Object.entries(item))
    if (isObject(value) && !Array.isArray(value) && Object.keys(value).length > 0)
      for (const [inner, deep] of Object.entries(value))
        fields.set(`${name}.${inner}`, textOf(deep));
    else fields.set(name, textOf(value));
  return fields;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.filter((one) => !isObject(one)).join('\n');
  return value === null || isObject(value) ? '' : String(value);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

import { Refused } from '../../errors.ts';
import { listed } from '../tables/file-reasons.ts';
import { requireAtMost } from '../tables/rows.ts';
import { isExport, outerOf } from './exports.ts';
import { isObject, isPlainObject, maxDepth, textOf } from './json-values.ts';
import {
  type LinkFileOptions,
  linkFileBounds,
  maxImportedLinks,
  type ParsedLinks,
  requireFew,
} from './link-file.ts';
import { hasLinkColumns, linkTable } from './link-table.ts';
import { pagingOf } from './paging.ts';
import type { ForeignLink, LinkReader } from './sources.ts';

// Bounds of work, which a file that is no export could make last for a minute.
const maxJsonObjects = 10 * maxImportedLinks;
const maxJsonDepth = 20;
// 50,000 links on pages of 10.
const maxLists = 5000;

/**
 * Parses the answer of an API, or several of them in a list.
 *
 * @param knownReader returns the reader of an export that has these fields; null for a table
 * @throws Refused when it has no links, and with what has to be asked
 */
export function parseJsonLinks(
  text: string,
  options: LinkFileOptions,
  knownReader: (names: readonly string[]) => LinkReader | null,
): ParsedLinks {
  const document = parsedJson(text);
  const isTable = options.source === 'csv' || options.linkColumns !== undefined;
  const canRead = (names: readonly string[]) =>
    (!isTable && isExport(names, options.source ?? null)) || hasLinkColumns(names, options);
  const all = listsOf(document, canRead)
    .take(maxLists + 1)
    .toArray();
  if (all.length === 0 || all.length > maxLists) throw new Refused({ kind: 'JSON without links' });
  const readable = all.filter(({ isReadable }) => isReadable);
  const paths = [...new Set(readable.map(({ path }) => path))];
  if (paths.length > 1)
    throw new Refused({ kind: 'JSON with several lists', lists: listed(paths) });
  const lists = readable.length > 0 ? readable : longestLists(all);
  // Lists at the same path are those of several pages.
  const items = lists.flatMap((list) => list.items);
  requireFew(items.length);
  const names = [...new Set(lists.flatMap((list) => list.names))];
  // Each link gets a cell for each field.
  if (names.length > maxFields) throw new Refused({ kind: 'JSON with too many fields' });
  const rows = items.map((item) =>
    names.map((name) => ({ text: item.get(name) ?? '', link: null })),
  );
  const reader = knownReader(names) ?? linkTable(rows, names, options).reader;
  const links: ForeignLink[] = [];
  for (const [index, cells] of rows.entries()) {
    for (const link of reader.read(index + 1, cells)) links.push(link);
    requireFew(links.length);
  }
  const { total, hasMore } = pagingOf(document);
  const isAsLongAsPage = document === lists[0]?.list && pageSizes.includes(items.length);
  const more = hasMore ? 'said' : isAsLongAsPage ? 'likely' : null;
  return {
    source: reader.source,
    links,
    broken: [],
    ignoredColumns: ignoredFields(names, reader.ignored),
    ...(total > items.length && { total }),
    ...(more !== null && { more }),
  };
}

// Rebrandly, Zipline and Dub answer with a list that says nothing of its pages.
const pageSizes = [25, 50, 100];

// More than the API of any service has.
const maxFields = 300;

/** Returns the names of fields that are not read: of an object of which nothing is read, its own. */
function ignoredFields(names: readonly string[], ignored: readonly string[]): string[] {
  const isIgnored = new Set(ignored);
  const read = new Set(names.filter((name) => !isIgnored.has(name)).map(outerOf));
  return [...new Set(ignored.map((name) => (read.has(outerOf(name)) ? name : outerOf(name))))];
}

/** Returns the lists at the path with most objects, of which somebody is asked what they have. */
function longestLists(lists: readonly JsonList[]): JsonList[] {
  const lengths = new Map<string, number>();
  for (const { path, items } of lists) lengths.set(path, (lengths.get(path) ?? 0) + items.length);
  const longest = Math.max(...lengths.values());
  const [path] = Array.from(lengths).find(([, length]) => length === longest) ?? [];
  return lists.filter((list) => list.path === path);
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

/** A list of objects in a document, as text. */
interface JsonList {
  /** Names of the fields that lead to it. */
  readonly path: string;
  readonly list: object;
  readonly items: readonly Map<string, string>[];
  /** Names of the fields of its objects. */
  readonly names: readonly string[];
  readonly isReadable: boolean;
}

/**
 * Returns the lists of objects in a document, but not those in a list of links.
 *
 * @param canRead tells whether objects with these fields are links
 */
function* listsOf(
  value: unknown,
  canRead: (names: readonly string[]) => boolean,
  path = '',
  depth = 0,
): Generator<JsonList> {
  if (!isObject(value) || depth > maxDepth) return;
  const isList = Array.isArray(value) || 'link_1' in value;
  const values: unknown[] = Object.values(value);
  if (isList && values.length > 0 && values.every(isPlainObject)) {
    const items = values.map(fieldsOf);
    const names = [...new Set(items.flatMap((item) => [...item.keys()]))];
    const isReadable = canRead(names);
    yield { path, list: value, items, names, isReadable };
    if (isReadable) return;
  }
  for (const [name, one] of Object.entries(value)) {
    const inner = path === '' ? name : `${path}.${name}`;
    yield* listsOf(one, canRead, isList ? path : inner, depth + 1);
  }
}

/**
 * Returns the fields of an object as text.
 * Those of an object in it are `outer.inner`, and a list has one in a line.
 */
function fieldsOf(item: object): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of Object.entries(item))
    if (isPlainObject(value) && Object.keys(value).length > 0)
      for (const [inner, deep] of Object.entries(value))
        fields.set(`${name}.${inner}`, textOf(deep));
    else fields.set(name, textOf(value));
  return fields;
}

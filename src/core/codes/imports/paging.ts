import { isObject, maxDepth, textOf } from './json-values.ts';

/** What an answer in pages says of all of them. */
interface Paging {
  /** Number of links; 0 when it does not say. */
  readonly total: number;
  readonly hasMore: boolean;
}

/** Names of the fields by which services say how many links there are, and whether more pages follow. */
const pagingNames = {
  total: [
    ...['total', 'count', 'totalItems', 'total_items', 'total_links', 'totalCount', 'total_count'],
    ...['total_results', 'totalElements', 'hydra:totalItems'],
  ],
  next: [
    ...['next', 'nextPage', 'next_page', 'next_page_url', 'nextPageToken', 'next_page_token'],
    ...['nextCursor', 'next_cursor', 'cursor', 'search_after', 'hydra:next'],
  ],
  hasMore: ['hasMore', 'has_more', 'hasNext', 'has_next', 'hasNextPage', 'has_next_page'],
  isLast: ['list_complete', 'isLast', 'is_last', 'last'],
  pages: ['pagesCount', 'pages_count', 'totalPages', 'total_pages', 'last_page', 'lastPage'],
} as const;

/** Returns what a document says of its pages. Of several answers, the last one says what is missing. */
export function pagingOf(document: unknown): Paging {
  const isJoined = Array.isArray(document);
  const fields = Map.groupBy(
    fieldsOfAnswer(isJoined ? document.at(-1) : document),
    ([name]) => name,
  );
  const valuesOf = (names: readonly string[]) =>
    names.flatMap((name) => fields.get(name) ?? []).map(([, value]) => value);
  const isLast = valuesOf(pagingNames.isLast);
  const hasNext =
    valuesOf(pagingNames.next).some(Boolean) || valuesOf(pagingNames.hasMore).includes(true);
  const isOneOfSeveral =
    !isJoined && valuesOf(pagingNames.pages).some((count) => Number(textOf(count)) > 1);
  const total = textOf(valuesOf(pagingNames.total)[0]);
  return {
    total: Number(total.replaceAll(/[,.' ]/g, '')) || 0,
    hasMore: isLast.includes(false) || (!isLast.includes(true) && (hasNext || isOneOfSeveral)),
  };
}

/** Returns the fields of an answer and of the objects in it, without its lists. */
function* fieldsOfAnswer(value: unknown, depth = 0): Generator<[string, unknown]> {
  if (!isObject(value) || Array.isArray(value) || 'link_1' in value || depth > maxDepth) return;
  yield* Object.entries(value);
  for (const inner of Object.values(value)) yield* fieldsOfAnswer(inner, depth + 1);
}

import { headerKey, wordsOf } from './header-words.ts';
import { isObject, maxDepth, textOf } from './json-values.ts';

/** What an answer in pages says of all of them. */
interface Paging {
  /** Number of links; 0 when it does not say. */
  readonly total: number;
  readonly hasMore: boolean;
}

/** Names of the fields by which services say how many links there are, and whether more pages follow. */
const pagingWords = {
  total: wordsOf(
    'total, count, total items, total links, total count, total results, total entries, total rows, total records, ' +
      'total elements, hydra:totalItems',
  ),
  next: wordsOf(
    'next, next page, next page url, next page token, next cursor, next link, next url, next token, cursor, ' +
      'search after, hydra:next',
  ),
  hasMore: wordsOf('has more, has next, has next page'),
  isLast: wordsOf('list complete, is last, is last page, last'),
  pages: wordsOf('pages count, page count, total pages, last page, num pages'),
} as const;

/** Returns what a document says of its pages. Of several answers, the last one says what is missing. */
export function pagingOf(document: unknown): Paging {
  const isJoined = Array.isArray(document);
  const fields = Map.groupBy(fieldsOfAnswer(isJoined ? document.at(-1) : document), ([name]) =>
    headerKey(name),
  );
  const valuesOf = (words: readonly string[]) =>
    words.flatMap((word) => fields.get(headerKey(word)) ?? []).map(([, value]) => value);
  const isLast = valuesOf(pagingWords.isLast);
  const hasNext =
    valuesOf(pagingWords.next).some(Boolean) || valuesOf(pagingWords.hasMore).includes(true);
  const isOneOfSeveral =
    !isJoined && valuesOf(pagingWords.pages).some((count) => Number(textOf(count)) > 1);
  const total = textOf(valuesOf(pagingWords.total)[0]);
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

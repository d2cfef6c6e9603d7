import { yieldToEventLoop } from '../../lib/event-loop.ts';
import type { QrCursor } from '../ports.ts';
import { searchedTexts } from './fields.ts';
import type { QrStore } from './ports.ts';
import type { Qr } from './qr.ts';

interface SearchOptions {
  readonly limit: number;
  readonly offset: number;
  /** Returns false once the client is gone; the result is incomplete then. */
  readonly isWanted: () => boolean;
  /** A further condition. */
  readonly matches?: (qr: Qr) => boolean;
}

/**
 * Creates a test whether any of the texts of a code contains a text, see `searchedTexts`.
 * Ignores case in every script, and compatibility forms such as full-width letters.
 *
 * @param text an empty text matches all
 */
export function searchMatcher(
  text: string,
): (code: Parameters<typeof searchedTexts>[0]) => boolean {
  const folded = fold(text);
  return (code) => searchedTexts(code).some((value) => fold(value).includes(folded));
}

/**
 * Folds case: to lower case and then to capitals, which makes both the variants of a capital (`İ`) and of a
 * small letter (`ς`, `ß`) equal.
 */
function fold(text: string): string {
  // Most texts are ASCII, for which this is the same, and faster.
  if (/^[\0-\x7f]*$/.test(text)) return text.toUpperCase();
  return text.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC');
}

export type QrSearch = ReturnType<typeof createQrSearch>;

// About four milliseconds of work.
const batchSize = 2000;

/**
 * Creates the search for QRs by part of a text, see `searchMatcher`. No index helps, so it reads the QRs of
 * the account, newest first, until the page is full: in batches and one search at a time, so that redirects
 * are not delayed.
 */
export function createQrSearch(store: Pick<QrStore, 'searchBatch'>) {
  let last: Promise<unknown> = Promise.resolve();

  const find = async (
    accountId: number,
    text: string,
    { limit, offset, isWanted, matches = () => true }: SearchOptions,
  ): Promise<{ qrs: Qr[]; hasMore: boolean }> => {
    // Keeps one match more than the page holds, which shows that there are more.
    const qrs: Qr[] = [];
    let toSkip = offset;
    for (let cursor: QrCursor | null = null; isWanted(); ) {
      const batch = await store.searchBatch(accountId, cursor, text, batchSize);
      const found = batch.found.filter(matches);
      qrs.push(...found.slice(toSkip, toSkip + limit + 1 - qrs.length));
      toSkip = Math.max(0, toSkip - found.length);
      cursor = batch.next;
      if (cursor === null || qrs.length > limit) break;
      await yieldToEventLoop();
    }
    return { qrs: qrs.slice(0, limit), hasMore: qrs.length > limit };
  };

  /** Returns a page of the account's codes that contain a text, newest first, and whether more follow. */
  return (...search: Parameters<typeof find>): ReturnType<typeof find> => {
    const result = last.then(() => find(...search));
    last = result.catch(() => {});
    return result;
  };
}

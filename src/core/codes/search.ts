import { yieldToEventLoop } from '../../lib/event-loop.ts';
import type { QrCursor, QrStore } from '../ports.ts';
import type { Qr } from './qr.ts';

interface SearchOptions {
  readonly limit: number;
  readonly offset: number;
  /** Returns false once the client is gone; the result is incomplete then. */
  readonly isWanted: () => boolean;
}

export type QrSearch = ReturnType<typeof createQrSearch>;

// About four milliseconds of work.
const batchSize = 2000;

/**
 * Creates the search for QRs by part of their code or destination. No index helps, so it reads the QRs of
 * the account, newest first, until the page is full: in batches and one search at a time, so that redirects
 * are not delayed.
 */
export function createQrSearch(store: Pick<QrStore, 'searchBatch'>) {
  let last: Promise<unknown> = Promise.resolve();

  const find = async (
    accountId: number,
    text: string,
    { limit, offset, isWanted }: SearchOptions,
  ): Promise<{ qrs: Qr[]; hasMore: boolean }> => {
    // Keeps one match more than the page holds, which shows that there are more.
    const qrs: Qr[] = [];
    let toSkip = offset;
    for (let cursor: QrCursor | null = null; isWanted(); ) {
      const { found, next } = await store.searchBatch(accountId, cursor, text, batchSize);
      qrs.push(...found.slice(toSkip, toSkip + limit + 1 - qrs.length));
      toSkip = Math.max(0, toSkip - found.length);
      cursor = next;
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

import { pause, yieldToEventLoop } from '../../../lib/event-loop.ts';
import { createFairQueue, requesterOf } from '../../fair-queue.ts';
import type { Clock, QrCursor } from '../../ports.ts';
import type { JobThrottle } from '../../scans/job-throttle.ts';
import { searchedTexts } from '../fields.ts';
import type { CodeFilter, QrStore } from '../ports.ts';
import type { Qr } from '../qr.ts';

interface SearchOptions {
  readonly limit: number;
  readonly offset: number;
  /** Returns false once the client is gone; the result is incomplete then. */
  readonly isWanted: () => boolean;
  readonly filter?: CodeFilter;
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
  const isAsciiSought = isAscii(folded);
  // Most texts are ASCII, which folds fast and contains nothing else.
  const contains = (value: string) =>
    (isAsciiSought || !isAscii(value)) && fold(value).includes(folded);
  return (code) => searchedTexts(code).some(contains);
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/**
 * Folds case: to lower case and then to capitals, which makes both the variants of a capital (`İ`) and of a
 * small letter (`ς`, `ß`) equal.
 */
function fold(text: string): string {
  if (isAscii(text)) return text.toUpperCase();
  return text.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC');
}

/** Codes in a batch: about a millisecond of work, and thirty with notes that are long and not ASCII. */
export const searchBatchSize = 500;

/**
 * Returns a `searchBatch` of which one call runs at a time, with pauses during a flood of redirects, and accounts
 * take turns. It rejects with ServerBusy when too many are waiting.
 */
export function searchInTurns(
  searchBatch: QrStore['searchBatch'],
  clock: Clock,
  throttle: JobThrottle,
): QrStore['searchBatch'] {
  const queue = createFairQueue({
    slots: 1,
    slotsPerOwner: 1,
    maxWaiting: 256,
    maxWaitingPerOwner: 32,
  });
  // From the end of a batch to that of the next: no redirect is counted while one runs.
  let pauseMs = throttle();
  return (accountId, ...rest) =>
    queue.run(requesterOf(accountId), async () => {
      const startMs = clock.monotonicMs();
      const batch = await searchBatch(accountId, ...rest);
      const ms = pauseMs(clock.monotonicMs() - startMs);
      pauseMs = throttle();
      await (ms > 0 ? pause(ms) : yieldToEventLoop());
      return batch;
    });
}

/**
 * Creates the search for QRs by part of a text, see `searchMatcher`. No index helps, so it reads the QRs of
 * the account in batches, newest first, until the page is full.
 *
 * @param store a server's has {@link searchInTurns}
 */
export function createQrSearch(store: Pick<QrStore, 'searchBatch'>) {
  /** Returns a page of the account's codes that contain a text, newest first, and whether more follow. */
  return async (
    accountId: number,
    text: string,
    { limit, offset, isWanted, filter }: SearchOptions,
  ): Promise<{ qrs: Qr[]; hasMore: boolean }> => {
    // Keeps one match more than the page holds, which shows that there are more.
    const qrs: Qr[] = [];
    let toSkip = offset;
    for (let cursor: QrCursor | null = null; isWanted(); ) {
      const { found, next } = await store.searchBatch(
        accountId,
        cursor,
        text,
        searchBatchSize,
        filter,
      );
      qrs.push(...found.slice(toSkip, toSkip + limit + 1 - qrs.length));
      toSkip = Math.max(0, toSkip - found.length);
      cursor = next;
      if (cursor === null || qrs.length > limit) break;
    }
    return { qrs: qrs.slice(0, limit), hasMore: qrs.length > limit };
  };
}

import type { QrCursor } from './insight.ts';
import type { Qr } from './qr.ts';

/** Looks through an account's codes in the order of the list, newest first. */
export interface QrSearcher {
  /**
   * Looks at the next codes and gives those whose code or destination contains a text, upper and
   * lower case of ASCII alike.
   *
   * @param cursor the code after which to begin; null begins with the newest
   * @param pieceLength how many codes to look at
   * @returns `next` is where to go on, or null when there is nothing left
   */
  matching(
    accountId: number,
    cursor: QrCursor | null,
    text: string,
    pieceLength: number,
  ): Promise<{ readonly found: readonly Qr[]; readonly next: QrCursor | null }>;
}

/** A page of what was found. How many there are in all is not counted. */
export interface QrSearchPage {
  readonly qrs: readonly Qr[];
  /** Whether there are older ones. */
  readonly hasMore: boolean;
}

export type QrSearch = ReturnType<typeof createQrSearch>;

// Some four milliseconds of work, which no redirect notices.
const pieceLength = 2000;

/**
 * Finds codes by a part of their code or destination. There is no index for that, so all codes are
 * looked through: in pieces, and one search at a time, because a million of them take seconds in
 * which phones must not wait.
 */
export function createQrSearch(world: {
  searcher: QrSearcher;
  /** Lets other work go first. */
  pause: () => Promise<void>;
}) {
  const { searcher, pause } = world;
  let last: Promise<unknown> = Promise.resolve();

  const look = async (
    accountId: number,
    text: string,
    { limit, offset, isWanted }: SearchPage,
  ): Promise<QrSearchPage> => {
    // What stands before the page is counted, not kept; one more than the page tells that there is more.
    const qrs: Qr[] = [];
    let toSkip = offset;
    for (let cursor: QrCursor | null = null; isWanted(); ) {
      const { found, next } = await searcher.matching(accountId, cursor, text, pieceLength);
      qrs.push(...found.slice(toSkip, toSkip + limit + 1 - qrs.length));
      toSkip = Math.max(0, toSkip - found.length);
      cursor = next;
      if (cursor === null || qrs.length > limit) break;
      await pause();
    }
    return { qrs: qrs.slice(0, limit), hasMore: qrs.length > limit };
  };

  /** A page of the account's codes that contain a text, newest first. */
  return (accountId: number, text: string, page: SearchPage): Promise<QrSearchPage> => {
    const answer = last.then(() => look(accountId, text, page));
    last = answer.catch(() => {});
    return answer;
  };
}

/** Which part of what is found is asked for. */
interface SearchPage {
  readonly limit: number;
  readonly offset: number;
  /** False once nobody waits for the answer any more; what is given then is not whole. */
  readonly isWanted: () => boolean;
}

import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import { createFairQueue, requesterOf } from '../../fair-queue.ts';
import type { QrCursor } from '../../ports.ts';
import { searchedTexts } from '../fields.ts';
import type { CodeFilter, CodeListStore, QrBatch, QrStore } from '../ports.ts';
import type { Qr } from '../qr.ts';

/**
 * Creates a test whether any of the texts of a code contains a text, see `searchedTexts`.
 * Ignores case in every script, and compatibility forms such as full-width letters.
 *
 * @param text an empty text matches all
 */
export function searchMatcher(
  text: string,
): (code: Parameters<typeof searchedTexts>[0]) => boolean {
  const contains = textMatcher(text);
  return (code) => searchedTexts(code).some(contains);
}

/** Creates a test whether a text contains another one, see `searchMatcher`. */
export function textMatcher(text: string): (value: string) => boolean {
  const folded = fold(text);
  const isAsciiSought = isAscii(folded);
  // Most texts are ASCII, which folds fast and contains nothing else.
  return (value) => (isAsciiSought || !isAscii(value)) && fold(value).includes(folded);
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/**
 * Folds case: to lower case and then to capitals.
 * This makes both the variants of a capital (`İ`) and of a small letter (`ς`, `ß`) equal.
 */
export function fold(text: string): string {
  if (isAscii(text)) return text.toUpperCase();
  return text.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC');
}

/**
 * Codes in a batch: about a millisecond of work.
 * Long notes that are not ASCII take ten, see {@link matchWithin}.
 */
const searchBatchSize = 128;

/** Time that a batch may take. What else waits for the event loop waits as long in each of its ticks. */
const batchMs = 2;
/** Codes that a batch reads before it looks at the clock: up to a millisecond of work. */
const leastCodes = 16;

/**
 * Returns the codes that contain a text, and the last one searched.
 * As many are searched as the time of a batch allows.
 *
 * @param text see {@link searchMatcher}
 */
export function matchWithin<Code extends Parameters<typeof searchedTexts>[0]>(
  codes: readonly Code[],
  text: string,
  nowMs: () => number = () => performance.now(),
): { found: Code[]; last: Code | undefined } {
  const matches = searchMatcher(text);
  const endMs = nowMs() + batchMs;
  const found: Code[] = [];
  for (const [index, code] of codes.entries()) {
    if (matches(code)) found.push(code);
    if ((index + 1) % leastCodes === 0 && nowMs() >= endMs) return { found, last: code };
  }
  return { found, last: codes.at(-1) };
}

/** What reads many codes, some in each call. */
export type CodeReads = Pick<QrStore, 'searchBatch'> & Pick<CodeListStore, 'slice'>;

/**
 * Returns the same reads, of which one runs in a tick of the event loop, and accounts take turns.
 * They reject with ServerBusy when too many are waiting. Without it, whoever searches in many tabs would have everybody
 * else wait for all of them.
 */
export function readInTurns({ searchBatch, slice }: CodeReads): CodeReads {
  const queue = createFairQueue({
    slots: 1,
    slotsPerOwner: 1,
    maxWaiting: 256,
    maxWaitingPerOwner: 32,
    yieldMs: batchMs,
  });
  return {
    searchBatch: (accountId, cursor, text, limit, filter) =>
      queue.run(requesterOf(accountId), () =>
        searchBatch(accountId, cursor, text, Math.min(limit, searchBatchSize), filter),
      ),
    slice: (accountId, ...query) =>
      queue.run(requesterOf(accountId), () => slice(accountId, ...query)),
  };
}

/**
 * Returns whether a code is still selected by a filter.
 * It was read along an index some time ago, and without scans that are not aggregated yet.
 */
export function isStillSelected(filter: CodeFilter) {
  const { isArchived = false, isFlagged, isNeverScanned, quietSinceMs } = filter;
  return (qr: Qr): boolean =>
    qr.isArchived === isArchived &&
    (filter.status === undefined || qr.status === filter.status) &&
    (filter.folder === undefined || qr.folder === filter.folder) &&
    (filter.designId === undefined || qr.image?.designId === filter.designId) &&
    (!isFlagged || qr.flag !== null) &&
    (!isNeverScanned || qr.scans === 0) &&
    (quietSinceMs === undefined || (qr.lastScanMs ?? 0) < quietSinceMs);
}

/**
 * Reads the codes of an account that contain a text, see `searchMatcher`, in batches, newest first.
 * No index helps.
 *
 * @param store a server's has {@link readInTurns}
 * @param options.isWanted returns false once the client is gone, and the rest is left out
 */
export async function* searchBatches(
  store: Pick<QrStore, 'searchBatch'>,
  accountId: number,
  text: string,
  {
    filter,
    isWanted = () => true,
  }: { readonly filter?: CodeFilter | undefined; readonly isWanted?: () => boolean } = {},
): AsyncGenerator<readonly Qr[]> {
  let cursor: QrCursor | null = null;
  while (isWanted()) {
    const batch: QrBatch = await store.searchBatch(
      accountId,
      cursor,
      text,
      searchBatchSize,
      filter,
    );
    const { found, next } = batch;
    yield found;
    if (next === null) return;
    cursor = next;
    await yieldToEventLoop();
  }
}

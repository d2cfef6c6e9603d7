import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import type { CodeFilter, QrStore } from '../ports.ts';
import type { Qr } from '../qr.ts';
import { searchBatches } from './search.ts';

/** Codes of an account: named ones, or all that a search finds, see `searchMatcher`. */
export type CodeSelection =
  | { readonly codes: readonly string[] }
  | { readonly search: string; readonly filter?: CodeFilter };

// What `findMany` takes.
const namedBatchSize = 1000;

/**
 * Reads the codes of a selection that are the account's in batches, in its order.
 * A search finds the newest first.
 *
 * @param store in a server, its `searchBatch` is wrapped by `readInTurns`, so that other requests do not wait
 */
export async function* selectedBatches(
  store: Pick<QrStore, 'searchBatch' | 'findMany'>,
  accountId: number,
  selection: CodeSelection,
): AsyncGenerator<readonly Qr[]> {
  if (!('codes' in selection)) {
    yield* searchBatches(store, accountId, selection.search, selection);
    return;
  }
  const codes = [...new Set(selection.codes)];
  for (let at = 0; at < codes.length; at += namedBatchSize) {
    const batch = codes.slice(at, at + namedBatchSize);
    const found = new Map((await store.findMany(accountId, batch)).map((qr) => [qr.code, qr]));
    yield batch.flatMap((code) => found.get(code) ?? []);
    await yieldToEventLoop();
  }
}

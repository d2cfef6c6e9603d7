import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import type { QrCursor, QrStore } from '../../ports.ts';
import type { Qr, QrImage } from '../qr.ts';

/** The codes of an account to download or print. */
export interface CodeSelection {
  readonly accountId: number;
  /** Text that the codes contain, as in the search. Empty for all. */
  readonly text: string;
  /** Limits the selection to these codes. */
  readonly codes?: ReadonlySet<string>;
}

/** What downloads and sheets need of a code. Thousands of them stay in memory. */
export type SelectedCode = Pick<Qr, 'code' | 'name' | 'shortLink' | 'destination' | 'image'>;

// About four milliseconds of work.
const batchSize = 2000;

const byName = new Intl.Collator('en', { numeric: true });

/**
 * Reads a selection, ordered by name as people count: "Table 7" before "Table 12". Codes without a name follow,
 * oldest first. Yields to the event loop, so that redirects are not delayed.
 */
export async function readSelection(
  store: Pick<QrStore, 'searchBatch'>,
  { accountId, text, codes }: CodeSelection,
): Promise<SelectedCode[]> {
  const selected: SelectedCode[] = [];
  let cursor: QrCursor | null = null;
  do {
    const { found, next } = await store.searchBatch(accountId, cursor, text, batchSize);
    for (const { code, name, shortLink, destination, image } of found)
      if (codes === undefined || codes.has(code))
        selected.push({ code, name, shortLink, destination, image });
    cursor = next;
    await yieldToEventLoop();
  } while (cursor !== null);
  // The sort is stable.
  return selected.reverse().sort(compareNames);
}

function compareNames({ name: one }: SelectedCode, { name: other }: SelectedCode): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return byName.compare(one, other);
}

/** A selected code that has an image. */
export type PrintableCode = SelectedCode & { readonly image: QrImage };

/** Returns whether a code has an image. Imported links have none. */
export function hasImage(code: SelectedCode): code is PrintableCode {
  return code.image !== null;
}

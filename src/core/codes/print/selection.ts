import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import { formatNumber } from '../../../lib/numbers.ts';
import { type LabelName, mapLabels } from '../fields.ts';
import { searchBatches } from '../lists/search.ts';
import { compareKeys, nameSortKey } from '../lists/sort-key.ts';
import type { CodeFilter, QrStore } from '../ports.ts';
import type { Qr, QrImage } from '../qr.ts';
import { PrintError } from './paper.ts';

/** Orders of print runs: by name as people count, `Table 7` before `Table 12`, or as they were created. */
export const printOrders = ['name', 'oldest', 'newest'] as const;
export type PrintOrder = (typeof printOrders)[number];

/** The codes of an account to download or print. */
export interface CodeSelection {
  readonly accountId: number;
  /** Text that the codes contain, as in the search. Empty for all. Not used with `codes`. */
  readonly text: string;
  readonly filter?: CodeFilter;
  /** Selects these codes, as far as they are the account's. */
  readonly codes?: ReadonlySet<string>;
  /** Default: by name. Codes without a name follow, oldest first. */
  readonly order?: PrintOrder;
  /** Default: any number. */
  readonly maxCodes?: number;
}

/** What downloads and sheets need of a code. Thousands of them stay in memory. */
export type SelectedCode = Pick<
  Qr,
  'code' | 'shortLink' | 'destination' | 'image' | 'createdAtMs' | 'status' | LabelName
>;

// What `findMany` takes.
const namedBatchSize = 1000;

/**
 * Reads a selection in its order. Yields to the event loop, so that redirects are not delayed.
 *
 * @throws PrintError when it has more codes than `maxCodes`
 */
export async function readSelection(
  store: Pick<QrStore, 'searchBatch' | 'findMany'>,
  { accountId, text, filter, codes, order = 'name', maxCodes }: CodeSelection,
): Promise<SelectedCode[]> {
  const selected: (SelectedCode & { readonly key: string })[] = [];
  const batches =
    codes === undefined
      ? searchBatches(store, accountId, text, filter && { filter })
      : namedBatches(store, accountId, [...codes]);
  for await (const found of batches) {
    for (const qr of found) {
      const { code, shortLink, destination, image, createdAtMs, status } = qr;
      const labels = mapLabels((name) => qr[name]);
      const key = nameSortKey(qr.name);
      selected.push({ ...labels, code, shortLink, destination, image, createdAtMs, status, key });
    }
    if (maxCodes !== undefined && selected.length > maxCodes)
      throw new PrintError(
        `There are more than ${formatNumber(maxCodes)} codes. Choose a folder, or tick codes in the list. On the ` +
          'server, "waymark code sheet" prints any number.',
      );
    await yieldToEventLoop();
  }
  if (order !== 'name') {
    const sorted = selected.sort(oldestFirst);
    return order === 'oldest' ? sorted : sorted.reverse();
  }
  return selected.sort((one, other) => compareKeys(one.key, other.key) || oldestFirst(one, other));
}

async function* namedBatches(
  store: Pick<QrStore, 'findMany'>,
  accountId: number,
  codes: readonly string[],
): AsyncGenerator<readonly Qr[]> {
  for (let at = 0; at < codes.length; at += namedBatchSize)
    yield await store.findMany(accountId, codes.slice(at, at + namedBatchSize));
}

function oldestFirst(one: SelectedCode, other: SelectedCode): number {
  return one.createdAtMs - other.createdAtMs || (one.code < other.code ? -1 : 1);
}

/** A selected code that has an image. */
export type PrintableCode = SelectedCode & { readonly image: QrImage };

/** Returns whether a code has an image. Imported links have none. */
export function hasImage(code: SelectedCode): code is PrintableCode {
  return code.image !== null;
}

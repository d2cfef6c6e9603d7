import { Refused } from '../../errors.ts';
import { type LabelName, mapLabels } from '../fields.ts';
import { type CodeSelection, selectedBatches } from '../lists/selection.ts';
import { compareKeys, nameSortKey } from '../lists/sort-key.ts';
import type { QrStore } from '../ports.ts';
import type { Qr, QrImage } from '../qr.ts';

/** Orders of print runs: by name as people count, `Table 7` before `Table 12`, or as they were created. */
export const printOrders = ['name', 'oldest', 'newest'] as const;
export type PrintOrder = (typeof printOrders)[number];

/** The codes of an account to download or print. */
export type PrintSelection = CodeSelection & {
  readonly accountId: number;
  /** Default: by name. Codes without a name follow, oldest first. */
  readonly order?: PrintOrder;
  /** Default: any number. */
  readonly maxCodes?: number;
};

/** What downloads and sheets need of a code. Thousands of them stay in memory. */
export type SelectedCode = Pick<
  Qr,
  'id' | 'code' | 'shortLink' | 'destination' | 'image' | 'createdAtMs' | 'status' | LabelName
>;

/**
 * Reads a selection in its order.
 *
 * @throws Refused when it has more codes than `maxCodes`
 */
export async function readSelection(
  store: Pick<QrStore, 'searchBatch' | 'findMany'>,
  selection: PrintSelection,
): Promise<SelectedCode[]> {
  const { accountId, order = 'name', maxCodes } = selection;
  const selected: (SelectedCode & { readonly key: string })[] = [];
  for await (const found of selectedBatches(store, accountId, selection)) {
    for (const qr of found) {
      const { id, code, shortLink, destination, image, createdAtMs, status } = qr;
      const labels = mapLabels((name) => qr[name]);
      const key = nameSortKey(qr.name);
      const values = { id, code, shortLink, destination, image, createdAtMs, status };
      selected.push({ ...labels, ...values, key });
    }
    if (maxCodes !== undefined && selected.length > maxCodes)
      throw new Refused({ kind: 'too many codes to print', max: maxCodes });
  }
  switch (order) {
    case 'oldest':
      return selected.sort(oldestFirst);
    case 'newest':
      return selected.sort(newestFirst);
    case 'name':
      return selected.sort(
        (one, other) => compareKeys(one.key, other.key) || oldestFirst(one, other),
      );
  }
}

/** Orders codes as they were stored: those of a table as its rows. */
function oldestFirst(one: SelectedCode, other: SelectedCode): number {
  return one.id - other.id;
}

/** Orders codes as lists do: those of a table as its rows, too. */
function newestFirst(one: SelectedCode, other: SelectedCode): number {
  return other.createdAtMs - one.createdAtMs || (one.code < other.code ? -1 : 1);
}

/** A selected code that has an image. */
export type PrintableCode = SelectedCode & { readonly image: QrImage };

/** Returns whether a code has an image. Imported links have none. */
export function hasImage(code: SelectedCode): code is PrintableCode {
  return code.image !== null;
}

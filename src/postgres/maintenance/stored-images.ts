import { and, asc, gt, gte, isNotNull, max } from 'drizzle-orm';
import type { QrImageSource } from '../../core/codes/qr.ts';
import { qrs } from '../database/schema.ts';
import type { Store } from '../database/store.ts';

const codesPerRead = 1000;

/** Returns the stored images of all codes, oldest first. Imported links have none. */
export async function* allStoredImages(store: Store): AsyncGenerator<QrImageSource> {
  for (let lastId: number | undefined = 0; lastId !== undefined; ) {
    const rows: Row[] = await select(store)
      .where(and(isNotNull(qrs.imageHash), gt(qrs.id, lastId)))
      .limit(codesPerRead);
    yield* rows.flatMap(toStoredImage);
    lastId = rows.at(-1)?.id;
  }
}

/**
 * Returns a sample of the stored images over all ages: a random one from each of `size` equal ranges of
 * ids.
 *
 * @param random returns a number from 0 up to 1
 */
export async function* sampleStoredImages(
  store: Store,
  size: number,
  random: () => number,
): AsyncGenerator<QrImageSource> {
  const [newest] = await store.select({ id: max(qrs.id) }).from(qrs);
  const newestId = newest?.id ?? 0;
  if (newestId <= size) return yield* allStoredImages(store);
  let previousId = 0;
  for (let range = 0; range < size; range++) {
    const id = 1 + Math.floor(((range + random()) * newestId) / size);
    const rows = await select(store)
      .where(and(isNotNull(qrs.imageHash), gte(qrs.id, Math.max(id, previousId + 1))))
      .limit(1);
    const [row] = rows;
    if (row === undefined) return;
    yield* rows.flatMap(toStoredImage);
    previousId = row.id;
  }
}

type Row = Awaited<ReturnType<typeof select>>[number];

function select(store: Store) {
  return store
    .select({
      id: qrs.id,
      code: qrs.code,
      shortLink: qrs.shortLink,
      designId: qrs.designId,
      logoPlacement: qrs.logoPlacement,
      imageHash: qrs.imageHash,
    })
    .from(qrs)
    .orderBy(asc(qrs.id))
    .$dynamic();
}

function toStoredImage({ designId, imageHash, id: _, ...image }: Row): QrImageSource[] {
  // Both are null for an imported link (constraint qrs_image), which is not selected.
  return designId === null || imageHash === null ? [] : [{ ...image, designId, imageHash }];
}

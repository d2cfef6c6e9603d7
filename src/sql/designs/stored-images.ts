import { and, asc, gte, isNotNull, max } from 'drizzle-orm';
import type { QrImageSource } from '../../core/codes/qr.ts';
import { type Dialect, rowOf, rowsOf } from '../dialect.ts';

// A long read would keep a running server from resetting the write-ahead log of SQLite.
const codesPerRead = 200;

/** Reads what the images of codes are drawn from, also in the schema of 1.0. Imported links have none. */
export function createStoredImages({ tables: { qrs }, read }: Dialect) {
  const readFrom = async (lowestId: number, limit: number) => {
    const rows = await read((db) =>
      rowsOf(
        db
          .select({
            id: qrs.id,
            code: qrs.code,
            shortLink: qrs.shortLink,
            designId: qrs.designId,
            logoPlacement: qrs.logoPlacement,
            imageHash: qrs.imageHash,
          })
          .from(qrs)
          .where(and(isNotNull(qrs.imageHash), gte(qrs.id, lowestId)))
          .orderBy(asc(qrs.id))
          .limit(limit),
      ),
    );
    return { images: rows.flatMap(toStoredImage), lastId: rows.at(-1)?.id };
  };

  /** Iterates over the images of all codes, oldest first. */
  async function* all(): AsyncGenerator<QrImageSource> {
    for (let nextId: number | null = 1; nextId !== null; ) {
      const { images, lastId }: Awaited<ReturnType<typeof readFrom>> = await readFrom(
        nextId,
        codesPerRead,
      );
      yield* images;
      nextId = lastId === undefined ? null : lastId + 1;
    }
  }

  /**
   * Iterates over a sample of all ages: the images of a random code from each of `size` equal ranges of ids.
   *
   * @param random returns a number from 0 up to 1
   */
  async function* sample(size: number, random = Math.random): AsyncGenerator<QrImageSource> {
    const newest = await read((db) => rowOf(db.select({ id: max(qrs.id) }).from(qrs)));
    const newestId = newest?.id ?? 0;
    if (newestId <= size) return yield* all();
    let nextId = 1;
    for (let range = 0; range < size; range++) {
      const id = 1 + Math.floor(((range + random()) * newestId) / size);
      const { images, lastId } = await readFrom(Math.max(id, nextId), 1);
      if (lastId === undefined) return;
      yield* images;
      nextId = lastId + 1;
    }
  }

  return { all, sample };
}

interface Row extends Omit<QrImageSource, 'designId' | 'imageHash'> {
  readonly id: number;
  readonly designId: number | null;
  readonly imageHash: Uint8Array | null;
}

function toStoredImage({ designId, imageHash, id: _, ...image }: Row): QrImageSource[] {
  // Both are null for an imported link (constraint qrs_image), which is not selected.
  return designId === null || imageHash === null ? [] : [{ ...image, designId, imageHash }];
}

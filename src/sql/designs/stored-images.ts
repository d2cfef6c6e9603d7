import { and, asc, gte, isNotNull, max } from 'drizzle-orm';
import type { QrImageSource } from '../../core/codes/qr.ts';
import { type Dialect, firstOf, pick } from '../dialect.ts';

// A long read would keep a running server from resetting the write-ahead log of SQLite.
const codesPerRead = 200;

/** Reads what the images of codes are drawn from, also in the schema of 1.0. Imported links have none. */
export function createStoredImages({ tables: { qrs }, ...dialect }: Dialect) {
  const columns = pick(qrs, 'id', 'code', 'shortLink', 'designId', 'logoPlacement', 'imageHash');
  const readFrom = (lowestId: number, limit: number) =>
    dialect.all((db) =>
      db
        .select(columns)
        .from(qrs)
        .where(and(isNotNull(qrs.imageHash), gte(qrs.id, lowestId)))
        .orderBy(asc(qrs.id))
        .limit(limit),
    );
  type Row = Awaited<ReturnType<typeof readFrom>>[number];
  const toStoredImage = ({ designId, imageHash, id: _, ...image }: Row): QrImageSource[] =>
    // Both are null for an imported link (constraint qrs_image), which is not selected.
    designId === null || imageHash === null ? [] : [{ ...image, designId, imageHash }];

  /** Iterates over the images of all codes, oldest first. */
  async function* all(): AsyncGenerator<QrImageSource> {
    for (let lastId: number | undefined = 0; lastId !== undefined; ) {
      const rows: Row[] = await readFrom(lastId + 1, codesPerRead);
      yield* rows.flatMap(toStoredImage);
      lastId = rows.at(-1)?.id;
    }
  }

  /**
   * Iterates over a sample of all ages: the images of a random code from each of `size` equal ranges of ids.
   *
   * @param random returns a number from 0 up to 1
   */
  async function* sample(size: number, random = Math.random): AsyncGenerator<QrImageSource> {
    const newest = await firstOf(dialect.all((db) => db.select({ id: max(qrs.id) }).from(qrs)));
    const newestId = newest?.id ?? 0;
    if (newestId <= size) return yield* all();
    let lastId = 0;
    for (let range = 0; range < size; range++) {
      const id = 1 + Math.floor(((range + random()) * newestId) / size);
      const [row] = await readFrom(Math.max(id, lastId + 1), 1);
      if (row === undefined) return;
      yield* toStoredImage(row);
      lastId = row.id;
    }
  }

  return { all, sample };
}

import type { QrImageSource } from '../../core/codes/qr.ts';
import type { LogoPlacement } from '../../core/designs/design.ts';
import type { Connection } from '../database/open.ts';

interface Row extends Omit<QrImageSource, 'logoPlacement'> {
  readonly id: number;
  /** JSON. */
  readonly logoPlacement: string | null;
}

const selectImages =
  'SELECT id, code, short_link AS shortLink, design_id AS designId, ' +
  'logo_placement AS logoPlacement, image_hash AS imageHash FROM qrs WHERE image_hash IS NOT NULL';

// A long read would keep a running server from resetting its write-ahead log.
const codesPerRead = 200;

/** Returns the stored images of all codes, oldest first. Imported links have none. */
export function* allStoredImages({ $client }: Connection): Generator<QrImageSource> {
  const read = $client.query<Row, [number]>(
    `${selectImages} AND id > ? ORDER BY id LIMIT ${codesPerRead}`,
  );
  for (let lastId: number | undefined = 0; lastId !== undefined; ) {
    const rows: Row[] = read.all(lastId);
    yield* rows.map(toStoredImage);
    lastId = rows.at(-1)?.id;
  }
}

/**
 * Returns a sample of the stored images over all ages: a random one from each of `size` equal ranges of
 * ids.
 *
 * @param random returns a number from 0 up to 1
 */
export function* sampleStoredImages(
  connection: Connection,
  size: number,
  random: () => number,
): Generator<QrImageSource> {
  const { $client } = connection;
  const newest = $client.query<{ id: number | null }, []>('SELECT max(id) AS id FROM qrs').get();
  const newestId = newest?.id ?? 0;
  if (newestId <= size) return yield* allStoredImages(connection);
  const next = $client.query<Row, [number]>(`${selectImages} AND id >= ? ORDER BY id LIMIT 1`);
  let previousId = 0;
  for (let range = 0; range < size; range++) {
    const id = 1 + Math.floor(((range + random()) * newestId) / size);
    const row = next.get(Math.max(id, previousId + 1));
    if (row === null) return;
    yield toStoredImage(row);
    previousId = row.id;
  }
}

function toStoredImage({ logoPlacement, ...image }: Row): QrImageSource {
  return { ...image, logoPlacement: parseLogoPlacement(logoPlacement) };
}

/** Parses the JSON of the column `qrs.logo_placement`. */
export function parseLogoPlacement(column: string | null): LogoPlacement | null {
  // Only an insert of this type writes the column.
  return column === null ? null : (JSON.parse(column) as LogoPlacement);
}

import type { QrImageSource } from '../../core/codes/qr.ts';
import type { LogoPlacement } from '../../core/designs/design.ts';
import { type DesignSettings, fromStoredDesign } from '../../core/designs/stored-design.ts';
import type { StorageReader } from '../../core/storage.ts';
import type { Queries, RunQueries } from './startup-queries.ts';

// A long read would keep a running server from resetting the write-ahead log of SQLite.
const codesPerRead = 200;

interface StoredImage {
  readonly id: number;
  readonly image: QrImageSource;
}

// The casts are safe: only the stores write the columns.
function* imagesFrom(lowestId: number, limit: number): Queries<StoredImage[]> {
  const rows = yield [
    `SELECT id, code, short_link, design_id, logo_placement, image_hash FROM qrs
     WHERE image_hash IS NOT NULL AND id >= $1 ORDER BY id LIMIT $2`,
    [lowestId, limit],
  ];
  return rows.map((row) => ({
    id: Number(row['id']),
    image: {
      code: String(row['code']),
      shortLink: String(row['short_link']),
      designId: Number(row['design_id']),
      logoPlacement: JSON.parse(String(row['logo_placement'])) as LogoPlacement | null,
      imageHash: row['image_hash'] as Uint8Array,
    },
  }));
}

function* newestId(): Queries<number> {
  const [row] = yield ['SELECT max(id) AS id FROM qrs', []];
  return Number(row?.['id']);
}

function* designOf(id: number): Queries<Readonly<Record<string, unknown>>> {
  const [row] = yield ['SELECT * FROM designs WHERE id = $1', [id]];
  if (row === undefined) throw new Error(`design ${id} is missing`);
  return row;
}

/**
 * Creates the reader of stored designs and of the image hashes of codes, also in the schema of 1.0.
 * Imported links have no image.
 *
 * @param random returns a number from 0 up to 1
 */
export function createStoredImages(
  run: RunQueries,
  random = Math.random,
): Pick<StorageReader, 'designs' | 'allImages' | 'sampleImages'> {
  async function* allImages(): AsyncGenerator<QrImageSource> {
    let lastId = 0;
    for (;;) {
      const found = await run(imagesFrom(lastId + 1, codesPerRead));
      yield* found.map(({ image }) => image);
      const last = found.at(-1);
      if (last === undefined) return;
      lastId = last.id;
    }
  }

  return {
    designs: {
      find: async (id) => {
        const row = await run(designOf(id));
        return fromStoredDesign({
          settings: JSON.parse(String(row['settings'])) as DesignSettings,
          logoPng: row['logo_png'] as Uint8Array | null,
        });
      },
      // The schema of 1.0 lacks the column.
      pngHash: async (id) => ((await run(designOf(id)))['png_hash'] ?? null) as Uint8Array | null,
    },
    allImages,
    // A random code from each of `size` equal ranges of ids.
    sampleImages: async function* (size) {
      const newest = await run(newestId());
      if (newest <= size) return yield* allImages();
      let lastId = 0;
      for (let range = 0; range < size; range++) {
        const id = 1 + Math.floor(((range + random()) * newest) / size);
        const [found] = await run(imagesFrom(Math.max(id, lastId + 1), 1));
        if (found === undefined) return;
        yield found.image;
        lastId = found.id;
      }
    },
  };
}

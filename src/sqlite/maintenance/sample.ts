import { createHash } from 'node:crypto';
import type { StoredImage } from '../../core/designs/image-check.ts';
import type { Connection } from '../database/open.ts';
import { fitOf } from '../designs/logo-fit.ts';

/** With the order in which they were created. */
interface Sampled extends StoredImage {
  readonly id: number;
}

interface Row extends Omit<Sampled, 'logoPlacement'> {
  /** JSON. */
  readonly logoPlacement: string | null;
}

/** What is read of a code; also from a database of a release that drew every logo as it was set. */
function selectionOf(store: Connection): string {
  const known = store.$client.query(
    "SELECT 1 FROM pragma_table_info('qrs') WHERE name = 'logo_fit'",
  );
  const logoFit = known.get() === null ? 'NULL' : 'logo_fit';
  return `SELECT id, code, short_link AS shortLink, design_id AS designId, ${logoFit} AS logoPlacement, image_hash AS imageHash FROM qrs`;
}

// Read page by page: one long read would keep the log of a running server from being taken in.
const pageCodes = 200;

/** Every code, oldest first. */
export function* allPrinted(store: Connection): Generator<Sampled> {
  const page = store.$client.query<Row, [number]>(
    `${selectionOf(store)} WHERE id > ? ORDER BY id LIMIT ${pageCodes}`,
  );
  for (let after = 0; ; ) {
    const rows = page.all(after);
    yield* rows.map(toPrinted);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/**
 * So many codes, spread evenly over all that were ever created: one at random out of each of `size`
 * stretches of ids. The same seed picks the same codes while none are added.
 */
export function* samplePrinted(store: Connection, size: number, seed: number): Generator<Sampled> {
  const newest = newestId(store);
  if (newest <= size) return yield* allPrinted(store);
  const next = store.$client.query<Row, [number]>(
    `${selectionOf(store)} WHERE id >= ? ORDER BY id LIMIT 1`,
  );
  let previous = 0;
  for (let stretch = 0; stretch < size; stretch++) {
    const id = 1 + Math.floor(((stretch + chance(seed, stretch)) * newest) / size);
    const printed = next.get(Math.max(id, previous + 1));
    if (printed === null) return;
    yield toPrinted(printed);
    previous = printed.id;
  }
}

function toPrinted({ logoPlacement, ...printed }: Row): Sampled {
  return { ...printed, logoPlacement: fitOf(logoPlacement) };
}

function newestId(store: Connection): number {
  return (
    store.$client.query<{ id: number | null }, []>('SELECT max(id) AS id FROM qrs').get()?.id ?? 0
  );
}

/** A number from 0 to below 1 that seed and place decide. */
function chance(seed: number, place: number): number {
  return createHash('sha256').update(`${seed}:${place}`).digest().readUInt32BE() / 2 ** 32;
}

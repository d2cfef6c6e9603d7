import { createHash } from 'node:crypto';
import type { Printed } from '../core/drift.ts';
import type { Store } from './open.ts';

/** With the order in which they were created. */
interface Row extends Printed {
  readonly id: number;
}

const columns =
  'SELECT id, code, short_link AS shortLink, design_id AS designId, image_hash AS imageHash FROM qrs';

// Read page by page: one long read would keep the log of a running server from being taken in.
const pageCodes = 200;

/** Every code, oldest first. */
export function* allPrinted(store: Store): Generator<Row> {
  const page = store.$client.query<Row, [number]>(
    `${columns} WHERE id > ? ORDER BY id LIMIT ${pageCodes}`,
  );
  for (let after = 0; ; ) {
    const rows = page.all(after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/**
 * So many codes, spread evenly over all that were ever created: one at random out of each of `size`
 * stretches of ids. The same seed picks the same codes while none are added.
 */
export function* samplePrinted(store: Store, size: number, seed: number): Generator<Row> {
  const newest = newestId(store);
  if (newest <= size) return yield* allPrinted(store);
  const next = store.$client.query<Row, [number]>(`${columns} WHERE id >= ? ORDER BY id LIMIT 1`);
  let previous = 0;
  for (let stretch = 0; stretch < size; stretch++) {
    const id = 1 + Math.floor(((stretch + chance(seed, stretch)) * newest) / size);
    const printed = next.get(Math.max(id, previous + 1));
    if (printed === null) return;
    yield printed;
    previous = printed.id;
  }
}

function newestId(store: Store): number {
  return (
    store.$client.query<{ id: number | null }, []>('SELECT max(id) AS id FROM qrs').get()?.id ?? 0
  );
}

/** A number from 0 to below 1 that seed and place decide. */
function chance(seed: number, place: number): number {
  return createHash('sha256').update(`${seed}:${place}`).digest().readUInt32BE() / 2 ** 32;
}

import type { Database } from 'bun:sqlite';
import { hitKinds } from '../../core/scans/hit.ts';
import { forEachHit, kindRange, numbersPerEntry } from '../../core/scans/hit-entries.ts';

/** Encodes entries as doubles, the format of the columns `hits` of the log and of `scan_log`. */
export function encodeHits(entries: ArrayLike<number>): Uint8Array {
  return new Uint8Array(new Float64Array(entries).buffer);
}

/**
 * Reads the rows of `scan_log`, oldest first.
 * `entries` is null for a row that {@link encodeHits} cannot have written.
 */
export function* readScanLog(
  database: Database,
): Generator<{ readonly id: number; readonly entries: Float64Array | null }> {
  const rows = database.query<{ id: number; hits: unknown }, []>(
    'SELECT id, hits FROM scan_log ORDER BY id',
  );
  for (const { id, hits } of rows.iterate()) yield { id, entries: decodeHits(hits) };
}

/** Decodes a value of the column, or returns null when {@link encodeHits} cannot have written it. */
export function decodeHits(blob: unknown): Float64Array | null {
  if (!(blob instanceof Uint8Array)) return null;
  if (blob.length % (numbersPerEntry * Float64Array.BYTES_PER_ELEMENT) !== 0) return null;
  // Copied, because doubles need an aligned buffer.
  const entries = new Float64Array(blob.slice().buffer);
  let isValid = true;
  forEachHit(entries, (key, atMs, count) => {
    isValid &&=
      Number.isSafeInteger(key) &&
      key >= 0 &&
      key % kindRange < hitKinds.length &&
      Number.isSafeInteger(atMs) &&
      Number.isSafeInteger(count) &&
      count > 0;
  });
  return isValid ? entries : null;
}

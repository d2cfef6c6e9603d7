import { type HitKind, hitKinds } from './hit.ts';

/**
 * Hits, three numbers per entry: key, instant in milliseconds, count.
 * The key is `qrId × 8 + kind`, kind being the index in `hitKinds`.
 */
export type HitEntries = number[];

const numbersPerEntry = 3;
/** Factor of the QR's id in a key. */
export const kindRange = 8;

/** Returns the number that identifies a QR and a kind of hit. */
export function hitKey(qrId: number, kind: HitKind): number {
  return qrId * kindRange + hitKinds.indexOf(kind);
}

/** Returns the QR's id and the index of the kind in `hitKinds`. */
export function splitHitKey(key: number): { qrId: number; kind: number } {
  return { qrId: Math.floor(key / kindRange), kind: key % kindRange };
}

/** Calls a function for each entry. */
export function forEachHit(
  entries: ArrayLike<number>,
  use: (key: number, atMs: number, count: number) => void,
): void {
  for (let at = 0; at < entries.length; at += numbersPerEntry)
    use(entries[at] ?? 0, entries[at + 1] ?? 0, entries[at + 2] ?? 0);
}

/** Returns the sum of the entries' counts. */
export function hitCount(entries: ArrayLike<number>): number {
  let hits = 0;
  forEachHit(entries, (_target, _atMs, count) => {
    hits += count;
  });
  return hits;
}

/** Encodes entries as doubles, the format of the columns `hits` of the log and of `scan_log`. */
export function encodeHits(entries: ArrayLike<number>): Uint8Array {
  return new Uint8Array(new Float64Array(entries).buffer);
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

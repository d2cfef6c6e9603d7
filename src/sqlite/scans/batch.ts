import { type HitKind, hitKinds } from '../../core/scans/hit.ts';

/**
 * Hits as the scan log stores them: three doubles each, `[qrId × 8 + kind, instant, count]`, kind
 * being the index in `hitKinds`. A fixed width keeps the append cheap and the fold simple.
 */
export type Entries = number[];

/** A row of the scan log is not what was written: the disk has changed it. */
export class UnreadableRow extends Error {
  override readonly name = 'UnreadableRow';
  override readonly message = 'a row of scan_log cannot be read';
}

/** Numbers of one entry. */
export const entryWidth = 3;
const kindRange = 8;
const scanKind = hitKinds.indexOf('scan');

/** The number that stands for a QR and a kind of hit. */
export function targetOf(qrId: number, kind: HitKind): number {
  return qrId * kindRange + hitKinds.indexOf(kind);
}

/** Adds one hit. */
export function addHit(entries: Entries, qrId: number, kind: HitKind, atMs: number): void {
  entries.push(targetOf(qrId, kind), atMs, 1);
}

/** How many entries there are. */
export function entryCount(entries: ArrayLike<number>): number {
  return entries.length / entryWidth;
}

/** How many hits the entries stand for. */
export function hitsIn(entries: ArrayLike<number>): number {
  let hits = 0;
  for (let at = entryWidth - 1; at < entries.length; at += entryWidth) hits += entries[at] ?? 0;
  return hits;
}

export function encode(entries: Entries): Uint8Array {
  return new Uint8Array(new Float64Array(entries).buffer);
}

/** @throws UnreadableRow when it is nothing that {@link encode} makes */
export function decode(blob: unknown): Float64Array {
  if (!(blob instanceof Uint8Array)) throw new UnreadableRow();
  if (blob.length % (entryWidth * Float64Array.BYTES_PER_ELEMENT) !== 0) throw new UnreadableRow();
  // Copied, because a row's bytes need not begin where doubles may.
  const entries = new Float64Array(blob.slice().buffer);
  for (let at = 0; at < entries.length; at += entryWidth)
    if (!isPossible(entryAt(entries, at))) throw new UnreadableRow();
  return entries;
}

/** The last instant that a date can stand for, in milliseconds. */
const lastInstantMs = 8.64e15;

function isPossible({ target, atMs, count }: ReturnType<typeof entryAt>): boolean {
  return (
    Number.isSafeInteger(target) &&
    target >= 0 &&
    target % kindRange < hitKinds.length &&
    Math.abs(atMs) <= lastInstantMs &&
    Number.isSafeInteger(count) &&
    count > 0
  );
}

/** Entries in runs of at most `size`, so that no row of the log is dear to fold. */
export function* inPieces(entries: Entries, size: number): Generator<Entries> {
  for (let at = 0; at < entries.length; at += size * entryWidth)
    yield entries.slice(at, at + size * entryWidth);
}

/** The entry that begins at a place among the numbers; its instant is in milliseconds. */
export function entryAt(entries: ArrayLike<number>, at: number) {
  return { target: entries[at] ?? 0, atMs: entries[at + 1] ?? 0, count: entries[at + 2] ?? 0 };
}

/** Takes the entries apart: scans go to one function, hits that do not count to the other. */
export function forEachHit(
  entries: ArrayLike<number>,
  scans: (qrId: number, scans: number, lastMs: number) => void,
  uncounted: (qrId: number, kind: number, hits: number) => void,
): void {
  for (let at = 0; at < entries.length; at += entryWidth) {
    const { target, atMs, count } = entryAt(entries, at);
    const qrId = Math.floor(target / kindRange);
    const kind = target % kindRange;
    if (kind === scanKind) scans(qrId, count, atMs);
    else uncounted(qrId, kind, count);
  }
}

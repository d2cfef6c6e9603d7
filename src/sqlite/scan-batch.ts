import { type HitKind, hitKinds } from '../core/scans.ts';

/**
 * Hits as the scan log stores them: three doubles each, `[qrId × 8 + kind, instant, count]`, kind
 * being the index in `hitKinds`. Fixed width keeps the append cheap and the fold simple.
 */
export type Entries = number[];

/** A row of the scan log is not what was written: the disk has changed it. */
export class UnreadableRow extends Error {
  override readonly name = 'UnreadableRow';
  override readonly message = 'a row of scan_log cannot be read';
}

const width = 3;
const kindRange = 8;

/** Adds one or more equal hits. */
export function addHit(
  entries: Entries,
  qrId: number,
  kind: HitKind,
  atMs: number,
  count = 1,
): void {
  entries.push(qrId * kindRange + hitKinds.indexOf(kind), atMs, count);
}

/** How many entries there are. */
export function entryCount(entries: ArrayLike<number>): number {
  return entries.length / width;
}

/** How many hits the entries stand for. */
export function hitsIn(entries: Entries): number {
  let hits = 0;
  for (let at = width - 1; at < entries.length; at += width) hits += entries[at] ?? 0;
  return hits;
}

export function encode(entries: Entries): Uint8Array {
  return new Uint8Array(new Float64Array(entries).buffer);
}

/** @throws UnreadableRow when it is nothing that {@link encode} makes */
export function decode(blob: unknown): Entries {
  if (!(blob instanceof Uint8Array)) throw new UnreadableRow();
  if (blob.length % (width * Float64Array.BYTES_PER_ELEMENT) !== 0) throw new UnreadableRow();
  // Copied, because a row's bytes need not begin where doubles may.
  const entries = [...new Float64Array(blob.slice().buffer)];
  for (let at = 0; at < entries.length; at += width)
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
  for (let at = 0; at < entries.length; at += size * width)
    yield entries.slice(at, at + size * width);
}

function entryAt(entries: ArrayLike<number>, at: number) {
  return { target: entries[at] ?? 0, atMs: entries[at + 1] ?? 0, count: entries[at + 2] ?? 0 };
}

/** Scans of one QR and the instant of the last one. */
export interface Count {
  scans: number;
  lastMs: number;
}

/** What a set of hits adds up to. */
export interface Sums {
  readonly scans: Map<number, Count>;
  /** By the instant at which an hour begins, then by QR. */
  readonly hours: Map<number, Map<number, number>>;
  readonly uncounted: Map<number, { readonly qrId: number; readonly kind: number; hits: number }>;
}

const hourMs = 3_600_000;
const scanKind = hitKinds.indexOf('scan');

export function emptySums(): Sums {
  return { scans: new Map(), hours: new Map(), uncounted: new Map() };
}

/** Adds hits up per QR, per hour and, those that do not count, per kind. */
export function addUp(entries: ArrayLike<number>, sums: Sums): void {
  for (let at = 0; at < entries.length; at += width) {
    const { target, atMs, count } = entryAt(entries, at);
    const qrId = Math.floor(target / kindRange);
    const kind = target % kindRange;
    if (kind === scanKind) {
      addScans(sums.scans, qrId, count, atMs);
      addHour(sums.hours, qrId, atMs, count);
      continue;
    }
    const seen = sums.uncounted.get(target);
    if (seen === undefined) sums.uncounted.set(target, { qrId, kind, hits: count });
    else seen.hits += count;
  }
}

/** Adds those hits that are scans to running counts. */
export function countScans(entries: Entries, counts: Map<number, Count>): void {
  for (let at = 0; at < entries.length; at += width) {
    const { target, atMs, count } = entryAt(entries, at);
    if (target % kindRange === scanKind)
      addScans(counts, Math.floor(target / kindRange), count, atMs);
  }
}

function addScans(counts: Map<number, Count>, qrId: number, scans: number, lastMs: number): void {
  const seen = counts.get(qrId);
  if (seen === undefined) {
    counts.set(qrId, { scans, lastMs });
    return;
  }
  seen.scans += scans;
  seen.lastMs = Math.max(seen.lastMs, lastMs);
}

function addHour(hours: Sums['hours'], qrId: number, atMs: number, scans: number): void {
  const hour = atMs - (atMs % hourMs);
  const inHour = hours.get(hour) ?? new Map<number, number>();
  inHour.set(qrId, (inHour.get(qrId) ?? 0) + scans);
  hours.set(hour, inHour);
}

/**
 * The same hits in as few entries as possible: one per QR, kind and hour. For hits that wait while
 * the database cannot be written, so that a long wait costs no more memory than there are codes.
 */
export function condense(entries: Entries): Entries {
  const condensed = new Map<string, [target: number, atMs: number, count: number]>();
  for (let at = 0; at < entries.length; at += width) {
    const { target, atMs, count } = entryAt(entries, at);
    const key = `${target}@${atMs - (atMs % hourMs)}`;
    const seen = condensed.get(key);
    condensed.set(key, [target, Math.max(seen?.[1] ?? 0, atMs), (seen?.[2] ?? 0) + count]);
  }
  return [...condensed.values()].flat();
}

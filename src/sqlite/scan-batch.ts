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
export function entryCount(entries: Entries): number {
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

function entryAt(entries: Entries, at: number) {
  return { target: entries[at] ?? 0, atMs: entries[at + 1] ?? 0, count: entries[at + 2] ?? 0 };
}

/** What a set of hits adds up to. */
export interface Sums {
  readonly scans: Map<number, { scans: number; lastMs: number }>;
  readonly hours: Map<string, { qrId: number; hourMs: number; scans: number }>;
  readonly uncounted: Map<number, { qrId: number; kind: number; hits: number }>;
}

const hourMs = 3_600_000;

/** Adds hits up per QR, per hour and, those that do not count, per kind. */
export function sum(entries: Entries): Sums {
  const sums: Sums = { scans: new Map(), hours: new Map(), uncounted: new Map() };
  for (let at = 0; at < entries.length; at += width) {
    const { target, atMs, count } = entryAt(entries, at);
    const qrId = Math.floor(target / kindRange);
    if (target % kindRange === hitKinds.indexOf('scan')) {
      addScans(sums.scans, qrId, count, atMs);
      addHour(sums.hours, qrId, atMs - (atMs % hourMs), count);
    } else {
      const seen = sums.uncounted.get(target)?.hits ?? 0;
      sums.uncounted.set(target, { qrId, kind: target % kindRange, hits: seen + count });
    }
  }
  return sums;
}

/** Adds scans of one QR to a running count. */
export function addScans(counts: Sums['scans'], qrId: number, scans: number, lastMs: number): void {
  const seen = counts.get(qrId);
  counts.set(qrId, {
    scans: (seen?.scans ?? 0) + scans,
    lastMs: Math.max(seen?.lastMs ?? 0, lastMs),
  });
}

function addHour(hours: Sums['hours'], qrId: number, hour: number, scans: number): void {
  const key = `${qrId}@${hour}`;
  hours.set(key, { qrId, hourMs: hour, scans: (hours.get(key)?.scans ?? 0) + scans });
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

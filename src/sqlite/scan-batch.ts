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
const scanKind = hitKinds.indexOf('scan');

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
export function hitsIn(entries: ArrayLike<number>): number {
  let hits = 0;
  for (let at = width - 1; at < entries.length; at += width) hits += entries[at] ?? 0;
  return hits;
}

export function encode(entries: Entries): Uint8Array {
  return new Uint8Array(new Float64Array(entries).buffer);
}

/** @throws UnreadableRow when it is nothing that {@link encode} makes */
export function decode(blob: unknown): Float64Array {
  if (!(blob instanceof Uint8Array)) throw new UnreadableRow();
  if (blob.length % (width * Float64Array.BYTES_PER_ELEMENT) !== 0) throw new UnreadableRow();
  // Copied, because a row's bytes need not begin where doubles may.
  const entries = new Float64Array(blob.slice().buffer);
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

/** Takes the entries apart: scans go to one function, hits that do not count to the other. */
export function forEachHit(
  entries: ArrayLike<number>,
  scans: (qrId: number, scans: number, lastMs: number) => void,
  uncounted: (qrId: number, kind: number, hits: number) => void = () => {},
): void {
  for (let at = 0; at < entries.length; at += width) {
    const { target, atMs, count } = entryAt(entries, at);
    const qrId = Math.floor(target / kindRange);
    const kind = target % kindRange;
    if (kind === scanKind) scans(qrId, count, atMs);
    else uncounted(qrId, kind, count);
  }
}

/** Equal hits, such as scans of one QR, and the instant of the last one. */
export interface Count {
  hits: number;
  lastMs: number;
}

/** Adds to one of many counts. */
export function addTo(counts: Map<number, Count>, key: number, hits: number, lastMs: number): void {
  const seen = counts.get(key);
  if (seen === undefined) {
    counts.set(key, { hits, lastMs });
    return;
  }
  seen.hits += hits;
  seen.lastMs = Math.max(seen.lastMs, lastMs);
}

export const hourMs = 3_600_000;

/** When the hour of an instant began. */
export function hourOf(atMs: number): number {
  return atMs - (atMs % hourMs);
}

/** Adds hits up, one entry per QR, kind and hour. */
export function makeTally() {
  const hours = new Map<number, Map<number, Count>>();
  return {
    add: (entries: ArrayLike<number>): void => {
      for (let at = 0; at < entries.length; at += width) {
        const { target, atMs, count } = entryAt(entries, at);
        const hour = hourOf(atMs);
        const inHour = hours.get(hour) ?? new Map<number, Count>();
        hours.set(hour, inHour);
        addTo(inHour, target, count, atMs);
      }
    },
    /** Hour by hour in the order of the QRs, in which the counters are stored. */
    entries: (): Entries => {
      const entries: Entries = [];
      for (const inHour of hours.values())
        for (const target of Float64Array.from(inHour.keys()).sort()) {
          const { hits = 0, lastMs = 0 } = inHour.get(target) ?? {};
          entries.push(target, lastMs, hits);
        }
      return entries;
    },
  };
}

/**
 * The same hits in as few entries as possible. For hits that wait while the database cannot be
 * written, so that a long wait costs no more memory than there are codes.
 */
export function condense(entries: Entries): Entries {
  const tally = makeTally();
  tally.add(entries);
  return tally.entries();
}

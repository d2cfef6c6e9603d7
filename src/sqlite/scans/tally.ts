import type { HitKind } from '../../core/scans/hit.ts';
import { type Entries, entryAt, entryWidth, targetOf } from './batch.ts';

/** Equal hits, such as scans of one QR, and the instant of the last one. */
export interface Count {
  hits: number;
  lastMs: number;
}

/** Hits added up: one count for each QR, kind and hour. */
export interface Tally {
  add(entries: ArrayLike<number>): void;
  /** How many counts there are. */
  size(): number;
  /** All of it, hour by hour in the order of the QRs, in which the counters are stored. */
  entries(): Entries;
  /** Takes out what {@link Tally.entries} gave, or a part of it. */
  remove(entries: ArrayLike<number>): void;
  /** The counts of one QR and kind, one for each hour, which the instant of its last hit tells. */
  counts(qrId: number, kind: HitKind): Readonly<Count>[];
}

export const hourMs = 3_600_000;

/** When the hour of an instant began. */
export function hourOf(atMs: number): number {
  return atMs - (atMs % hourMs);
}

export function createTally(): Tally {
  const hours = new Map<number, Map<number, Count>>();
  let size = 0;

  const inHourOf = (atMs: number) => {
    const hour = hourOf(atMs);
    const known = hours.get(hour);
    if (known !== undefined) return known;
    const begun = new Map<number, Count>();
    hours.set(hour, begun);
    return begun;
  };

  return {
    add: (entries) => {
      for (let place = 0; place < entries.length; place += entryWidth) {
        const { target, atMs, count } = entryAt(entries, place);
        const inHour = inHourOf(atMs);
        const seen = inHour.get(target);
        if (seen === undefined) {
          inHour.set(target, { hits: count, lastMs: atMs });
          size++;
          continue;
        }
        seen.hits += count;
        seen.lastMs = Math.max(seen.lastMs, atMs);
      }
    },
    size: () => size,
    entries: () => {
      const entries: Entries = [];
      for (const inHour of hours.values())
        for (const target of Float64Array.from(inHour.keys()).sort()) {
          const { hits = 0, lastMs = 0 } = inHour.get(target) ?? {};
          entries.push(target, lastMs, hits);
        }
      return entries;
    },
    remove: (entries) => {
      for (let place = 0; place < entries.length; place += entryWidth) {
        const { target, atMs } = entryAt(entries, place);
        if (inHourOf(atMs).delete(target)) size--;
      }
    },
    counts: (qrId, kind) => {
      const target = targetOf(qrId, kind);
      const found: Count[] = [];
      for (const inHour of hours.values()) {
        const count = inHour.get(target);
        if (count !== undefined) found.push(count);
      }
      return found;
    },
  };
}

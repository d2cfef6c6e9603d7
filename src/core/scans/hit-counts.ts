import type { HitKind } from './hit.ts';
import { forEachHit, type HitEntries, hitKey } from './hit-entries.ts';

/** Number of hits of one code and kind in one hour, and the time of the last one. */
export interface HitCount {
  hits: number;
  lastMs: number;
}

/** In-memory counts of hits, one per code, kind and hour. */
export interface HitCounts {
  add(entries: ArrayLike<number>): void;
  /** Removes counts that {@link HitCounts.sorted} returned. */
  remove(entries: ArrayLike<number>): void;
  /** Returns the number of counts. */
  size(): number;
  /** Returns all counts by hour, then by code, which is the order of the stored counters. */
  sorted(): HitEntries;
  /** Returns the counts of one code and kind, one per hour. */
  find(qrId: number, kind: HitKind): Readonly<HitCount>[];
}

export const hourMs = 3_600_000;

/** Returns the start of the hour of a time. */
export function startOfHour(atMs: number): number {
  return atMs - (atMs % hourMs);
}

/** Creates empty counts. */
export function createHitCounts(): HitCounts {
  /** By hour, then by key. */
  const hours = new Map<number, Map<number, HitCount>>();
  let size = 0;

  return {
    add: (entries) =>
      forEachHit(entries, (key, atMs, count) => {
        const hour = startOfHour(atMs);
        let counts = hours.get(hour);
        if (counts === undefined) {
          counts = new Map();
          hours.set(hour, counts);
        }
        const earlier = counts.get(key);
        if (earlier === undefined) {
          counts.set(key, { hits: count, lastMs: atMs });
          size++;
          return;
        }
        earlier.hits += count;
        earlier.lastMs = Math.max(earlier.lastMs, atMs);
      }),
    remove: (entries) =>
      forEachHit(entries, (key, atMs) => {
        if (hours.get(startOfHour(atMs))?.delete(key)) size--;
      }),
    size: () => size,
    sorted: () => {
      const entries: HitEntries = [];
      for (const counts of hours.values())
        for (const key of Float64Array.from(counts.keys()).sort()) {
          const { hits = 0, lastMs = 0 } = counts.get(key) ?? {};
          entries.push(key, lastMs, hits);
        }
      return entries;
    },
    find: (qrId, kind) => {
      if (size === 0) return [];
      const key = hitKey(qrId, kind);
      return Array.from(hours.values(), (counts) => counts.get(key)).filter(
        (count) => count !== undefined,
      );
    },
  };
}

import {
  hashOfRun,
  hashOfShorter,
  hashOfThree,
  isRun,
  keyBits,
  keyOf,
  longestRun,
} from './keys.ts';
import { longestMatch, shortestMatch, windowBytes } from './tokens.ts';

const windowMask = windowBytes - 1;

/** Three bytes from farther away cost more bits than they have. */
const farForThree = 4096;

export interface Match {
  readonly length: number;
  readonly distance: number;
}

export const noMatch: Match = { length: 0, distance: 0 };

/** Earlier places by their keys, the nearest first. */
export interface Chains {
  /** Adds the places from `start` to before `end`. */
  add(start: number, end: number): void;
  /**
   * The longest match that is longer than `length`, or none.
   *
   * @param at at least three bytes before the end, and not before the last place that was added
   * @param candidates places that are looked at
   */
  longest(at: number, length: number, candidates: number): Match;
}

export function makeChains(data: Uint8Array): Chains {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const newest = new Int32Array(1 << keyBits).fill(-1);
  const before = new Int32Array(windowBytes);
  let lastRunEnd = 0;
  /** Where the run ends that a place is in. To be asked for in ascending order. */
  const runEndOf = (at: number) => {
    const byte = data[at];
    const most = Math.min(data.length, at + longestRun);
    let end = Math.max(lastRunEnd, at + 1);
    while (end < most && data[end] === byte) end++;
    lastRunEnd = end;
    return end;
  };
  const keyAt = (at: number) => {
    const end = runEndOf(at);
    if (!isRun(end - at)) return keyOf(hashOfThree(data, at));
    return keyOf(hashOfRun(data[at] ?? 0, end - at, data[end] ?? 0));
  };
  return {
    add: (start, end) => {
      let at = start;
      while (at < end) {
        const runEnd = runEndOf(at);
        const run = runEnd - at;
        if (isRun(run) && run < longestRun) {
          let hash = hashOfRun(data[at] ?? 0, run, data[runEnd] ?? 0);
          const lastOfRun = Math.min(end - 1, runEnd - shortestMatch);
          while (at <= lastOfRun) {
            insert(newest, before, at++, keyOf(hash));
            hash = hashOfShorter(hash);
          }
          continue;
        }
        // Inside of a longer run nothing is looked for.
        if (!isRun(run)) insert(newest, before, at, keyOf(hashOfThree(data, at)));
        at++;
      }
    },
    longest: (at, length, candidates) => {
      const most = Math.min(longestMatch, data.length - at);
      if (length >= most) return noMatch;
      const oldest = Math.max(0, at - windowBytes);
      let from = newest[keyAt(at)] ?? -1;
      // A run goes on wherever it is entered.
      const run = at === 0 ? 0 : commonBytes(view, at - 1, at, most);
      if (run === most) return { length: most, distance: 1 };
      let best = Math.max(length, run);
      let distance = run > length ? 1 : 0;
      // A longer match has these as well: its last four bytes so far and the one after, and one between.
      let end = best < shortestMatch ? 0 : view.getInt32(at + best - 3, true);
      let middle = data[at + (best >> 1)];
      for (let left = candidates; left > 0 && from >= oldest; left--) {
        if (
          best < shortestMatch ||
          (view.getInt32(from + best - 3, true) === end && data[from + (best >> 1)] === middle)
        ) {
          const common = commonBytes(view, from, at, most);
          if (common > best) {
            best = common;
            distance = at - from;
            if (best === most) break;
            end = view.getInt32(at + best - 3, true);
            middle = data[at + (best >> 1)];
          }
        }
        const next = before[from & windowMask] ?? -1;
        // The place was overwritten by one that came later.
        if (next >= from) break;
        from = next;
      }
      const worthless = best === shortestMatch && distance > farForThree;
      return distance === 0 || worthless ? noMatch : { length: best, distance };
    },
  };
}

/** Bytes from two places on that are the same, four at a time. */
export function commonBytes(view: DataView, from: number, at: number, most: number): number {
  let length = 0;
  while (
    length + 4 <= most &&
    view.getInt32(from + length, true) === view.getInt32(at + length, true)
  )
    length += 4;
  while (length < most && view.getUint8(from + length) === view.getUint8(at + length)) length++;
  return length;
}

// With both lists as arguments: as a closure over them it is not inlined, which costs a sixth of a search.
function insert(newest: Int32Array, before: Int32Array, at: number, key: number): void {
  before[at & windowMask] = newest[key] ?? -1;
  newest[key] = at;
}

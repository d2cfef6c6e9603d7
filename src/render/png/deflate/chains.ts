import { longestMatch, shortestMatch, windowBytes } from './tokens.ts';

const hashBits = 15;
const windowMask = windowBytes - 1;

/** Three bytes from farther away cost more bits than they have. */
const farForThree = 4096;

export interface Match {
  readonly length: number;
  readonly distance: number;
}

export const noMatch: Match = { length: 0, distance: 0 };

/** Earlier places by the three bytes that stand there, the nearest first. */
export interface Chains {
  /** Adds the places from `start` to before `end`. */
  add(start: number, end: number): void;
  /**
   * The longest match that is longer than `length`, or none.
   *
   * @param at at least three bytes before the end
   * @param candidates places that are looked at
   */
  longest(at: number, length: number, candidates: number): Match;
}

export function makeChains(data: Uint8Array): Chains {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const newest = new Int32Array(1 << hashBits).fill(-1);
  const before = new Int32Array(windowBytes);
  const hashOf = (three: number) => Math.imul(three, 0x9e3779b1) >>> (32 - hashBits);
  const twoAt = (at: number) => (data[at] ?? 0) | ((data[at + 1] ?? 0) << 8);
  return {
    add: (start, end) => {
      let three = twoAt(start) << 8;
      for (let at = start; at < end; at++) {
        three = (three >>> 8) | ((data[at + 2] ?? 0) << 16);
        const hash = hashOf(three);
        before[at & windowMask] = newest[hash] ?? -1;
        newest[hash] = at;
      }
    },
    longest: (at, length, candidates) => {
      const most = Math.min(longestMatch, data.length - at);
      if (length >= most) return noMatch;
      const oldest = Math.max(0, at - windowBytes);
      let from = newest[hashOf(twoAt(at) | ((data[at + 2] ?? 0) << 16))] ?? -1;
      let best = length;
      let distance = 0;
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

import { isRun, keyBits, longestRun, makeKeys } from './keys.ts';
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
  const keys = makeKeys(data);
  const insert = (at: number, key: number) => {
    before[at & windowMask] = newest[key] ?? -1;
    newest[key] = at;
  };
  /** Adds the places of a run that are before `end`, and returns the place after them. */
  const addRun = (start: number, run: number, end: number) => {
    const [byte, behind] = [data[start] ?? 0, data[start + run] ?? 0];
    let at = start;
    for (let left = run; isRun(left) && at < end; left--)
      insert(at++, keys.ofRun(byte, left, behind));
    return at;
  };
  const keyAt = (at: number) => {
    const run = keys.runFrom(at);
    return isRun(run) ? keys.ofRun(data[at] ?? 0, run, data[at + run] ?? 0) : keys.ofThree(at);
  };
  return {
    add: (start, end) => {
      let at = start;
      while (at < end) {
        const run = keys.runFrom(at);
        if (isRun(run) && run < longestRun) {
          at = addRun(at, run, end);
          continue;
        }
        // Inside of a longer run nothing is looked for.
        if (!isRun(run)) insert(at, keys.ofThree(at));
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

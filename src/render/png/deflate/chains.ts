import { commonBytes, runBegin, runEnd } from './runs.ts';
import { longestMatch, matchToken, shortestMatch, windowBytes } from './tokens.ts';

/** Bits of the keys that runs are found by. */
const keyBits = 15;
const windowMask = windowBytes - 1;

/** Three bytes from farther away cost more bits than they have. */
const farForThree = 4096;

/** In place of a match's token. */
export const noMatch = 0;

/**
 * Earlier runs of one byte, the nearest first. Pictures are made of runs, and where a match begins in one
 * is only a matter of how much of it is left: so runs are kept, a thirtieth as many as places. A run is
 * found by its byte, the whole run behind it and the first byte behind that.
 */
export interface Chains {
  /** Goes on to a place and keeps the runs before it. Places come in ascending order. */
  goTo(at: number): void;
  /** Whether the byte before a place is repeated for as long as a match can be. Places come in ascending order. */
  repeatsByte(at: number): boolean;
  /** Goes on to a place and keeps nothing of what lies far before it. */
  skipTo(at: number): void;
  /**
   * The token of the longest match that is longer than `length`, or `noMatch`.
   *
   * @param at at least three bytes before the end
   * @param length at least two
   * @param candidates runs that are looked at
   */
  longest(at: number, length: number, candidates: number): number;
}

export function createChains(data: Uint8Array): Chains {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const newest = new Int32Array(1 << keyBits).fill(-1);
  /** For each run, by where it begins: the next older one with its key, and where it ends. */
  const older = new Int32Array(windowBytes);
  const ends = new Int32Array(windowBytes);
  /** Where the run begins and ends that the last place is in, and where the one behind it ends. */
  let [begin, end, endBehind] = [0, 0, 0];
  const enter = (start: number) => {
    begin = start;
    end = runEnd(view, begin);
    endBehind = runEnd(view, end);
  };
  const goTo = (at: number) => {
    while (end <= at && end < data.length) {
      const key = keyOf(data, begin, end, endBehind);
      ends[begin & windowMask] = end;
      older[begin & windowMask] = newest[key] ?? -1;
      newest[key] = begin;
      begin = end;
      end = endBehind;
      // Most runs are of one byte in logos.
      endBehind = data[end] === data[end + 1] ? runEnd(view, end) : end + 1;
    }
  };
  /** Whether a run has begun before a place, so that it can be repeated from the byte before. */
  const entersWithin = (at: number) => at > 0 && data[at - 1] === data[at];
  enter(0);
  return {
    goTo,
    repeatsByte: (at) => {
      goTo(at);
      return end - at >= longestMatch && entersWithin(at);
    },
    skipTo: (at) => {
      if (at < endBehind) goTo(at);
      else enter(runBegin(view, at));
    },
    longest: (at, length, candidates) => {
      goTo(at);
      const most = Math.min(longestMatch, data.length - at);
      const run = Math.min(most, end - at);
      const byte = data[at];
      const goesOn = run > length && entersWithin(at);
      let best = goesOn ? run : length;
      let distance = goesOn ? 1 : 0;
      // What ends here, too, has no key.
      if (best >= most || run === most) return tokenOf(best, distance);
      const oldest = Math.max(0, at - windowBytes);
      let from = newest[keyOf(data, begin, end, endBehind)] ?? -1;
      // A longer match has these as well: its last three bytes so far and the one after.
      let last = best < shortestMatch ? 0 : view.getInt32(at + best - 3, true);
      for (let left = candidates; left > 0 && from >= oldest; left--) {
        // There is as much left of the run as of this one.
        const place = (ends[from & windowMask] ?? 0) - run;
        if (
          place >= from &&
          data[place] === byte &&
          (best < shortestMatch || view.getInt32(place + best - 3, true) === last)
        ) {
          const common = run + commonBytes(view, place + run, end, most - run);
          if (common > best) {
            best = common;
            distance = at - place;
            if (best === most) break;
            last = view.getInt32(at + best - 3, true);
          }
        }
        const next = older[from & windowMask] ?? -1;
        // The run was overwritten by one that came later.
        if (next >= from) break;
        from = next;
      }
      return tokenOf(best, distance);
    },
  };
}

function tokenOf(length: number, distance: number): number {
  const isWorthless = length === shortestMatch && distance > farForThree;
  return distance === 0 || isWorthless ? noMatch : matchToken(length, distance);
}

const factors = [0x85ebca6b, 0x9e3779b1] as const;

/** What a run is found under, of which and of the run behind it the ends are known. */
function keyOf(data: Uint8Array, begin: number, end: number, endBehind: number): number {
  const bytes = (data[begin] ?? 0) | ((data[end] ?? 0) << 8) | ((data[endBehind] ?? 0) << 16);
  const mixed = Math.imul(bytes, factors[0]) + (endBehind - end);
  return Math.imul(mixed, factors[1]) >>> (32 - keyBits);
}

import { longestMatch, matchToken, shortestMatch, windowBytes } from './tokens.ts';

const hashBits = 15;
const windowMask = windowBytes - 1;

/** Earlier places that are looked at for a match; more shrink pictures no further. */
const mostCandidates = 400;
/** Once a match is this long, the next byte gets a quarter of them to offer a longer one. */
const longEnough = 32;
/** Three bytes from farther away cost more bits than they have. */
const farForThree = 4096;

/**
 * Finds what repeats in a picture (LZ77). Runs of one byte and rows that repeat the row before are most
 * of a picture and are taken without a search, which makes this several times faster on pictures than
 * a general compressor is.
 *
 * @param rowBytes bytes of one row
 */
export function tokensOf(data: Uint8Array, rowBytes: number): Uint32Array {
  const tokens = new Uint32Array(data.length);
  const chains = makeChains(data);
  const lastStart = data.length - shortestMatch;
  let count = 0;
  let at = 0;
  while (at < data.length) {
    const plain = plainRepeat(data, at, rowBytes);
    if (plain > 0) {
      chains.add(at);
      tokens[count++] = matchToken(longestMatch, plain);
      at += longestMatch;
      continue;
    }
    let match = at <= lastStart ? chains.longest(at, shortestMatch - 1, mostCandidates) : none;
    if (at <= lastStart) chains.add(at);
    // A longer match that begins one byte later is worth a literal.
    while (match.length > 0 && at < lastStart) {
      const candidates = match.length >= longEnough ? mostCandidates / 4 : mostCandidates;
      const later = chains.longest(at + 1, match.length, candidates);
      if (later.length === 0) break;
      tokens[count++] = data[at] ?? 0;
      at++;
      chains.add(at);
      match = later;
    }
    if (match.length === 0) {
      tokens[count++] = data[at] ?? 0;
      at++;
      continue;
    }
    tokens[count++] = matchToken(match.length, match.distance);
    const end = Math.min(at + match.length, lastStart + 1);
    for (let inside = at + 1; inside < end; inside++) chains.add(inside);
    at += match.length;
  }
  return tokens.subarray(0, count);
}

interface Match {
  readonly length: number;
  readonly distance: number;
}

const none: Match = { length: 0, distance: 0 };

/** The distance, one byte or one row, at which as many bytes repeat as a match can hold; or 0. */
function plainRepeat(data: Uint8Array, at: number, rowBytes: number): number {
  if (at + longestMatch > data.length) return 0;
  if (at >= 1 && repeats(data, at, 1)) return 1;
  if (rowBytes <= windowBytes && at >= rowBytes && repeats(data, at, rowBytes)) return rowBytes;
  return 0;
}

function repeats(data: Uint8Array, at: number, distance: number): boolean {
  return commonBytes(data, at - distance, at, longestMatch) === longestMatch;
}

function commonBytes(data: Uint8Array, from: number, at: number, most: number): number {
  let length = 0;
  while (length < most && data[from + length] === data[at + length]) length++;
  return length;
}

/** Places by the three bytes that stand there, the nearest first. */
function makeChains(data: Uint8Array) {
  const newest = new Int32Array(1 << hashBits).fill(-1);
  const before = new Int32Array(windowBytes);
  const hashAt = (at: number) => {
    const three = (data[at] ?? 0) | ((data[at + 1] ?? 0) << 8) | ((data[at + 2] ?? 0) << 16);
    return Math.imul(three, 0x9e3779b1) >>> (32 - hashBits);
  };
  return {
    add: (at: number): void => {
      const hash = hashAt(at);
      before[at & windowMask] = newest[hash] ?? -1;
      newest[hash] = at;
    },
    /** The longest match that is longer than `length`, or none. */
    longest: (at: number, length: number, candidates: number): Match => {
      const most = Math.min(longestMatch, data.length - at);
      let [best, distance] = [length, 0];
      let from = newest[hashAt(at)] ?? -1;
      for (let left = candidates; left > 0 && best < most; left--) {
        if (from < 0 || at - from > windowBytes) break;
        // Most places differ at one of these three, and need not be held against each other whole.
        const middle = best >> 1;
        if (
          data[from + best] === data[at + best] &&
          data[from + middle] === data[at + middle] &&
          data[from + best - 1] === data[at + best - 1]
        ) {
          const common = commonBytes(data, from, at, most);
          if (common > best) {
            best = common;
            distance = at - from;
            if (best === most) break;
          }
        }
        const next = before[from & windowMask] ?? -1;
        // The place was overwritten by one that came later.
        if (next >= from) break;
        from = next;
      }
      const worthless = best === shortestMatch && distance > farForThree;
      return distance === 0 || worthless ? none : { length: best, distance };
    },
  };
}

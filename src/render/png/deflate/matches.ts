/** Bounds of a match (RFC 1951, 3.2.5), in bytes. */
const shortestMatch = 3;
export const longestMatch = 258;
const windowBytes = 32_768;

/** Maximum number of earlier runs that are compared; more do not shrink pictures further. */
const maxCandidates = 64;

/** Length from which a match is accepted without a search at the next byte. */
const goodLength = 32;

/** Distance from which a match of three bytes costs more bits than three literals. */
const farForShortest = 4096;

/**
 * Marks a match among tokens, which are numbers: a literal is its byte.
 * A match has its length above bit 16 and its distance minus 1 below.
 */
const matchFlag = 1 << 25;

export function isMatch(token: number): boolean {
  return (token & matchFlag) !== 0;
}

export function lengthOf(token: number): number {
  return (token >>> 16) & 0x1ff;
}

export function distanceOf(token: number): number {
  return (token & 0xffff) + 1;
}

/** Replaces repetitions in the data by matches (LZ77). */
export function findTokens(data: Uint8Array): number[] {
  const tokens: number[] = [];
  const search = createSearch(data);
  let at = 0;
  while (at < data.length) {
    let match = search(at, shortestMatch - 1);
    // Lazy matching: a longer match that starts one byte later is worth a literal.
    while (match !== null && lengthOf(match) < goodLength) {
      const longer = search(at + 1, lengthOf(match));
      if (longer === null) break;
      tokens.push(data[at++] ?? 0);
      match = longer;
    }
    tokens.push(match ?? data[at] ?? 0);
    at += match === null ? 1 : lengthOf(match);
  }
  return tokens;
}

/** Bits of a hash. */
const hashBits = 15;

const windowMask = windowBytes - 1;

/**
 * Creates the match finder: hash chains over runs of equal bytes. A run is hashed by its byte, by the
 * length and byte of the run after it, and by the byte after that. Its own length is not hashed, since a
 * match may start anywhere in a run.
 *
 * @returns a function that finds the longest match at a position with more than `length` bytes, or null.
 *   A position must not lie before the run of the previous one
 */
function createSearch(data: Uint8Array): (at: number, length: number) => number | null {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  /** Start of the newest run by hash. */
  const newest = new Int32Array(1 << hashBits).fill(-1);
  /** By start of a run, modulo the window: the start of the next older run of equal hash, and its end. */
  const older = new Int32Array(windowBytes);
  const ends = new Int32Array(windowBytes);
  /** The run at the position, and the end of the run after it. */
  let start = 0;
  let end = runEnd(view, start);
  let nextEnd = runEnd(view, end);

  const hash = () => {
    const bytes = (data[start] ?? 0) | ((data[end] ?? 0) << 8) | ((data[nextEnd] ?? 0) << 16);
    const mixed = Math.imul(bytes, 0x85ebca6b) + (nextEnd - end);
    return Math.imul(mixed, 0x9e3779b1) >>> (32 - hashBits);
  };

  /** Adds all runs that end at or before the position to the chains. */
  const advanceTo = (at: number) => {
    while (end <= at && end < data.length) {
      const key = hash();
      ends[start & windowMask] = end;
      older[start & windowMask] = newest[key] ?? -1;
      newest[key] = start;
      start = end;
      end = nextEnd;
      nextEnd = runEnd(view, end);
    }
  };

  return (at, length) => {
    advanceTo(at);
    const most = Math.min(longestMatch, data.length - at);
    const left = Math.min(end - at, most);
    let best = length;
    let distance = 0;
    if (at > start && left > best) [best, distance] = [left, 1];
    let candidate = left === most ? -1 : (newest[hash()] ?? -1);
    for (let tries = maxCandidates; tries > 0 && best < most; tries--) {
      // As much must be left of the candidate's run as of this one.
      const from = (ends[candidate & windowMask] ?? 0) - left;
      if (candidate < 0 || at - candidate > windowBytes) break;
      if (from >= candidate && data[from] === data[at] && data[from + best] === data[at + best]) {
        const common = left + commonBytes(view, from + left, at + left, most - left);
        const isWorthIt = common > shortestMatch || at - from < farForShortest;
        if (common > best && isWorthIt) [best, distance] = [common, at - from];
      }
      const next = older[candidate & windowMask] ?? -1;
      // A newer run has overwritten the entry.
      if (next >= candidate) break;
      candidate = next;
    }
    return distance === 0 ? null : matchFlag | (best << 16) | (distance - 1);
  };
}

/** Returns the end of the run of equal bytes from `start` on. */
function runEnd(data: DataView, start: number): number {
  const first = Math.min(start + 1, data.byteLength);
  return first + commonBytes(data, start, first, data.byteLength - first);
}

/** Returns how many bytes from two positions on are equal, at most `most`. Compares four at a time. */
function commonBytes(data: DataView, from: number, at: number, most: number): number {
  let length = 0;
  while (
    length + 4 <= most &&
    data.getInt32(from + length, true) === data.getInt32(at + length, true)
  )
    length += 4;
  while (length < most && data.getUint8(from + length) === data.getUint8(at + length)) length++;
  return length;
}

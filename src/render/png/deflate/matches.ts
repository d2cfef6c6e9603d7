import { createChains, noMatch } from './chains.ts';
import { commonBytes } from './runs.ts';
import {
  createTokenList,
  lengthOf,
  longestMatch,
  matchToken,
  shortestMatch,
  windowBytes,
} from './tokens.ts';

/** Earlier runs that are looked at for a match; more shrink pictures no further. */
const mostCandidates = 64;
/** Once a match is this long, the next byte gets a quarter of them to offer a longer one. */
const longEnough = 32;
/** And from this length on none: what is found is rarely longer. */
const veryLong = 64;

/**
 * Finds what repeats in a picture (LZ77). Runs of one pixel and rows that repeat the row before are most
 * of a picture and are taken without a search, which makes this several times faster on pictures than
 * a general compressor is; of wide rows with a byte a pixel only runs are.
 *
 * @param rowBytes bytes of one row
 * @param pixelBytes bytes of one pixel, 1 where there are several in a byte
 */
export function tokensOf(data: Uint8Array, rowBytes: number, pixelBytes: number): Uint32Array {
  const tokens = createTokenList();
  const chains = createChains(data);
  // In wide rows of a byte a pixel the runs tell which of them go on, and a search finds more than the row
  // above has; narrow ones would take up to 2 % more.
  const isSearched = pixelBytes === 1 && rowBytes > longestMatch;
  const repeatsPixel = isSearched ? chains.repeatsByte : createRepetition(data, pixelBytes);
  const repeatsRow =
    isSearched || rowBytes > windowBytes ? () => false : createRepetition(data, rowBytes);
  const find = (at: number, length: number, candidates: number) =>
    at + shortestMatch <= data.length ? chains.longest(at, length, candidates) : noMatch;
  let at = 0;
  let wasPlain = false;
  while (at < data.length) {
    const plain = repeatsPixel(at)
      ? distanceInRun(data, at, pixelBytes)
      : repeatsRow(at)
        ? rowBytes
        : 0;
    if (plain > 0) {
      if (!wasPlain) chains.goTo(at);
      wasPlain = true;
      tokens.push(matchToken(longestMatch, plain));
      at += longestMatch;
      continue;
    }
    if (wasPlain) chains.skipTo(at);
    wasPlain = false;
    let match = find(at, shortestMatch - 1, mostCandidates);
    // A longer match that begins one byte later is worth a literal.
    while (match !== noMatch && lengthOf(match) < veryLong) {
      const length = lengthOf(match);
      const later = find(at + 1, length, length < longEnough ? mostCandidates : mostCandidates / 4);
      if (later === noMatch) break;
      tokens.push(data[at++] ?? 0);
      match = later;
    }
    if (match === noMatch) {
      tokens.push(data[at++] ?? 0);
      continue;
    }
    tokens.push(match);
    at += lengthOf(match);
  }
  return tokens.all();
}

/** How far back a run of pixels repeats: a byte where a pixel has one byte throughout, as black has. */
function distanceInRun(data: Uint8Array, at: number, pixelBytes: number): number {
  for (let next = at + 1; next < at + pixelBytes; next++)
    if (data[next] !== data[at]) return pixelBytes;
  return 1;
}

/** Bytes that are held against each other at once where much may repeat. */
const bulkBytes = 1024;

/**
 * Tells whether as many bytes as a match can hold repeat those at a distance. Places are asked for in
 * ascending order, so that every byte is compared once.
 */
function createRepetition(data: Uint8Array, distance: number): (at: number) => boolean {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const buffer = Buffer.from(data.buffer, data.byteOffset, data.length);
  const repeatsBulk = (at: number) =>
    at + bulkBytes <= data.length &&
    buffer.compare(buffer, at - distance, at - distance + bulkBytes, at, at + bulkBytes) === 0;
  let end = 0;
  return (at) => {
    const wanted = at + longestMatch;
    if (at < distance || wanted > data.length) return false;
    if (end >= wanted) return true;
    end = Math.max(end, at);
    end += commonBytes(view, end - distance, end, wanted - end);
    if (end < wanted) return false;
    while (repeatsBulk(end)) end += bulkBytes;
    return true;
  };
}

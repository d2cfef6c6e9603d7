import { commonBytes, makeChains, noMatch } from './chains.ts';
import { longestMatch, makeTokenList, matchToken, shortestMatch, windowBytes } from './tokens.ts';

/** Earlier places that are looked at for a match; more shrink pictures no further. */
const mostCandidates = 64;
/** Once a match is this long, the next byte gets a quarter of them to offer a longer one. */
const longEnough = 32;

/**
 * Finds what repeats in a picture (LZ77). Runs of one byte and rows that repeat the row before are most
 * of a picture and are taken without a search, which makes this several times faster on pictures than
 * a general compressor is.
 *
 * @param rowBytes bytes of one row
 */
export function tokensOf(data: Uint8Array, rowBytes: number): Uint32Array {
  const tokens = makeTokenList();
  const chains = makeChains(data);
  const repeatsByte = makeRepetition(data, 1);
  const repeatsRow = rowBytes <= windowBytes ? makeRepetition(data, rowBytes) : () => false;
  const lastStart = data.length - shortestMatch;
  let at = 0;
  while (at < data.length) {
    const plain = repeatsByte(at) ? 1 : repeatsRow(at) ? rowBytes : 0;
    if (plain > 0) {
      // Places in so long a run are not kept.
      if (plain > 1) chains.add(at, at + 1);
      tokens.push(matchToken(longestMatch, plain));
      at += longestMatch;
      continue;
    }
    let match = at <= lastStart ? chains.longest(at, shortestMatch - 1, mostCandidates) : noMatch;
    if (at <= lastStart) chains.add(at, at + 1);
    // A longer match that begins one byte later is worth a literal.
    while (match.length > 0 && at < lastStart) {
      const candidates = match.length >= longEnough ? mostCandidates / 4 : mostCandidates;
      const later = chains.longest(at + 1, match.length, candidates);
      if (later.length === 0) break;
      tokens.push(data[at] ?? 0);
      at++;
      chains.add(at, at + 1);
      match = later;
    }
    if (match.length === 0) {
      tokens.push(data[at] ?? 0);
      at++;
      continue;
    }
    tokens.push(matchToken(match.length, match.distance));
    chains.add(at + 1, Math.min(at + match.length, lastStart + 1));
    at += match.length;
  }
  return tokens.all();
}

/** Bytes that are held against each other at once where much may repeat. */
const bulkBytes = 1024;

/**
 * Tells whether as many bytes as a match can hold repeat those at a distance. Places are asked for in
 * ascending order, so that every byte is compared once.
 */
function makeRepetition(data: Uint8Array, distance: number): (at: number) => boolean {
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

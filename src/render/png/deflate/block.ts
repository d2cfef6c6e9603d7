import type { BitWriter } from './bits.ts';
import { type PrefixCode, prefixCodeFor } from './huffman.ts';
import { distanceOf, isMatch, lengthOf, longestMatch } from './tokens.ts';

/** The symbol that ends a block; those above it are lengths of matches (RFC 1951, 3.2.5). */
const endOfBlock = 256;
const literalsAndLengths = 286;
const distances = 30;

/** Writes tokens as one block with codes of its own. */
export function writeBlock(writer: BitWriter, tokens: Uint32Array, final: boolean): void {
  const [symbolCounts, distanceCounts] = counted(tokens);
  const symbols = prefixCodeFor(symbolCounts, 15);
  const places = prefixCodeFor(distanceCounts, 15);
  writer.put(final ? 1 : 0, 1);
  writer.put(2, 2);
  writeCodes(writer, symbols, places);
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? 0;
    if (!isMatch(token)) {
      put(writer, symbols, token);
      continue;
    }
    const length = lengthOf(token);
    const distance = distanceOf(token);
    const symbol = lengthSymbol[length] ?? 0;
    put(writer, symbols, endOfBlock + 1 + symbol);
    writer.put(length - (lengthBase[symbol] ?? 0), lengthExtra[symbol] ?? 0);
    const place = distanceSymbol(distance);
    put(writer, places, place);
    writer.put(distance - (distanceBase[place] ?? 0), distanceExtra[place] ?? 0);
  }
  put(writer, symbols, endOfBlock);
}

function put(writer: BitWriter, { bits, lengths }: PrefixCode, symbol: number): void {
  writer.put(bits[symbol] ?? 0, lengths[symbol] ?? 0);
}

function counted(tokens: Uint32Array): [symbols: Uint32Array, distances: Uint32Array] {
  const symbols = new Uint32Array(literalsAndLengths);
  const places = new Uint32Array(distances);
  const count = (counts: Uint32Array, symbol: number) => {
    counts[symbol] = (counts[symbol] ?? 0) + 1;
  };
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? 0;
    if (!isMatch(token)) {
      count(symbols, token);
      continue;
    }
    count(symbols, endOfBlock + 1 + (lengthSymbol[lengthOf(token)] ?? 0));
    count(places, distanceSymbol(distanceOf(token)));
  }
  count(symbols, endOfBlock);
  return [symbols, places];
}

/** The order in which the lengths of the code for code lengths are written (RFC 1951, 3.2.7). */
const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Writes the two codes as their lengths, which are written in a code of their own. */
function writeCodes(writer: BitWriter, symbols: PrefixCode, places: PrefixCode): void {
  const symbolCount = usedOf(symbols.lengths, endOfBlock + 1);
  const placeCount = usedOf(places.lengths, 1);
  const steps = runsOf([
    ...symbols.lengths.subarray(0, symbolCount),
    ...places.lengths.subarray(0, placeCount),
  ]);
  const counts = new Uint32Array(order.length);
  for (const { symbol } of steps) counts[symbol] = (counts[symbol] ?? 0) + 1;
  const code = prefixCodeFor(counts, 7);
  const written = usedOf(
    Uint8Array.from(order, (symbol) => code.lengths[symbol] ?? 0),
    4,
  );
  writer.put(symbolCount - 257, 5);
  writer.put(placeCount - 1, 5);
  writer.put(written - 4, 4);
  for (const symbol of order.slice(0, written)) writer.put(code.lengths[symbol] ?? 0, 3);
  for (const { symbol, extra, extraBits } of steps) {
    put(writer, code, symbol);
    writer.put(extra, extraBits);
  }
}

/** How many lengths there are without the zeros at the end, at least so many. */
function usedOf(lengths: Uint8Array, atLeast: number): number {
  let count = lengths.length;
  while (count > atLeast && lengths[count - 1] === 0) count--;
  return count;
}

interface Step {
  readonly symbol: number;
  readonly extra: number;
  readonly extraBits: number;
}

/** Code lengths with their repetitions: 16 the last one 3 to 6 times, 17 and 18 zeros. */
function runsOf(lengths: readonly number[]): Step[] {
  const steps: Step[] = [];
  const once = (length: number) => ({ symbol: length, extra: 0, extraBits: 0 });
  for (let at = 0; at < lengths.length; ) {
    const length = lengths[at] ?? 0;
    let run = 1;
    while (lengths[at + run] === length) run++;
    at += run;
    if (length > 0) {
      steps.push(once(length));
      run--;
    }
    for (let left = run; left > 0; ) {
      const taken = Math.min(left, length > 0 ? 6 : 138);
      if (taken < 3) steps.push(...Array.from({ length: taken }, () => once(length)));
      else if (length > 0) steps.push({ symbol: 16, extra: taken - 3, extraBits: 2 });
      else if (taken < 11) steps.push({ symbol: 17, extra: taken - 3, extraBits: 3 });
      else steps.push({ symbol: 18, extra: taken - 11, extraBits: 7 });
      left -= taken;
    }
  }
  return steps;
}

/** Lengths of matches: 8 symbols for one length each, then 4 for each number of extra bits. */
const lengthExtra = Uint8Array.from({ length: 29 }, (_, symbol) =>
  symbol < 8 || symbol === 28 ? 0 : (symbol >> 2) - 1,
);
const lengthBase = basesOf(lengthExtra, 3);
// The longest has a symbol of its own, although the one before it would reach it.
lengthBase[28] = longestMatch;
const lengthSymbol = Uint8Array.from({ length: longestMatch + 1 }, (_, length) =>
  Math.max(
    0,
    lengthBase.findLastIndex((base) => base <= length),
  ),
);

const distanceExtra = Uint8Array.from({ length: distances }, (_, symbol) =>
  symbol < 4 ? 0 : (symbol >> 1) - 1,
);
const distanceBase = basesOf(distanceExtra, 1);

function basesOf(extraBits: Uint8Array, first: number): Uint16Array {
  const bases: number[] = [];
  let base = first;
  for (const bits of extraBits) {
    bases.push(base);
    base += 1 << bits;
  }
  return Uint16Array.from(bases);
}

/** Two symbols for each power of two. */
function distanceSymbol(distance: number): number {
  if (distance <= 4) return distance - 1;
  const power = 31 - Math.clz32(distance - 1);
  return 2 * power + (((distance - 1) >> (power - 1)) & 1);
}

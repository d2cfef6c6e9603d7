import { createPrefixCode, type PrefixCode } from './huffman.ts';
import { distanceOf, isMatch, lengthOf, longestMatch } from './matches.ts';

/** Writes numbers bit by bit, the lowest bit first (RFC 1951, 3.1.1). */
export interface BitWriter {
  /** @param length 0 to 16 bits */
  put(value: number, length: number): void;
  /** Returns everything written, padded with zero bits to whole bytes. */
  finish(): Uint8Array;
}

export function createBitWriter(): BitWriter {
  const bytes: number[] = [];
  let pending = 0;
  let pendingBits = 0;
  return {
    put(value, length) {
      pending |= value << pendingBits;
      pendingBits += length;
      while (pendingBits >= 8) {
        bytes.push(pending & 255);
        pending >>>= 8;
        pendingBits -= 8;
      }
    },
    finish() {
      if (pendingBits > 0) bytes.push(pending);
      return Uint8Array.from(bytes);
    },
  };
}

/** The symbol that ends a block; those above it stand for lengths of matches (RFC 1951, 3.2.5). */
const endOfBlock = 256;
const symbolCount = 286;
const distanceSymbolCount = 30;

/** Writes tokens as one block with its own codes (type 2). */
export function writeBlock(writer: BitWriter, tokens: readonly number[], isLast: boolean): void {
  const symbolUses = new Uint32Array(symbolCount);
  const distanceUses = new Uint32Array(distanceSymbolCount);
  for (const token of tokens) {
    increment(symbolUses, symbolOf(token));
    if (isMatch(token)) increment(distanceUses, distanceSymbolOf(distanceOf(token)));
  }
  increment(symbolUses, endOfBlock);
  const symbols = createPrefixCode(symbolUses, 15);
  const distances = createPrefixCode(distanceUses, 15);

  writer.put(isLast ? 1 : 0, 1);
  writer.put(2, 2);
  writeCodes(writer, symbols, distances);
  for (const token of tokens) {
    const symbol = symbolOf(token);
    putSymbol(writer, symbols, symbol);
    if (!isMatch(token)) continue;
    const length = symbol - endOfBlock - 1;
    writer.put(lengthOf(token) - (lengthBase[length] ?? 0), lengthExtraBits[length] ?? 0);
    const distance = distanceSymbolOf(distanceOf(token));
    putSymbol(writer, distances, distance);
    writer.put(distanceOf(token) - (distanceBase[distance] ?? 0), distanceExtraBits[distance] ?? 0);
  }
  putSymbol(writer, symbols, endOfBlock);
}

function increment(counts: Uint32Array, symbol: number): void {
  counts[symbol] = (counts[symbol] ?? 0) + 1;
}

function putSymbol(writer: BitWriter, { bits, lengths }: PrefixCode, symbol: number): void {
  writer.put(bits[symbol] ?? 0, lengths[symbol] ?? 0);
}

/** The order in which the lengths of the code for code lengths are written (RFC 1951, 3.2.7). */
const codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Writes both codes as their code lengths, which have a prefix code of their own (RFC 1951, 3.2.7). */
function writeCodes(writer: BitWriter, symbols: PrefixCode, distances: PrefixCode): void {
  const symbolLengths = trimZeros(symbols.lengths, endOfBlock + 1);
  const distanceLengths = trimZeros(distances.lengths, 1);
  const steps = runLengthsOf([...symbolLengths, ...distanceLengths]);
  const counts = new Uint32Array(codeLengthOrder.length);
  for (const { symbol } of steps) increment(counts, symbol);
  const code = createPrefixCode(counts, 7);
  const ordered = Uint8Array.from(codeLengthOrder, (symbol) => code.lengths[symbol] ?? 0);
  const codeLengths = trimZeros(ordered, 4);
  writer.put(symbolLengths.length - 257, 5);
  writer.put(distanceLengths.length - 1, 5);
  writer.put(codeLengths.length - 4, 4);
  for (const length of codeLengths) writer.put(length, 3);
  for (const { symbol, extra, extraBits } of steps) {
    putSymbol(writer, code, symbol);
    writer.put(extra, extraBits);
  }
}

/** Drops zeros at the end but keeps `atLeast` lengths. */
function trimZeros(lengths: Uint8Array, atLeast: number): Uint8Array {
  return lengths.subarray(0, Math.max(atLeast, lengths.findLastIndex((length) => length > 0) + 1));
}

/** One symbol of the code for code lengths, with its extra bits. */
interface Step {
  readonly symbol: number;
  readonly extra: number;
  readonly extraBits: number;
}

/** Run-length encodes code lengths: 16 repeats the last one 3 to 6 times; 17 and 18 repeat zeros. */
function runLengthsOf(lengths: readonly number[]): Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < lengths.length; ) {
    const length = lengths[at] ?? 0;
    let run = 1;
    while (lengths[at + run] === length) run++;
    at += run;
    if (length > 0) {
      steps.push({ symbol: length, extra: 0, extraBits: 0 });
      run--;
    }
    while (run > 0) {
      const taken = Math.min(run, length > 0 ? 6 : 138);
      run -= taken;
      if (taken < 3) {
        const step = { symbol: length, extra: 0, extraBits: 0 };
        steps.push(...Array.from({ length: taken }, () => step));
      } else if (length > 0) steps.push({ symbol: 16, extra: taken - 3, extraBits: 2 });
      else if (taken < 11) steps.push({ symbol: 17, extra: taken - 3, extraBits: 3 });
      else steps.push({ symbol: 18, extra: taken - 11, extraBits: 7 });
    }
  }
  return steps;
}

/** Extra bits of the 29 length symbols: eight without, then four for each number of bits. */
const lengthExtraBits = Uint8Array.from({ length: 29 }, (_, symbol) =>
  symbol < 8 || symbol === 28 ? 0 : (symbol >> 2) - 1,
);
const lengthBase = basesOf(lengthExtraBits, 3);
// The longest match has a symbol of its own, although the one before could express it.
lengthBase[28] = longestMatch;
const lengthSymbol = Uint8Array.from({ length: longestMatch + 1 }, (_, length) =>
  Math.max(
    0,
    lengthBase.findLastIndex((base) => base <= length),
  ),
);

/** Returns the symbol of a literal, or of the length of a match. */
function symbolOf(token: number): number {
  return isMatch(token) ? endOfBlock + 1 + (lengthSymbol[lengthOf(token)] ?? 0) : token;
}

/** Extra bits of the distance symbols: four without, then two for each number of bits. */
const distanceExtraBits = Uint8Array.from({ length: distanceSymbolCount }, (_, symbol) =>
  symbol < 4 ? 0 : (symbol >> 1) - 1,
);
const distanceBase = basesOf(distanceExtraBits, 1);

function distanceSymbolOf(distance: number): number {
  if (distance <= 4) return distance - 1;
  const power = 31 - Math.clz32(distance - 1);
  return 2 * power + (((distance - 1) >> (power - 1)) & 1);
}

/** Returns the first length or distance of each symbol. */
function basesOf(extraBits: Uint8Array, first: number): Uint16Array {
  let next = first;
  return Uint16Array.from(extraBits, (bits) => {
    const base = next;
    next += 1 << bits;
    return base;
  });
}

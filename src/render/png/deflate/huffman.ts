/** A prefix code: for each symbol its bits, the first bit lowest, and how many; 0 for symbols unused. */
export interface PrefixCode {
  readonly bits: Uint16Array;
  readonly lengths: Uint8Array;
}

/**
 * The best prefix code for symbols that occur so often, no code longer than `longest` bits.
 *
 * @param longest at most 15
 */
export function prefixCodeFor(counts: Uint32Array, longest: number): PrefixCode {
  const lengths = codeLengths(counts, longest);
  return { lengths, bits: codeBits(lengths) };
}

/** A symbol, or a package of two. */
interface Item {
  readonly weight: number;
  readonly symbol: number;
  readonly parts: readonly [Item, Item] | null;
}

/**
 * Package-merge (Larmore and Hirschberg, 1990): a symbol's code grows by a bit for each time that it
 * is among the cheapest items of the last round, by itself or inside of packages.
 */
function codeLengths(counts: Uint32Array, longest: number): Uint8Array {
  const lengths = new Uint8Array(counts.length);
  const symbols: Item[] = [];
  for (const [symbol, weight] of counts.entries())
    if (weight > 0) symbols.push({ weight, symbol, parts: null });
  // Decoders want a code of one bit even where there is nothing to choose.
  if (symbols.length === 1) lengths[symbols[0]?.symbol ?? 0] = 1;
  if (symbols.length < 2) return lengths;

  symbols.sort((a, b) => a.weight - b.weight || a.symbol - b.symbol);
  let items: Item[] = [];
  for (let round = 0; round < longest; round++) items = merged(symbols, packagesOf(items));
  const lengthen = ({ symbol, parts }: Item) => {
    if (parts === null) lengths[symbol] = (lengths[symbol] ?? 0) + 1;
    else for (const part of parts) lengthen(part);
  };
  for (const item of items.slice(0, 2 * symbols.length - 2)) lengthen(item);
  return lengths;
}

function packagesOf(items: readonly Item[]): Item[] {
  const packages: Item[] = [];
  for (let at = 0; at + 1 < items.length; at += 2) {
    const [first, second] = [items[at], items[at + 1]];
    if (first === undefined || second === undefined) break;
    packages.push({ weight: first.weight + second.weight, symbol: -1, parts: [first, second] });
  }
  return packages;
}

/** Two sorted lists as one; of equals the symbol comes first, so that the code is always the same. */
function merged(symbols: readonly Item[], packages: readonly Item[]): Item[] {
  const all: Item[] = [];
  let next = 0;
  for (const item of packages) {
    for (
      let symbol = symbols[next];
      symbol && symbol.weight <= item.weight;
      symbol = symbols[next]
    ) {
      all.push(symbol);
      next++;
    }
    all.push(item);
  }
  return all.concat(symbols.slice(next));
}

/** Codes of one length count upwards in the order of their symbols (RFC 1951, 3.2.2). */
function codeBits(lengths: Uint8Array): Uint16Array {
  const counts = new Uint16Array(16);
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] ?? 0) + 1;
  const next = new Uint16Array(16);
  for (let length = 1; length <= 15; length++)
    next[length] = ((next[length - 1] ?? 0) + (counts[length - 1] ?? 0)) << 1;

  return Uint16Array.from(lengths, (length) => {
    const code = next[length] ?? 0;
    next[length] = code + 1;
    return reversed(code, length);
  });
}

function reversed(value: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit++) result |= ((value >> bit) & 1) << (length - 1 - bit);
  return result;
}

import { prefixBytes, tailBytes } from './hash-collector.ts';

/**
 * Whether a hash is among those whose first 8 bytes are given in ascending order. Binary search;
 * whoever shares the prefix is confirmed by the rest of the hash.
 *
 * @param tailAt reads the last 24 bytes of the hash of this rank; may throw
 */
export function holdsHash(
  prefixes: Uint8Array,
  hash: Uint8Array,
  tailAt: (rank: number) => Uint8Array,
): boolean {
  const count = prefixes.length / prefixBytes;
  const view = new DataView(prefixes.buffer, prefixes.byteOffset, prefixes.length);
  const wanted = new DataView(hash.buffer, hash.byteOffset, hash.length);
  const high = wanted.getUint32(0);
  const low = wanted.getUint32(4);
  const compare = (rank: number) =>
    view.getUint32(rank * prefixBytes) - high || view.getUint32(rank * prefixBytes + 4) - low;
  let from = 0;
  let to = count;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (compare(middle) < 0) from = middle + 1;
    else to = middle;
  }
  const tail = Buffer.from(hash.buffer, hash.byteOffset + prefixBytes, tailBytes);
  for (let rank = from; rank < count && compare(rank) === 0; rank += 1) {
    if (confirms(() => tail.equals(tailAt(rank)))) return true;
  }
  return false;
}

/** Where the file has been damaged since it was read, the 64 bits in memory decide alone. */
function confirms(compare: () => boolean): boolean {
  try {
    return compare();
  } catch {
    return true;
  }
}

import type { Pause } from '../../lib/event-loop.ts';

/** How long a hash is, and how much of it is kept in memory; the rest confirms a match. */
export const hashBytes = 32;
export const prefixBytes = 8;
export const tailBytes = hashBytes - prefixBytes;

/** Distinct hashes in ascending order, in runs that follow each other. */
export interface SortedHashes {
  readonly count: number;
  readonly runs: readonly HashRun[];
}

/** What is kept in memory of each hash of a run, and what confirms a match, in the same order. */
export interface HashRun {
  readonly prefixes: Uint8Array;
  readonly tails: Uint8Array;
}

/** Collects hashes in any order. */
export interface HashCollector {
  add(hash: Uint8Array): void;
  /** Sorts and removes repetitions, with a pause after some thousands. */
  sorted(pause: Pause): Promise<SortedHashes>;
}

const bucketCount = 256;

/**
 * Hashes are spread by their first byte, so that each bucket sorts in a millisecond even for a
 * million hashes, and the buckets in order are the whole in order.
 */
export function createHashCollector(): HashCollector {
  const buckets = Array.from({ length: bucketCount }, (): Bucket => ({ chunks: [], used: 0 }));

  return {
    add: (hash) => {
      const bucket = buckets[hash[0] ?? 0];
      if (bucket === undefined || hash.length !== hashBytes) throw new Error('This is no SHA-256.');
      const at = bucket.used % chunkBytes;
      if (at === 0) bucket.chunks.push(new Uint8Array(chunkBytes));
      bucket.chunks.at(-1)?.set(hash, at);
      bucket.used += hashBytes;
    },
    sorted: async (pause) => {
      const runs: HashRun[] = [];
      let count = 0;
      let unrested = 0;
      for (const bucket of buckets) {
        const run = sortedRun(Buffer.concat(bucket.chunks, bucket.used));
        unrested += bucket.used;
        bucket.chunks = [];
        bucket.used = 0;
        count += run.prefixes.length / prefixBytes;
        runs.push(run);
        if (unrested < restAfterBytes) continue;
        unrested = 0;
        await pause();
      }
      return { count, runs };
    },
  };
}

/** Chunks of one size are never copied as a list grows, so that it costs its size and no more. */
interface Bucket {
  chunks: Uint8Array[];
  used: number;
}

const chunkBytes = 128 * hashBytes;
// A millisecond or two of sorting.
const restAfterBytes = 4_096 * hashBytes;

function sortedRun(bytes: Uint8Array): HashRun {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const count = bytes.length / hashBytes;
  // Keys of 32 bits of the hash above the index it has sort natively, as plain numbers: both
  // together fit the 53 bits of one while a bucket has less than two million hashes.
  if (count > indexLimit) throw new Error('These are too many hashes for one list.');
  const keys = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    keys[index] = view.getUint32(index * hashBytes) * indexLimit + index;
  }
  keys.sort();
  const order = keys.map((key) => (key % indexLimit) * hashBytes);
  insertionSort(order, (a, b) => compareAt(bytes, a, b));
  const prefixes = new Uint8Array(count * prefixBytes);
  const tails = new Uint8Array(count * tailBytes);
  let used = 0;
  let before: number | null = null;
  for (const at of order) {
    if (before !== null && compareAt(bytes, before, at) === 0) continue;
    copy(bytes, at, prefixes, used * prefixBytes, prefixBytes);
    copy(bytes, at + prefixBytes, tails, used * tailBytes, tailBytes);
    used += 1;
    before = at;
  }
  return {
    prefixes: prefixes.subarray(0, used * prefixBytes),
    tails: tails.subarray(0, used * tailBytes),
  };
}

/** For some bytes several times as fast as `set` with `subarray`, which makes an object each time. */
function copy(from: Uint8Array, start: number, to: Uint8Array, at: number, length: number): void {
  for (let index = 0; index < length; index += 1) to[at + index] = from[start + index] ?? 0;
}

const indexLimit = 2 ** 21;

/** Linear on what is all but sorted: only hashes that agree in their first 32 bits may move. */
function insertionSort(items: Float64Array, compare: (a: number, b: number) => number): void {
  for (let index = 1; index < items.length; index += 1) {
    const item = items[index] ?? 0;
    let at = index;
    while (at > 0 && compare(items[at - 1] ?? 0, item) > 0) {
      items[at] = items[at - 1] ?? 0;
      at -= 1;
    }
    items[at] = item;
  }
}

function compareAt(bytes: Uint8Array, a: number, b: number): number {
  for (let index = 0; index < hashBytes; index += 1) {
    const difference = (bytes[a + index] ?? 0) - (bytes[b + index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

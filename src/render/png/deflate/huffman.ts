/** A prefix code: bits of each symbol, first bit lowest, and their number (0 for unused symbols). */
export interface PrefixCode {
  readonly bits: Uint16Array;
  readonly lengths: Uint8Array;
}

/**
 * Computes a prefix code from the frequencies of symbols.
 *
 * @param maxLength bits per code at most, up to 15
 */
export function createPrefixCode(counts: Uint32Array, maxLength: number): PrefixCode {
  const lengths = codeLengths(counts, maxLength);
  return { lengths, bits: codeBits(lengths) };
}

/** A node of the tree. A leaf has a symbol, an inner node has two children. */
interface Node {
  readonly count: number;
  readonly symbol: number;
  readonly children: readonly Node[];
}

/**
 * Computes code lengths by Huffman's algorithm.
 * Halves the counts, which makes them more similar, until the tree is not too deep.
 */
function codeLengths(counts: Uint32Array, maxLength: number): Uint8Array {
  const lengths = new Uint8Array(counts.length);
  const leaves: Node[] = [];
  for (const [symbol, count] of counts.entries())
    if (count > 0) leaves.push({ count, symbol, children: [] });
  leaves.sort((a, b) => a.count - b.count);
  const setLengths = ({ symbol, children }: Node, depth: number) => {
    // A code of a single symbol has one bit, since decoders expect one.
    if (children.length === 0) lengths[symbol] = Math.max(1, depth);
    for (const child of children) setLengths(child, depth + 1);
  };
  const root = treeOf(leaves);
  if (root !== undefined) setLengths(root, 0);
  if (Math.max(...lengths) <= maxLength) return lengths;
  return codeLengths(
    counts.map((count) => Math.ceil(count / 2)),
    maxLength,
  );
}

/** Joins the two rarest nodes until one is left. Joined nodes are created in ascending order of counts. */
function treeOf(leaves: readonly Node[]): Node | undefined {
  const joined: Node[] = [];
  let nextLeaf = 0;
  let nextJoined = 0;
  const takeRarest = () => {
    const leaf = leaves[nextLeaf];
    const node = joined[nextJoined];
    const isLeaf = leaf !== undefined && (node === undefined || leaf.count <= node.count);
    return isLeaf ? leaves[nextLeaf++] : joined[nextJoined++];
  };
  for (;;) {
    const first = takeRarest();
    const second = takeRarest();
    if (first === undefined || second === undefined) return first;
    joined.push({ count: first.count + second.count, symbol: -1, children: [first, second] });
  }
}

/** Assigns codes: those of one length count upwards in the order of their symbols (RFC 1951, 3.2.2). */
function codeBits(lengths: Uint8Array): Uint16Array {
  const counts = new Uint16Array(16);
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] ?? 0) + 1;
  const next = new Uint16Array(16);
  for (let length = 1; length <= 15; length++)
    next[length] = ((next[length - 1] ?? 0) + (counts[length - 1] ?? 0)) << 1;

  return Uint16Array.from(lengths, (length) => {
    const code = next[length] ?? 0;
    next[length] = code + 1;
    return reverseBits(code, length);
  });
}

function reverseBits(value: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit++) result |= ((value >> bit) & 1) << (length - 1 - bit);
  return result;
}

import { expect, test } from 'bun:test';
import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { deflate } from '../../src/render/png/deflate/deflate.ts';

/** Bytes with runs, patterns and repetitions of earlier parts, as pictures have them. */
const anyRows = fc
  .array(
    fc.oneof(
      fc.record({ kind: fc.constant('new' as const), bytes: fc.uint8Array({ maxLength: 60 }) }),
      fc.record({
        kind: fc.constant('run' as const),
        pixel: fc.uint8Array({ minLength: 1, maxLength: 3 }),
        length: fc.nat(2000),
      }),
      fc.record({ kind: fc.constant('again' as const), back: fc.nat(40_000), length: fc.nat(900) }),
    ),
    { maxLength: 60 },
  )
  .map((pieces) => {
    const bytes: number[] = [];
    for (const piece of pieces) {
      if (piece.kind === 'new') bytes.push(...piece.bytes);
      if (piece.kind === 'run')
        for (let at = 0; at < piece.length; at++)
          bytes.push(piece.pixel[at % piece.pixel.length] ?? 0);
      if (piece.kind === 'again') {
        const from = Math.max(0, bytes.length - 1 - piece.back);
        for (let at = 0; at < piece.length && bytes.length > 0; at++)
          bytes.push(bytes[from + at] ?? 0);
      }
    }
    return Uint8Array.from(bytes);
  });

const inflates = (bytes: Uint8Array) => inflateSync(deflate(bytes)).equals(bytes);

test('zlib inflates what it wrote', () => {
  fc.assert(
    fc.property(anyRows, (bytes) => expect(inflates(bytes)).toBe(true)),
    { numRuns: 150 },
  );
});

const noise = Uint8Array.from({ length: 100_000 }, (_, at) => Bun.hash.crc32(`${at}`));
// Frequencies like Fibonacci numbers: a Huffman code for them is deeper than the 15 bits that are allowed.
const fibonacci = Uint8Array.from({ length: 17_710 }, (_, at) => {
  let [less, more] = [1, 1];
  let symbol = 0;
  for (let left = Math.imul(at, 7919) % 17_710; left >= less; symbol++) {
    left -= less;
    [less, more] = [more, less + more];
  }
  return symbol;
});

test.each([
  ['nothing', new Uint8Array(0)],
  ['one byte', Uint8Array.of(7)],
  ['a million zeros', new Uint8Array(1_000_000)],
  ['a long period', Uint8Array.from({ length: 300_000 }, (_, at) => at % 251)],
  ['noise', noise],
  ['frequencies that need long codes', fibonacci],
])('zlib inflates %s, and it grows by the codes at most', (_, bytes) => {
  expect(inflates(bytes)).toBe(true);
  expect(deflate(bytes).length).toBeLessThan(bytes.length * 1.01 + 100);
});

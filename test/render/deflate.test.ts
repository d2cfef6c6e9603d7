import { expect, test } from 'bun:test';
import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { compressRows } from '../../src/render/png/deflate/zlib.ts';

/** Bytes with runs, rows that repeat and pieces from before, as pictures have them. */
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

const anyRowBytes = fc.integer({ min: 1, max: 40_000 });
const anyPixelBytes = fc.constantFrom(1, 3);

test('any bytes come back from an inflater that shares nothing with it', () => {
  fc.assert(
    fc.property(anyRows, anyRowBytes, anyPixelBytes, (bytes, rowBytes, pixelBytes) => {
      expect(inflateSync(compressRows(bytes, rowBytes, pixelBytes)).equals(bytes)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('the least, the most alike and the least alike come back as well', () => {
  let state = 1;
  const noise = Uint8Array.from({ length: 100_000 }, () => {
    state = Math.imul(state, 1103515245) + 12345;
    return state >>> 16;
  });
  const inputs = [
    new Uint8Array(0),
    Uint8Array.of(7),
    Uint8Array.of(7, 7),
    new Uint8Array(1_000_000),
    Uint8Array.from({ length: 300_000 }, (_, at) => at % 251),
    noise,
  ];
  for (const bytes of inputs) {
    const compressed = compressRows(bytes, 129, 3);
    expect(inflateSync(compressed).equals(bytes)).toBe(true);
    // Bytes without any order grow by the description of their codes, no more.
    expect(compressed.length).toBeLessThan(bytes.length * 1.01 + 100);
  }
});

test('a code whose best lengths would be too long is cut to fifteen bits', () => {
  // Counts like Fibonacci numbers ask for ever longer codes.
  const bytes: number[] = [];
  let [few, more] = [1, 1];
  for (let symbol = 0; symbol < 20; symbol++) {
    for (let at = 0; at < few; at++) bytes.push(symbol * 7);
    [few, more] = [more, few + more];
  }
  let state = 5;
  for (let at = bytes.length - 1; at > 0; at--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const other = state % (at + 1);
    [bytes[at], bytes[other]] = [bytes[other] ?? 0, bytes[at] ?? 0];
  }
  const all = Uint8Array.from(bytes);
  expect(inflateSync(compressRows(all, 100, 1)).equals(all)).toBe(true);
});

import { createBitWriter } from './bits.ts';
import { writeBlock } from './block.ts';
import { tokensOf } from './matches.ts';

/** Tokens after which codes are fitted anew. */
const blockTokens = 16_384;

/**
 * Compresses the rows of a picture (DEFLATE, RFC 1951, in a zlib stream, RFC 1950).
 *
 * It is ours so that it stays what it is: an image is the same to the byte for as long as its code
 * lives, and compressors that come with a runtime or a package write other bytes from version to version.
 *
 * @param rowBytes bytes of one row
 * @param pixelBytes bytes of one pixel, 1 where there are several in a byte
 */
export function compressRows(rows: Uint8Array, rowBytes: number, pixelBytes: number): Uint8Array {
  const writer = createBitWriter();
  // Method 8 with a window of 32 KiB; the second byte makes the two a multiple of 31.
  writer.put(0x78, 8);
  writer.put(0xda, 8);
  const tokens = tokensOf(rows, rowBytes, pixelBytes);
  let at = 0;
  do {
    const end = at + blockTokens;
    writeBlock(writer, tokens.subarray(at, end), end >= tokens.length);
    at = end;
  } while (at < tokens.length);
  const compressed = writer.finish();
  const stream = new Uint8Array(compressed.length + 4);
  stream.set(compressed);
  new DataView(stream.buffer).setUint32(compressed.length, Bun.hash.adler32(rows));
  return stream;
}

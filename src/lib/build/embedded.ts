import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import passwords from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'file' };

/** Begins a file that the build has compressed with Brotli, which has no mark of its own: no text begins so. */
export const brotliMark = [0xce, 0xb2, 0xcf, 0x81];

/**
 * Reads a file that code imports `with { type: 'file' }`.
 * The build compresses some with Brotli, and those that are sent to browsers with gzip; from source they are as their
 * package has them.
 */
export async function readEmbedded(path: string): Promise<Uint8Array<ArrayBuffer>> {
  return decompressed(await Bun.file(path).bytes());
}

/** Reads a file as `readEmbedded` does, but as gzip. */
export async function readCompressed(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await Bun.file(path).bytes();
  return isGzip(bytes) ? bytes : Bun.gzipSync(bytes);
}

/** Reads a text as `readEmbedded` does, at once. */
export function readEmbeddedText(path: string): string {
  return new TextDecoder().decode(decompressed(new Uint8Array(readFileSync(path))));
}

/** Reads common passwords as JSON: in lower case, each in quotation marks. */
export function readCommonPasswords(): string {
  // The cast is safe: imported as a file, it is a path.
  return readEmbeddedText(passwords as unknown as string);
}

function decompressed(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (isGzip(bytes)) return Bun.gunzipSync(bytes);
  if (!brotliMark.every((byte, at) => bytes[at] === byte)) return bytes;
  return new Uint8Array(brotliDecompressSync(bytes.subarray(brotliMark.length)));
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

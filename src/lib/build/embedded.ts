import { readFileSync } from 'node:fs';

/**
 * Reads a file that code imports `with { type: 'file' }`. The build compresses large ones with gzip; from source they
 * are as their package has them.
 */
export async function readEmbedded(path: string): Promise<Uint8Array<ArrayBuffer>> {
  return decompressed(await Bun.file(path).bytes());
}

/** As `readEmbedded`, for small files. */
export function readEmbeddedSync(path: string): Uint8Array<ArrayBuffer> {
  return decompressed(new Uint8Array(readFileSync(path)));
}

function decompressed(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return isGzip ? Bun.gunzipSync(bytes) : bytes;
}

import { readFileSync } from 'node:fs';
import passwords from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'file' };

/**
 * Reads a file that code imports `with { type: 'file' }`.
 * The build compresses large ones with gzip; from source they are as their package has them.
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
  return isGzip(bytes) ? Bun.gunzipSync(bytes) : bytes;
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * Reads a file that code imports `with { type: 'file' }`. The build compresses large ones with gzip; from source they
 * are as their package has them.
 */
export async function readEmbedded(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await Bun.file(path).bytes();
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return isGzip ? Bun.gunzipSync(bytes) : bytes;
}

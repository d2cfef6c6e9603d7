/** The bytes of a body, or the reason why there are none. */
export type BoundedRead = Uint8Array<ArrayBuffer> | 'too long' | 'broken off';

/**
 * Reads a body of at most `maxBytes`. Resolves as soon as the body is known to be longer.
 *
 * @param body null counts as empty
 */
export async function readAtMost(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<BoundedRead> {
  const reader = body?.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (reader !== undefined) {
    const next = await reader.read().catch(() => null);
    if (next === null) return 'broken off';
    if (next.done) break;
    length += next.value.length;
    if (length > maxBytes) {
      // Not awaited: it settles when the sender ends, and the sender waits for our response.
      reader.cancel().catch(() => {});
      return 'too long';
    }
    chunks.push(next.value);
  }
  return Buffer.concat(chunks);
}

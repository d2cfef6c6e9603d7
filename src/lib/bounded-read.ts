/** What came of reading a body: its bytes, or why there are none. */
export type BoundedRead = Uint8Array<ArrayBuffer> | 'too long' | 'broken off';

/**
 * Reads a body, never more than `longestBytes` and one chunk of it in memory. Answers as soon as it is
 * known to be longer, however slowly the rest would come in.
 *
 * @param body null counts as empty
 */
export async function readAtMost(
  body: ReadableStream<Uint8Array> | null,
  longestBytes: number,
): Promise<BoundedRead> {
  const reader = body?.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (reader !== undefined) {
    const next = await reader.read().catch(() => null);
    if (next === null) return 'broken off';
    if (next.done) break;
    length += next.value.length;
    if (length > longestBytes) {
      // Not awaited, as `for await` would: it ends when the sender ends, who waits for our answer.
      reader.cancel().catch(() => {});
      return 'too long';
    }
    chunks.push(next.value);
  }
  return Buffer.concat(chunks);
}

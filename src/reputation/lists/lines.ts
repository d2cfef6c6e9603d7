import { InvalidListRequest } from '../errors.ts';

/** In characters. The longest accepted URL has 2,048, and rows of tables hold several. */
export const maxLineLength = 16_384;

/** Consecutive trimmed lines; null stands for one that is too long. */
export interface LineBatch {
  /** Number of the first line, from 1. */
  readonly first: number;
  readonly lines: readonly (string | null)[];
}

/**
 * Splits a stream of UTF-8 into lines, one batch per chunk.
 *
 * @throws InvalidListRequest when the stream is no text
 */
export async function* lineBatches(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<LineBatch, void> {
  const decoder = new TextDecoder(); // drops a byte order mark; invalid bytes become U+FFFD
  let first = 1;
  let rest: string | null = null; // the unfinished line; null before the first chunk
  let isTooLong = false;
  const finish = (line: string) => {
    const dropped = isTooLong || line.length > maxLineLength;
    isTooLong = false;
    return dropped ? null : line.trim();
  };
  for await (const chunk of chunks) {
    if (rest === null) rejectBinary(chunk);
    const parts: string[] = ((rest ?? '') + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    const lines = parts.map(finish);
    if (rest.length > maxLineLength) {
      isTooLong = true;
      rest = '';
    }
    if (lines.length > 0) yield { first, lines };
    first += lines.length;
  }
  const last = (rest ?? '') + decoder.decode();
  if (last !== '' || isTooLong) yield { first, lines: [finish(last)] };
}

function rejectBinary(chunk: Uint8Array): void {
  const [first, second] = chunk;
  if (first === 0x1f && second === 0x8b)
    throw new InvalidListRequest('This file is compressed (gzip). Unpack it first.');
  if (first === 0x50 && second === 0x4b)
    throw new InvalidListRequest('This file is an archive (zip). Unpack it first.');
  if (chunk.subarray(0, 4096).includes(0))
    throw new InvalidListRequest('This file is not text in UTF-8.');
}

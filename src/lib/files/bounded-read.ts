import { createReadStream } from 'node:fs';
import { errnoMessage, FileError } from '../errors.ts';

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

/**
 * Reads a file, or standard input for "-".
 * Stops at a bound, because a device or a pipe may have no end.
 *
 * @throws FileError when it cannot be read or is longer
 */
export async function readFileAtMost(
  path: string,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const name = path === '-' ? 'standard input' : path;
  // Bun's own streams cannot read devices.
  const stream = path === '-' ? process.stdin : createReadStream(path);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      length += chunk.length;
      if (length > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw new FileError(`${name} cannot be read: ${errnoMessage(error)}.`);
  }
  if (length > maxBytes)
    throw new FileError(`${name} is longer than ${formatBytes(maxBytes)}, the most that is read.`);
  return Buffer.concat(chunks);
}

function formatBytes(bytes: number): string {
  return bytes >= 1_000_000 ? `${bytes / 1_000_000} MB` : `${bytes / 1000} kB`;
}

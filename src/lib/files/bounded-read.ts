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
  const read = await readEnds(body, { headBytes: maxBytes, tailBytes: 0, maxBytes });
  return typeof read === 'string' ? read : read.head;
}

/** A body, or the beginning and the end of one that is longer. */
interface BodyEnds {
  readonly head: Uint8Array<ArrayBuffer>;
  /** Null when the body is not longer than the head. */
  readonly tail: Uint8Array<ArrayBuffer> | null;
}

interface EndBounds {
  /** Kept of the beginning. */
  readonly headBytes: number;
  /** Kept of the end. */
  readonly tailBytes: number;
  /** Maximum length of the body. */
  readonly maxBytes: number;
}

/** Reads a body and keeps its beginning and its end. Resolves as soon as it is known to be too long. */
export async function readEnds(
  body: ReadableStream<Uint8Array> | null,
  { headBytes, tailBytes, maxBytes }: EndBounds,
): Promise<BodyEnds | Extract<BoundedRead, string>> {
  const reader = body?.getReader();
  const head: Uint8Array[] = [];
  let tail: Uint8Array<ArrayBuffer> | null = null;
  let length = 0;
  while (reader !== undefined) {
    const next = await reader.read().catch(() => null);
    if (next === null) return 'broken off';
    if (next.done) break;
    const room = Math.max(0, headBytes - length);
    length += next.value.length;
    if (length > maxBytes) {
      // Not awaited: it settles when the sender ends, and the sender waits for our response.
      reader.cancel().catch(() => {});
      return 'too long';
    }
    if (room > 0) head.push(next.value.subarray(0, room));
    if (length > headBytes)
      tail = Buffer.concat([tail ?? new Uint8Array(), next.value.subarray(room)]).slice(-tailBytes);
  }
  return { head: Buffer.concat(head), tail };
}

/**
 * Reads a file, or standard input for "-". Stops at a bound, because a device or a pipe may have no end.
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

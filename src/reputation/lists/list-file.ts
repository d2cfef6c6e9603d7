import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { writeTemporary } from '../../lib/atomic-write-async.ts';
import { type Pause, yieldToEventLoop } from '../../lib/event-loop.ts';
import { prefixBytes, type SortedHashes, tailBytes } from './hash-collector.ts';
import { type ListHeader, parseHeader } from './list-header.ts';
import { holdsHash } from './list-search.ts';

/*
 * A list on disk, numbers big-endian:
 *   "WAYMARK LIST\n" · version (4) · length of the header (4) · header in JSON
 *   · the first 8 bytes of each hash, ascending · the other 24 bytes of each, in the same order
 *   · SHA-256 of everything before (32)
 * The prefixes are kept in memory, 8 MB for a million entries. A prefix that matches is confirmed by
 * the rest of its hash, read from the file, which stays open: replacing the file leaves it readable.
 */
const magic = Buffer.from('WAYMARK LIST\n', 'latin1');
const version = 1;
const preludeBytes = magic.length + 8;
const longestHeader = 65_536;
const checksumBytes = 32;
const pieceBytes = 1 << 20;

/** A list that is ready to be asked. */
export interface LoadedList {
  readonly header: ListHeader;
  /** Whether the list holds this hash. Some microseconds at most. */
  has(hash: Uint8Array): boolean;
  close(): void;
}

/** A list file that cannot be used; the message says why. */
export class DamagedList extends Error {
  override readonly name = 'DamagedList';
}

/** Writes and flushes a list under a temporary name beside `path`, which it returns. */
export async function writeListFile(
  path: string,
  header: ListHeader,
  hashes: SortedHashes,
  pause: Pause = yieldToEventLoop,
): Promise<string> {
  return writeTemporary(path, async (file) => {
    const hasher = new Bun.CryptoHasher('sha256');
    for (const piece of piecesOf(header, hashes)) {
      hasher.update(piece);
      await file.writeFile(piece);
      await pause();
    }
    await file.writeFile(hasher.digest());
  });
}

function* piecesOf(header: ListHeader, hashes: SortedHashes): Generator<Uint8Array> {
  const json = Buffer.from(JSON.stringify(header), 'utf8');
  const prelude = Buffer.alloc(preludeBytes);
  magic.copy(prelude);
  prelude.writeUInt32BE(version, magic.length);
  prelude.writeUInt32BE(json.length, magic.length + 4);
  yield Buffer.concat([prelude, json]);
  for (const { prefixes } of hashes.runs) yield prefixes;
  for (const { tails } of hashes.runs) yield tails;
}

/**
 * Reads a list and checks all of it. Yields to the event loop after each megabyte.
 *
 * @throws DamagedList when it is not a whole, unaltered list of this version
 */
export async function readListFile(path: string): Promise<LoadedList> {
  const descriptor = openSync(path, 'r');
  try {
    return await readList(descriptor);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

async function readList(descriptor: number): Promise<LoadedList> {
  const { size } = fstatSync(descriptor);
  const { header, start } = readHeader(descriptor, size);
  const tails = start + header.entries * prefixBytes;
  const checked = tails + header.entries * tailBytes;
  if (size !== checked + checksumBytes) throw new DamagedList('It is cut short or has grown.');
  const prefixes = new Uint8Array(header.entries * prefixBytes);
  const hasher = new Bun.CryptoHasher('sha256');
  for (let at = 0; at < checked; at += pieceBytes) {
    const piece = readAt(descriptor, at, Math.min(pieceBytes, checked - at));
    hasher.update(piece);
    const from = Math.max(0, start - at);
    const to = Math.min(piece.length, tails - at);
    if (from < to) prefixes.set(piece.subarray(from, to), at + from - start);
    if (piece.length === pieceBytes) await yieldToEventLoop();
  }
  const checksum = hasher.digest('hex');
  const stored = readAt(descriptor, checked, checksumBytes);
  if (Buffer.from(stored).toString('hex') !== checksum) {
    throw new DamagedList('Its checksum does not fit its content.');
  }
  return {
    header,
    has: (hash) =>
      holdsHash(prefixes, hash, (rank) => readAt(descriptor, tails + rank * tailBytes, tailBytes)),
    close: () => closeSync(descriptor),
  };
}

/**
 * Tells whether a file is the one that was read before, without reading it: which file it is, its
 * size and time, and the checksum it claims.
 */
export function identityOf(path: string): string {
  const descriptor = openSync(path, 'r');
  try {
    const { ino, size, mtimeNs } = fstatSync(descriptor, { bigint: true });
    const end = Math.max(0, Number(size) - checksumBytes);
    const claimed = readAt(descriptor, end, Math.min(checksumBytes, Number(size)));
    return `${ino}:${size}:${mtimeNs}:${Buffer.from(claimed).toString('hex')}`;
  } finally {
    closeSync(descriptor);
  }
}

function readHeader(descriptor: number, size: number): { header: ListHeader; start: number } {
  if (size < preludeBytes) throw new DamagedList('It is too short to be a list.');
  const prelude = Buffer.from(readAt(descriptor, 0, preludeBytes));
  if (!prelude.subarray(0, magic.length).equals(magic)) throw new DamagedList('It is not a list.');
  const found = prelude.readUInt32BE(magic.length);
  if (found !== version) {
    throw new DamagedList(`It has version ${found}; this program reads version ${version}.`);
  }
  const length = prelude.readUInt32BE(magic.length + 4);
  if (length > longestHeader || preludeBytes + length > size) {
    throw new DamagedList('Its header is damaged.');
  }
  const header = parseHeader(Buffer.from(readAt(descriptor, preludeBytes, length)).toString());
  if (header === null || header.entries < 0) throw new DamagedList('Its header is damaged.');
  return { header, start: preludeBytes + length };
}

/** Exactly `length` bytes. A file that ends before is damaged. */
function readAt(descriptor: number, position: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let read = 0;
  while (read < length) {
    const more = readSync(descriptor, bytes, read, length - read, position + read);
    if (more === 0) throw new DamagedList('It is cut short.');
    read += more;
  }
  return bytes;
}

import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { endianness } from 'node:os';
import { errnoOf } from '../../lib/errors.ts';

// The header of the shared memory of a write-ahead log (SQLite, "WAL-mode File Format", 2.1), in native byte order.
const headerBytes = 100;
const pageSizeOffset = 14;
const framesOffset = 16;
const movedFramesOffset = 96;

/**
 * The shared memory of each log, once it was looked at, with its inode.
 * It stays open: closing any descriptor of a file ends all POSIX locks of the process on it, those of SQLite too
 * ("How To Corrupt An SQLite Database File", 2.2).
 */
const opened = new Map<string, { readonly descriptor: number; readonly inode: bigint }>();

/** Returns the descriptor of the shared memory of a log. A file that was replaced is opened again. */
function descriptorOf(file: string): number {
  const { ino: inode } = statSync(file, { bigint: true });
  const known = opened.get(file);
  if (known?.inode === inode) return known.descriptor;
  const descriptor = openSync(file, 'r');
  opened.set(file, { descriptor, inode });
  // Nobody has the former file any more.
  if (known !== undefined) closeSync(known.descriptor);
  return descriptor;
}

/**
 * Returns how much of a write-ahead log has not been moved into its database: 0 if no process has it open.
 * A reader holds up what was written after it began to read.
 *
 * @throws Error of the operating system when the file beside the database cannot be read
 */
export function unmovedLogBytes(path: string): number {
  const header = new DataView(new ArrayBuffer(headerBytes));
  try {
    if (readSync(descriptorOf(`${path}-shm`), header, { position: 0 }) < headerBytes) return 0;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return 0;
    throw error;
  }
  const isLittleEndian = endianness() === 'LE';
  const frames = header.getUint32(framesOffset, isLittleEndian);
  const moved = header.getUint32(movedFramesOffset, isLittleEndian);
  const pageSize = header.getUint16(pageSizeOffset, isLittleEndian);
  // 64 KiB do not fit into the field.
  return Math.max(0, frames - moved) * (pageSize === 1 ? 65_536 : pageSize);
}

/** A process that reads a database. */
export interface LogReader {
  readonly pid: number;
  /** Null where the system does not tell. */
  readonly name: string | null;
}

// The locks of readers on the shared memory (SQLite, "WAL-mode File Format", 2.3).
const firstReadLock = 123;
const lastReadLock = 127;

/**
 * Returns the processes that are reading a database at the moment, without this process and its parent.
 * None where the system does not tell: only Linux lists locks, and a container only those of its own processes.
 */
export function readersOf(path: string): LogReader[] {
  try {
    const { ino } = statSync(`${path}-shm`, { bigint: true });
    const own = [process.pid, process.ppid];
    const pids = [...readFileSync('/proc/locks', 'latin1').matchAll(readLock)].flatMap(
      ([, pid, inode, first]) => {
        const isReadLock = Number(first) >= firstReadLock && Number(first) <= lastReadLock;
        return isReadLock && inode === String(ino) && !own.includes(Number(pid))
          ? [Number(pid)]
          : [];
      },
    );
    return [...new Set(pids)].map((pid) => ({ pid, name: processName(pid) }));
  } catch {
    return [];
  }
}

// `1: POSIX  ADVISORY  READ  1234 08:01:5678 124 124`: number, process, device and inode, first and last byte.
const readLock = /^\d+: \S+ +\S+ +READ +(\d+) [\da-f]+:[\da-f]+:(\d+) (\d+) /gm;

function processName(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return null;
  }
}

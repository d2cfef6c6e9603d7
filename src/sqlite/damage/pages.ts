import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';

/** The pages of a database file as committed, the write-ahead log included (SQLite's file format, 1 and 4). */
export interface Pages {
  readonly count: number;
  /** Bytes of a page that hold content. */
  readonly usableBytes: number;
  /** Returns a page by its number, from 1; null beyond the end. */
  read(number: number): DataView | null;
  /** Returns the numbers of unused pages, whose content is outdated. */
  free(): Set<number>;
  close(): void;
}

/** Opens the pages of a database file. */
export function openPages(path: string): Pages {
  const file = openSync(path, 'r');
  const readAt = (offset: number, length: number): DataView | null => {
    const bytes = new Uint8Array(length);
    return readSync(file, bytes, 0, length, offset) === length ? new DataView(bytes.buffer) : null;
  };
  const header = readAt(0, 100);
  const stored = header?.getUint16(16) ?? 4096;
  const pageBytes = stored === 1 ? 65_536 : stored;
  const logged = readLog(`${path}-wal`, pageBytes);
  const read = (number: number) =>
    logged.get(number) ?? readAt((number - 1) * pageBytes, pageBytes);
  const first = read(1);
  return {
    count: Math.max(first?.getUint32(28) ?? 0, ...logged.keys()),
    usableBytes: pageBytes - (first?.getUint8(20) ?? 0),
    read,
    free: () => {
      const free = new Set<number>();
      let trunk = first?.getUint32(32) ?? 0;
      while (trunk !== 0 && !free.has(trunk)) {
        free.add(trunk);
        const page = read(trunk);
        const leaves = Math.min(page?.getUint32(4) ?? 0, pageBytes / 4 - 2);
        for (let leaf = 0; leaf < leaves; leaf++) free.add(page?.getUint32(8 + leaf * 4) ?? 0);
        trunk = page?.getUint32(0) ?? 0;
      }
      return free;
    },
    close: () => closeSync(file),
  };
}

const logHeaderBytes = 32;
const frameHeaderBytes = 24;

/** Returns the newest committed pages of a write-ahead log by their numbers. */
function readLog(path: string, pageBytes: number): Map<number, DataView> {
  const committed = new Map<number, DataView>();
  if (!existsSync(path)) return committed;
  const { buffer, byteOffset, byteLength } = readFileSync(path);
  if (byteLength < logHeaderBytes) return committed;
  const log = new DataView(buffer, byteOffset, byteLength);
  const salt = log.getBigUint64(16);
  let pending = new Map<number, DataView>();
  const frameBytes = frameHeaderBytes + pageBytes;
  for (let at = logHeaderBytes; at + frameBytes <= byteLength; at += frameBytes) {
    // Frames of an earlier use of the file have another salt.
    if (log.getBigUint64(at + 8) !== salt) break;
    const page = new DataView(buffer, byteOffset + at + frameHeaderBytes, pageBytes);
    pending.set(log.getUint32(at), page);
    if (log.getUint32(at + 4) === 0) continue;
    for (const [number, view] of pending) committed.set(number, view);
    pending = new Map();
  }
  return committed;
}

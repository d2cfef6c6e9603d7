import type { Pages } from './pages.ts';

/** A value of a record. */
export type Value = string | number | Uint8Array | null;

/** A row of a table leaf page. The value of an INTEGER PRIMARY KEY is null, because it is the rowid. */
export interface LeafRow {
  readonly rowid: number;
  readonly values: readonly Value[];
}

const tableLeaf = 13;

/**
 * Reads the rows of all table leaf pages, of every table, also of those that no interior page leads to any
 * more (SQLite's file format, 1.6 and 2.1). Skips what is damaged.
 */
export function* leafRows(pages: Pages): Generator<LeafRow> {
  const free = pages.free();
  // The first page has the schema.
  for (let number = 2; number <= pages.count; number++) {
    const page = free.has(number) ? null : pages.read(number);
    if (page === null || page.getUint8(0) !== tableLeaf) continue;
    const cells = page.getUint16(3);
    for (let cell = 0; cell < cells; cell++) {
      const row = orNull(() => readCell(pages, page, page.getUint16(8 + cell * 2)));
      if (row !== null) yield row;
    }
  }
}

function readCell(pages: Pages, page: DataView, start: number): LeafRow {
  const [length, afterLength] = readVarint(page, start);
  const [rowid, at] = readVarint(page, afterLength);
  return { rowid, values: readRecord(readPayload(pages, page, at, length)) };
}

/** Returns the payload of a cell, the part on overflow pages included. */
function readPayload(pages: Pages, page: DataView, at: number, length: number): DataView {
  const { usableBytes } = pages;
  const most = usableBytes - 35;
  const least = Math.floor(((usableBytes - 12) * 32) / 255) - 23;
  const fitting = least + ((length - least) % (usableBytes - 4));
  const local = length <= most ? length : fitting <= most ? fitting : least;
  if (length > usableBytes * pages.count) throw new RangeError('longer than the file');
  const payload = new Uint8Array(length);
  payload.set(bytesOf(page, at, local));
  let next = local < length ? page.getUint32(at + local) : 0;
  for (let filled = local; filled < length; ) {
    const overflow = pages.read(next);
    if (next === 0 || overflow === null) throw new RangeError('an overflow page is missing');
    const part = Math.min(length - filled, usableBytes - 4);
    payload.set(bytesOf(overflow, 4, part), filled);
    filled += part;
    next = overflow.getUint32(0);
  }
  return new DataView(payload.buffer);
}

function readRecord(payload: DataView): Value[] {
  const [headerBytes, firstType] = readVarint(payload, 0);
  const values: Value[] = [];
  let at = headerBytes;
  for (let header = firstType; header < headerBytes; ) {
    const [type, next] = readVarint(payload, header);
    const [value, bytes] = readValue(payload, at, type);
    values.push(value);
    header = next;
    at += bytes;
  }
  return values;
}

const integerBytes = [0, 1, 2, 3, 4, 6, 8];

/** Returns a value by its serial type, and its length. */
function readValue(payload: DataView, at: number, type: number): [Value, bytes: number] {
  if (type === 0) return [null, 0];
  if (type === 8 || type === 9) return [type - 8, 0];
  if (type === 7) return [payload.getFloat64(at), 8];
  const bytes = integerBytes[type];
  if (bytes !== undefined) return [readInteger(payload, at, bytes), bytes];
  const length = (type - (type % 2 === 0 ? 12 : 13)) / 2;
  const content = bytesOf(payload, at, length);
  return [type % 2 === 0 ? content.slice() : text.decode(content), length];
}

const text = new TextDecoder('utf-8', { fatal: true });

/** Reads a signed big-endian integer. */
function readInteger(view: DataView, at: number, bytes: number): number {
  let value = view.getInt8(at);
  for (let byte = 1; byte < bytes; byte++) value = value * 256 + view.getUint8(at + byte);
  return value;
}

/** Returns an unsigned integer of variable length, and the offset behind it. */
function readVarint(view: DataView, start: number): [value: number, next: number] {
  let value = 0;
  for (let at = start; at < start + 8; at++) {
    const byte = view.getUint8(at);
    value = value * 128 + (byte & 127);
    if (byte < 128) return [value, at + 1];
  }
  throw new RangeError('larger than any of our numbers');
}

function bytesOf({ buffer, byteOffset, byteLength }: DataView, at: number, length: number) {
  if (at + length > byteLength) throw new RangeError('beyond the page');
  return new Uint8Array(buffer, byteOffset + at, length);
}

/** Damaged bytes lead beyond a page, or are no text. */
function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return null;
    throw error;
  }
}

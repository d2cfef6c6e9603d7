import { expect, test } from 'bun:test';
import { createZipWriter } from '../../src/lib/zip.ts';

/** Reads the table of contents and the files that it points to (APPNOTE.TXT, 4.3). */
function readZip(bytes: Buffer): Record<string, string> {
  const end = bytes.length - 22;
  expect(bytes.readUInt32LE(end)).toBe(0x06054b50);
  const files: Record<string, string> = {};
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < bytes.readUInt16LE(end + 10); index++) {
    expect(bytes.readUInt32LE(at)).toBe(0x02014b50);
    // Flag 11: names are in UTF-8. Method 0: stored.
    expect([bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)]).toEqual([0x0800, 0]);
    const [crc, size] = [bytes.readUInt32LE(at + 16), bytes.readUInt32LE(at + 20)];
    const nameLength = bytes.readUInt16LE(at + 28);
    const start = bytes.readUInt32LE(at + 42);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    expect(bytes.readUInt32LE(start)).toBe(0x04034b50);
    expect(bytes.toString('utf8', start + 30, start + 30 + nameLength)).toBe(name);
    const data = bytes.subarray(start + 30 + nameLength, start + 30 + nameLength + size);
    expect(Bun.hash.crc32(data)).toBe(crc);
    files[name] = data.toString('utf8');
    at += 46 + nameLength;
  }
  expect(at).toBe(end);
  return files;
}

test('an archive has the files that were added', () => {
  const zip = createZipWriter();
  const add = (path: string, text: string) => zip.add(path, new TextEncoder().encode(text));
  const pieces = [add('Tür 7.svg', '<svg/>'), add('empty', ''), zip.end()];
  expect(readZip(Buffer.concat(pieces))).toEqual({ 'Tür 7.svg': '<svg/>', empty: '' });
});

test('an archive may have no file', () => {
  expect(readZip(Buffer.from(createZipWriter().end()))).toEqual({});
});

test('an archive has at most 65,535 files', () => {
  const zip = createZipWriter();
  const none = new Uint8Array();
  for (let index = 0; index < 65_535; index++) zip.add(String(index), none);
  expect(() => zip.add('one more', none)).toThrow(RangeError);
});

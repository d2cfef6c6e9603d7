/**
 * Creates a writer of ZIP archives (APPNOTE.TXT) without compression, which images have already.
 * It keeps the table of contents only; the caller appends the pieces that it returns to a file.
 */
export function createZipWriter() {
  const contents: Uint8Array[] = [];
  let length = 0;
  let files = 0;

  return {
    /**
     * Adds a file.
     *
     * @param path unique in the archive
     * @throws RangeError when the archive would have more than 65,535 files or 4 GiB
     */
    add: (path: string, data: Uint8Array): Uint8Array => {
      const name = Buffer.from(path, 'utf8');
      if (files >= maxFiles || length + data.length + name.length + 30 > maxBytes)
        throw new RangeError('A ZIP archive holds at most 65,535 files and 4 GiB');
      const entry = fileHeader(name, data);
      const start = Buffer.alloc(4);
      start.writeUInt32LE(localSignature);
      contents.push(centralHeader(entry, name, length));
      files++;
      length += 4 + entry.length + name.length + data.length;
      return Buffer.concat([start, entry, name, data]);
    },

    /** Ends the archive with its table of contents. */
    end: (): Uint8Array => {
      const table = Buffer.concat(contents);
      const end = Buffer.alloc(22);
      end.writeUInt32LE(endSignature);
      end.writeUInt16LE(files, 8);
      end.writeUInt16LE(files, 10);
      end.writeUInt32LE(table.length, 12);
      end.writeUInt32LE(length, 16);
      return Buffer.concat([table, end]);
    },
  };
}

const maxFiles = 0xffff;
// Leaves room for the table of contents: 65,535 entries of 300 bytes.
const maxBytes = 0xffffffff - 20_000_000;

const localSignature = 0x04034b50;
const centralSignature = 0x02014b50;
const endSignature = 0x06054b50;
const version = 20;
const isUtf8 = 0x0800;
// The first day that the format knows. A fixed date makes equal archives equal to the byte.
const firstDay = (1 << 5) | 1;

/** Writes what the header before a file and the one in the table of contents have in common. */
function fileHeader(name: Uint8Array, data: Uint8Array): Buffer {
  const header = Buffer.alloc(26);
  header.writeUInt16LE(version, 0);
  header.writeUInt16LE(isUtf8, 2);
  header.writeUInt16LE(firstDay, 8);
  header.writeUInt32LE(Bun.hash.crc32(data), 10);
  header.writeUInt32LE(data.length, 14);
  header.writeUInt32LE(data.length, 18);
  header.writeUInt16LE(name.length, 22);
  return header;
}

function centralHeader(entry: Uint8Array, name: Uint8Array, offset: number): Uint8Array {
  const start = Buffer.alloc(6);
  const end = Buffer.alloc(14);
  start.writeUInt32LE(centralSignature);
  start.writeUInt16LE(version, 4);
  end.writeUInt32LE(offset, 10);
  return Buffer.concat([start, entry, end, name]);
}

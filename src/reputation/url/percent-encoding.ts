// Strings here hold one byte per character, because an escape may encode any byte, valid UTF-8 or not.

const percentSign = 0x25;

/**
 * Encodes a text in UTF-8.
 * U+0080 to U+009F become the bytes 80 to 9F: these control characters are part of no URL, and the published vectors
 * write raw bytes this way.
 */
export function bytesOf(text: string): string {
  return text.replace(/[^\0-\x9f]+/g, (run) => Buffer.from(run, 'utf8').toString('latin1'));
}

/**
 * Unescapes repeatedly until stable. `%XX` patterns never overlap, so one pass with a stack gives the
 * same result in linear time, however deep the escapes are nested.
 */
export function unescapeFully(bytes: string): string {
  if (!bytes.includes('%')) return bytes;
  const out = new Uint8Array(bytes.length);
  let length = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    out[length++] = bytes.charCodeAt(index);
    // A byte may complete an escape, and the unescaped byte the next one.
    while (length >= 3 && out[length - 3] === percentSign) {
      const high = hexDigit(out[length - 2]);
      const low = hexDigit(out[length - 1]);
      if (high < 0 || low < 0) break;
      length -= 2;
      out[length - 1] = high * 16 + low;
    }
  }
  return Buffer.from(out.buffer, 0, length).toString('latin1');
}

/** Escapes bytes up to 0x20 and from 0x7F, `#` and `%`. */
export function escapeBytes(bytes: string): string {
  return bytes.replace(
    /[\0-\x20\x7f-\xff#%]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/** Returns the value of a hexadecimal digit, or -1. */
function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

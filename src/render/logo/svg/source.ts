import { SvgRefused } from './refusal.ts';

/** Byte order marks, and "<" with the next byte in UTF-16 without one. */
const unicodeStarts = [
  { start: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { start: [0xff, 0xfe], encoding: 'utf-16le' },
  { start: [0xfe, 0xff], encoding: 'utf-16be' },
  { start: [0x3c, 0x00], encoding: 'utf-16le' },
  { start: [0x00, 0x3c], encoding: 'utf-16be' },
] as const;

/** Returns whether a file starts as markup does, in UTF-8, UTF-16 or an extension of ASCII. */
export function isMarkup(bytes: Uint8Array): boolean {
  const encoding = unicodeEncodingOf(bytes) ?? 'latin1';
  return /^\s*</.test(new TextDecoder(encoding).decode(bytes.subarray(0, 512)));
}

/**
 * Decodes an XML file by its byte order mark, its declaration, or as UTF-8.
 *
 * @throws SvgRefused
 */
export function decodeXml(bytes: Uint8Array): string {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const [, declared = 'utf-8'] =
    /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(start) ?? [];
  // A declaration of UTF-16 that can be read byte by byte is wrong.
  const named = /^(utf-?16|ucs-?2)/i.test(declared) ? 'utf-8' : declared;
  const encoding = unicodeEncodingOf(bytes) ?? named;
  try {
    // TypeScript knows fewer labels than the Encoding Standard; others throw.
    return new TextDecoder(encoding as Bun.Encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new SvgRefused('encoding', encoding === 'utf-8' ? '' : encoding);
  }
}

function unicodeEncodingOf(bytes: Uint8Array) {
  return unicodeStarts.find(({ start }) => start.every((byte, at) => bytes[at] === byte))?.encoding;
}

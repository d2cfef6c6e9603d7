import { noMetadata, type RasterMetadata } from './metadata.ts';

/** Flags in the first chunk of an extended WebP (RFC 9649, clause 2.7.1). */
const webpFlags = { alpha: 0x10, icc: 0x20 } as const;

/** Flag in the fifth byte of a lossless picture (clause 3.4). */
const losslessAlpha = 0x10;

/** Reads the chunks of a WebP. Only extended ones have a profile. */
export function readWebp(bytes: Buffer): RasterMetadata {
  const isExtended = bytes.toString('latin1', 12, 16) === 'VP8X';
  // A simple file has no flags, and may have transparency.
  const flags = isExtended ? (bytes[20] ?? 0) : webpFlags.alpha;
  let iccProfile: Uint8Array | null = null;
  let hasAlpha = false;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32LE(at + 4);
    const type = bytes.toString('latin1', at, at + 4);
    if (type === 'ICCP' && (flags & webpFlags.icc) !== 0)
      iccProfile ??= bytes.subarray(at + 8, at + 8 + length);
    hasAlpha ||=
      type === 'ALPH' || (type === 'VP8L' && ((bytes[at + 12] ?? 0) & losslessAlpha) !== 0);
    at += 8 + length + (length % 2);
  }
  const isAmbiguous = hasAlpha && (flags & webpFlags.alpha) === 0;
  return { ...noMetadata, hasAlpha, iccProfile, isAmbiguous };
}

import { crc32 } from 'node:zlib';

/** The eight bytes at the start of every PNG (W3C PNG, third edition, clause 5.2). */
export const pngSignature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** Colour types (clause 11.2.1). */
export const colorTypes = { rgb: 2, palette: 3, rgba: 6 } as const;

/** Row filters (clause 9.2). */
export const filters = { none: 0, sub: 1, up: 2, average: 3, paeth: 4 } as const;

export interface PngHeader {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Bits per sample, or per palette index. */
  readonly depth: 1 | 2 | 4 | 8;
  readonly colorType: (typeof colorTypes)[keyof typeof colorTypes];
}

/** Joins a PNG from its header and the chunks between IHDR and IEND. */
export function pngFile(
  { widthPx, heightPx, depth, colorType }: PngHeader,
  chunks: readonly (readonly [type: string, data: Uint8Array])[],
): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, widthPx);
  view.setUint32(4, heightPx);
  header.set([depth, colorType], 8);
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', header),
    ...chunks.map(([type, data]) => pngChunk(type, data)),
    pngChunk('IEND', new Uint8Array()),
  ]);
}

/** Writes a chunk: length, type, data, checksum (clause 5.3). */
export function pngChunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

/** Predicts a byte as the neighbour nearest to left + up - corner (clause 9.4). */
export function paeth(left: number, up: number, corner: number): number {
  const fromLeft = Math.abs(up - corner);
  const fromUp = Math.abs(left - corner);
  const fromCorner = Math.abs(left + up - 2 * corner);
  if (fromLeft <= fromUp && fromLeft <= fromCorner) return left;
  return fromUp <= fromCorner ? up : corner;
}

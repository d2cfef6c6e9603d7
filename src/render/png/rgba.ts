import { deflateSync, inflateSync } from 'node:zlib';
import { colorTypes, filters, paeth, pngFile } from './file.ts';

/** Decoded picture: red, green, blue and alpha of each pixel, row by row, not premultiplied. */
export interface Pixels {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rgba: Uint8Array;
}

/** Returns the size of a PNG: its first chunk, IHDR, begins with width and height. */
export function pngSize(png: Uint8Array): { widthPx: number; heightPx: number } {
  const header = new DataView(png.buffer, png.byteOffset + 16, 8);
  return { widthPx: header.getUint32(0), heightPx: header.getUint32(4) };
}

/**
 * Decodes an 8-bit RGBA PNG without interlacing, the only kind that Bun.Image and resvg write.
 * Bun.Image itself gives no access to pixels.
 *
 * @throws Error for any other PNG
 */
export function decodeRgbaPng(png: Uint8Array): Pixels {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const { widthPx, heightPx } = pngSize(png);
  if (view.getUint16(24) !== 0x0806 || png[28] !== 0) throw new Error('Not a plain RGBA PNG');
  const data: Uint8Array[] = [];
  for (let offset = 8; offset + 12 <= png.length; ) {
    const length = view.getUint32(offset);
    const isData = view.getUint32(offset + 4) === 0x49444154; // "IDAT"
    if (isData) data.push(png.subarray(offset + 8, offset + 8 + length));
    offset += 12 + length;
  }
  const length = heightPx * (1 + widthPx * 4);
  // One chunk: zlib would collect small ones and join them, at twice the memory.
  const rows = inflateSync(Buffer.concat(data), {
    chunkSize: length + 64,
    maxOutputLength: length + 64,
  });
  if (rows.length !== length) throw new Error('PNG rows have another length');
  return { widthPx, heightPx, rgba: unfilter(rows, widthPx * 4, heightPx) };
}

/** Reverses the row filters and removes the filter bytes. */
function unfilter(rows: Uint8Array, stride: number, heightPx: number): Uint8Array {
  const rgba = new Uint8Array(stride * heightPx);
  for (let y = 0; y < heightPx; y++) {
    const from = y * (stride + 1);
    const filter = rows[from] ?? 0;
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x < 4 ? 0 : (rgba[at - 4] ?? 0);
      const up = rgba[at - stride] ?? 0;
      const corner = x < 4 ? 0 : (rgba[at - stride - 4] ?? 0);
      rgba[at] = (rows[from + 1 + x] ?? 0) + predict(filter, left, up, corner);
    }
  }
  return rgba;
}

/** Predicts a byte from its neighbours. */
function predict(filter: number, left: number, up: number, corner: number): number {
  if (filter === filters.none) return 0;
  if (filter === filters.sub) return left;
  if (filter === filters.up) return up;
  if (filter === filters.average) return (left + up) >> 1;
  return paeth(left, up, corner);
}

/** Encodes pixels as RGBA PNG with little compression: input for Bun.Image. */
export function encodeRgbaPng({ widthPx, heightPx, rgba }: Pixels): Uint8Array {
  const stride = widthPx * 4;
  const rows = new Uint8Array(heightPx * (stride + 1));
  for (let y = 0; y < heightPx; y++) {
    rows.set(rgba.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  }
  const header = { widthPx, heightPx, depth: 8, colorType: colorTypes.rgba } as const;
  return pngFile(header, [['IDAT', deflateSync(rows, { level: 1 })]]);
}

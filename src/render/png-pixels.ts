import { inflateSync } from 'node:zlib';

/** A picture as RGBA, eight bits a channel, alpha not multiplied in. */
export interface Pixels {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rgba: Uint8Array;
}

/** Samples a pixel by colour type (PNG, table 11.1). */
const samplesByType: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * Reads a stored logo in whole numbers alone, so that every machine sees the same pixels. Knows what
 * our own logo writer produces: eight bits a sample, not interlaced.
 *
 * @throws Error for any other PNG
 */
export function readPng(png: Uint8Array): Pixels {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const data: Uint8Array[] = [];
  let palette = new Uint8Array();
  let paletteAlpha = new Uint8Array();
  for (let at = 8; at + 12 <= png.length; ) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...png.subarray(at + 4, at + 8));
    const body = png.slice(at + 8, at + 8 + length);
    if (type === 'IDAT') data.push(body);
    if (type === 'PLTE') palette = body;
    if (type === 'tRNS') paletteAlpha = body;
    at += 12 + length;
  }
  const [widthPx, heightPx] = [view.getUint32(16), view.getUint32(20)];
  const colorType = png[25] ?? -1;
  const samples = samplesByType[colorType];
  if (samples === undefined || png[24] !== 8 || png[28] !== 0) throw new Error('not a stored logo');
  const rows = unfilter(inflateSync(Buffer.concat(data)), widthPx * samples, heightPx, samples);
  const rgba = new Uint8Array(widthPx * heightPx * 4);
  for (let pixel = 0; pixel < widthPx * heightPx; pixel++) {
    const at = pixel * samples;
    const first = rows[at] ?? 0;
    const color = colorType === 3 ? palette.subarray(first * 3, first * 3 + 3) : null;
    const gray = samples <= 2;
    rgba[pixel * 4] = color?.[0] ?? first;
    rgba[pixel * 4 + 1] = color?.[1] ?? (gray ? first : (rows[at + 1] ?? 0));
    rgba[pixel * 4 + 2] = color?.[2] ?? (gray ? first : (rows[at + 2] ?? 0));
    const alpha = samples % 2 === 0 ? rows[at + samples - 1] : paletteAlpha[first];
    rgba[pixel * 4 + 3] = colorType === 3 || samples % 2 === 0 ? (alpha ?? 255) : 255;
  }
  return { widthPx, heightPx, rgba };
}

/** Undoes the filter of each row (PNG, section 9.2). */
function unfilter(filtered: Uint8Array, rowBytes: number, rows: number, samples: number) {
  const out = new Uint8Array(rowBytes * rows);
  for (let row = 0; row < rows; row++) {
    const filter = filtered[row * (rowBytes + 1)] ?? 0;
    const source = row * (rowBytes + 1) + 1;
    const target = row * rowBytes;
    for (let i = 0; i < rowBytes; i++) {
      const left = i >= samples ? (out[target + i - samples] ?? 0) : 0;
      const up = row > 0 ? (out[target + i - rowBytes] ?? 0) : 0;
      const corner = row > 0 && i >= samples ? (out[target + i - rowBytes - samples] ?? 0) : 0;
      out[target + i] = (filtered[source + i] ?? 0) + predicted(filter, left, up, corner);
    }
  }
  return out;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const guess = left + up - corner;
  const [byLeft, byUp, byCorner] = [guess - left, guess - up, guess - corner].map(Math.abs) as [
    number,
    number,
    number,
  ];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

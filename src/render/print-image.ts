import type { PrintImage } from '../core/designs/ports.ts';
import type { Picture } from './path/picture.ts';
import { pngOf } from './path/png.ts';
import { svgOf } from './path/svg.ts';
import { pngChunk } from './png/file.ts';
import { type Matrix, matrixOf } from './symbol/matrix.ts';

/**
 * Draws an image that carries its width in print.
 * Not in the code that draws the images of the API, whose ETags would change with it.
 */
export function printImageOf(
  picture: Picture,
  { format, widthPx, widthMm }: PrintImage,
): Uint8Array {
  if (format === 'png') return withResolution(pngOf(picture, widthPx), (widthPx * 1000) / widthMm);
  const size = ` width="${widthMm}mm" height="${widthMm}mm"`;
  const svg = svgOf(picture).replace(/ width="\d+" height="\d+"/, size);
  return new TextEncoder().encode(svg);
}

/**
 * Encodes a short link for print.
 *
 * @param isCompact in as few modules as possible, at level M where that takes no more of them than L
 */
export function printMatrixOf(shortLink: string, isCompact: boolean): Matrix {
  if (!isCompact) return matrixOf(shortLink);
  const low = matrixOf(shortLink, 'L');
  const medium = matrixOf(shortLink, 'M');
  return medium.side === low.side ? medium : low;
}

/** Returns the side of a short link's symbol in modules, without quiet zone. */
export function symbolSide(shortLink: string, isCompact: boolean): number {
  return printMatrixOf(shortLink, isCompact).side;
}

// The signature and the chunk IHDR.
const headerBytes = 8 + 25;

/** Inserts the chunk pHYs behind the header of a PNG (W3C PNG, third edition, clause 11.3.4.3). */
function withResolution(png: Uint8Array, pixelsPerMetre: number): Uint8Array {
  const data = Buffer.alloc(9);
  data.writeUInt32BE(Math.round(pixelsPerMetre), 0);
  data.writeUInt32BE(Math.round(pixelsPerMetre), 4);
  data.writeUInt8(1, 8); // the unit is the metre
  const header = png.subarray(0, headerBytes);
  const rest = png.subarray(headerBytes);
  return Buffer.concat([header, pngChunk('pHYs', data), rest]);
}

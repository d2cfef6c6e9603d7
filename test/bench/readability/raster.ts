import { Resvg } from '@resvg/resvg-js';
import type { LumaPicture } from './picture.ts';

/** Opaque pixels, RGBA. */
export interface Raster {
  readonly widthPx: number;
  readonly rgba: Uint8Array;
}

/** Rasterises a square SVG. */
export async function rasterOfSvg(svg: string, widthPx: number): Promise<Raster> {
  // The native renderer frees its pixels only when the event loop turns.
  await new Promise((resolve) => setImmediate(resolve));
  const image = new Resvg(svg, {
    fitTo: { mode: 'width', value: widthPx },
    font: { loadSystemFonts: false },
  }).render();
  if (image.width !== widthPx) throw new Error(`asked for ${widthPx} pixels, got ${image.width}`);
  // Every reading of `pixels` copies the whole picture.
  return { widthPx, rgba: image.pixels };
}

/** The pixels of a square PNG. */
export function rasterOfPng(png: Uint8Array): Promise<Raster> {
  const widthPx = new DataView(png.buffer, png.byteOffset).getUint32(16);
  const uri = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
  const image = `<image width="${widthPx}" height="${widthPx}" image-rendering="optimizeSpeed" href="${uri}"/>`;
  return rasterOfSvg(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${widthPx}">${image}</svg>`,
    widthPx,
  );
}

/** BT.601 luma, as decoders compute it. */
export function lumaPicture({ widthPx, rgba }: Raster): LumaPicture {
  const luma = new Uint8Array(widthPx * widthPx);
  for (let pixel = 0; pixel < luma.length; pixel++) {
    const at = pixel * 4;
    luma[pixel] = Math.round(
      0.299 * (rgba[at] ?? 0) + 0.587 * (rgba[at + 1] ?? 0) + 0.114 * (rgba[at + 2] ?? 0),
    );
  }
  return { widthPx, heightPx: widthPx, luma };
}

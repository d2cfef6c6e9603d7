import { Resvg } from '@resvg/resvg-js';
import { type Picture, pixelSvgOf, totalModules } from './svg.ts';

/** A square raster in RGBA. The ground is opaque, so alpha is 255 everywhere. */
export interface Raster {
  readonly widthPx: number;
  readonly rgba: Uint8Array;
}

/**
 * A square PNG exactly `widthPx` wide. Modules lie on whole pixels; what is left over widens the
 * quiet zone on all sides.
 *
 * @throws RangeError when the symbol has more modules than the picture has pixels
 */
export function pngOf(picture: Picture, widthPx: number): Uint8Array {
  return new Uint8Array(
    rendered(picture, pixelGrid(totalModules(picture.layout), widthPx)).asPng(),
  );
}

/** The picture at so many pixels a module, nothing left over. */
export function rasterOf(picture: Picture, pxPerModule: number): Raster {
  const widthPx = totalModules(picture.layout) * pxPerModule;
  const { pixels } = rendered(picture, { widthPx, pxPerModule, leftPx: 0 });
  return { widthPx, rgba: pixels };
}

/** Whole pixels a module, and where the first module begins. */
export function pixelGrid(modules: number, widthPx: number) {
  const pxPerModule = Math.floor(widthPx / modules);
  if (pxPerModule < 1) throw new RangeError(`${widthPx} pixels are too few for ${modules} modules`);
  return { widthPx, pxPerModule, leftPx: (widthPx - modules * pxPerModule) >> 1 };
}

function rendered(picture: Picture, canvas: Parameters<typeof pixelSvgOf>[1]) {
  // System fonts would cost 6 ms a render, and nothing here is text.
  const options = { font: { loadSystemFonts: false } };
  return new Resvg(pixelSvgOf(picture, canvas), options).render();
}

import { Resvg as NativeResvg } from '@resvg/resvg-js';
import { freshResvg } from './resvg-wasm.ts';

/** What becomes of a drawing: a PNG file, or its pixels in RGBA. */
type Form = 'png' | 'pixels';

export type Rasterizer = (svg: string, form: Form) => Uint8Array;

// System fonts would cost 6 ms a render, and nothing here is text.
const options = { font: { loadSystemFonts: false } };

/**
 * The native build. An executable unpacks it into the folder for temporary files, where it cannot be
 * loaded when that folder is full, read-only or mounted `noexec`.
 */
export const native: Rasterizer = (svg, form) => {
  const image = new NativeResvg(svg, options).render();
  return form === 'png' ? new Uint8Array(image.asPng()) : image.pixels;
};

/** The WebAssembly build: the same bytes to the last one, in nearly twice the time. */
export async function makeWasmRasterizer(): Promise<Rasterizer> {
  const Resvg = await freshResvg();
  return (svg, form) => {
    const drawing = new Resvg(svg, options);
    try {
      const image = drawing.render();
      const bytes = form === 'png' ? image.asPng() : image.pixels;
      image.free();
      return bytes;
    } finally {
      drawing.free();
    }
  };
}

let chosen: Rasterizer = native;

/** Draws our own SVG with the rasterizer that {@link chooseRasterizer} found to work. */
export function rasterize(svg: string, form: Form): Uint8Array {
  return chosen(svg, form);
}

/**
 * Sees whether the native build can be loaded, and takes the other one where it cannot. A worker does
 * this once, before it draws anything.
 */
export async function chooseRasterizer(): Promise<void> {
  try {
    native('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>', 'pixels');
  } catch {
    chosen = await makeWasmRasterizer();
  }
}

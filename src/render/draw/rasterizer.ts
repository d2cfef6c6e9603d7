import { Resvg as NativeResvg } from '@resvg/resvg-js';
import { freshResvg } from './resvg-wasm.ts';

/** Draws an SVG and gives its pixels in RGBA, row by row. */
export type Rasterizer = (svg: string) => Uint8Array;

// System fonts would cost 6 ms a render, and nothing here is text.
const options = { font: { loadSystemFonts: false } };

/**
 * The native build. An executable unpacks it into the folder for temporary files, where it cannot be
 * loaded when that folder is full, read-only or mounted `noexec`.
 */
export const native: Rasterizer = (svg) => new NativeResvg(svg, options).render().pixels;

/** The WebAssembly build: the same pixels to the last one, in nearly twice the time. */
export async function createWasmRasterizer(): Promise<Rasterizer> {
  const Resvg = await freshResvg();
  return (svg) => {
    const drawing = new Resvg(svg, options);
    try {
      const image = drawing.render();
      const { pixels } = image;
      image.free();
      return pixels;
    } finally {
      drawing.free();
    }
  };
}

let chosen: Rasterizer = native;

/** Draws our own SVG with the rasterizer that {@link chooseRasterizer} found to work. */
export function rasterize(svg: string): Uint8Array {
  return chosen(svg);
}

/**
 * Sees whether the native build can be loaded, and takes the other one where it cannot. A worker does
 * this once, before it draws anything.
 */
export async function chooseRasterizer(): Promise<void> {
  try {
    native('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>');
  } catch {
    chosen = await createWasmRasterizer();
  }
}

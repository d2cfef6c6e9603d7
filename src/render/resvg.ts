import { initWasm, Resvg } from '@resvg/resvg-wasm';
import wasmPath from '@resvg/resvg-wasm/index_bg.wasm' with { type: 'file' };
import { readEmbedded } from '../lib/build/embedded.ts';
import { memoize } from '../lib/memoize.ts';
import { decodeRgbaPng, type Pixels } from './png/rgba.ts';

// The WebAssembly can be loaded once per thread.
const loadResvg = memoize(async () => initWasm(await readEmbedded(wasmPath)));

const noFonts = { font: { loadSystemFonts: false } } as const;

/**
 * Draws an SVG at a longer side of `sidePx` with the WebAssembly build of resvg.
 * It has no file system, no network and no fonts.
 *
 * @throws an error of resvg when the SVG cannot be drawn
 */
export async function drawWithResvg(svg: string, sidePx: number): Promise<Pixels> {
  await loadResvg();
  const parsed = new Resvg(svg, noFonts);
  const mode = parsed.width >= parsed.height ? 'width' : 'height';
  const drawing = new Resvg(svg, { ...noFonts, fitTo: { mode, value: sidePx } });
  const image = drawing.render();
  const png = image.asPng();
  // The garbage collector does not see the memory of WebAssembly.
  for (const used of [parsed, drawing, image]) used.free();
  return decodeRgbaPng(png);
}

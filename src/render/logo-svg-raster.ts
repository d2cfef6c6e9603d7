import { initWasm, Resvg } from '@resvg/resvg-wasm';
import wasmPath from '@resvg/resvg-wasm/index_bg.wasm' with { type: 'file' };
import { LogoRefused } from '../core/ports.ts';
import type { Pixels } from './logo-pixels.ts';

/** Milliseconds since some fixed instant. */
type Monotonic = () => number;

/**
 * Longer sides in pixels at which a drawing is tried, and the longest time that each may take. Twice
 * the side is at most four times the time, so that none of them lasts much longer than a second, and
 * all together less than the two seconds that an upload may take. Real logos take 10 ms in all.
 */
const trials = [
  { sidePx: 16, maxMs: 60 },
  { sidePx: 32, maxMs: 70 },
  { sidePx: 64, maxMs: 80 },
  { sidePx: 128, maxMs: 120 },
  { sidePx: 256, maxMs: 240 },
] as const;

let ready: Promise<void> | undefined;

/**
 * Paints an SVG that was rebuilt from allowed parts. The wasm build of resvg has no file system at all;
 * the native one reads whatever local file an SVG names.
 *
 * @param svgAt the document for a longer side in pixels
 * @param longerSidePx of the result
 * @throws LogoRefused when it takes too long or cannot be painted
 */
export async function paintSvg(
  svgAt: (longerSidePx: number) => string,
  longerSidePx: number,
  nowMs: Monotonic = () => performance.now(),
): Promise<Pixels> {
  ready ??= load();
  await ready;
  for (const { sidePx, maxMs } of trials) {
    const svg = svgAt(sidePx);
    const isSlow = () => {
      const startMs = nowMs();
      paint(svg);
      return nowMs() - startMs > maxMs;
    };
    // The second attempt is for machines that were busy with something else.
    if (isSlow() && isSlow()) {
      throw new LogoRefused(
        'This SVG takes too long to paint: it is too complex for a logo. Simplify it (fewer blurs, masks and paths), or export it as PNG.',
      );
    }
  }
  return paint(svgAt(longerSidePx));
}

/** Loads the module, and runs it once so that no trial pays for its translation. */
async function load(): Promise<void> {
  await initWasm(await Bun.file(wasmPath).arrayBuffer());
  const shape = '<path d="M1 1C2 9 9 2 7 7z" stroke="red" opacity=".5"/>';
  paint(`<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16">${shape}</svg>`);
}

function paint(svg: string): Pixels {
  try {
    const drawing = new Resvg(svg, { font: { loadSystemFonts: false } });
    try {
      const image = drawing.render();
      const pixels = { widthPx: image.width, heightPx: image.height, rgba: image.pixels };
      image.free();
      return pixels;
    } finally {
      drawing.free();
    }
  } catch (error) {
    throw new LogoRefused(
      `This SVG cannot be painted (${String(error).slice(0, 120)}). Export it again, or as PNG.`,
    );
  }
}

import { InvalidLogo } from '../../core/ports.ts';
import { freshResvg } from '../draw/resvg-wasm.ts';
import type { Pixels } from './pixels.ts';

/** Milliseconds of computing that this thread has done. */
type Spent = () => number;

/**
 * Longer sides in pixels at which a drawing is tried, and the computing time that each may take. Twice
 * the side is at most four times the time, so that the last step takes 0.8 s at most. Most logos take
 * 10 ms in all. Time on the wall would refuse good drawings on a machine that is busy otherwise.
 */
const trials = [
  { sidePx: 16, maxMs: 60 },
  { sidePx: 32, maxMs: 70 },
  { sidePx: 64, maxMs: 80 },
  { sidePx: 128, maxMs: 120 },
  { sidePx: 256, maxMs: 200 },
] as const;

/** All trials together: with the last step 1.3 s, of the two that an upload may take. */
const maxTrialsMs = 500;

/**
 * Paints an SVG that was rebuilt from allowed parts. The wasm build of resvg has no file system at all;
 * the native one reads whatever local file an SVG names.
 *
 * @param svgAt the document for a longer side in pixels
 * @param longerSidePx of the result
 * @throws InvalidLogo when it takes too long or cannot be painted
 */
export async function paintSvg(
  svgAt: (longerSidePx: number) => string,
  longerSidePx: number,
  spentMs: Spent = spentByThread,
): Promise<Pixels> {
  const paint = await freshRasterizer();
  const beginMs = spentMs();
  for (const { sidePx, maxMs } of trials) {
    const svg = svgAt(sidePx);
    const isSlow = () => {
      const startMs = spentMs();
      paint(svg);
      return spentMs() - startMs > maxMs;
    };
    // The second attempt is for a process that has just begun: WebAssembly is interpreted at first.
    if ((isSlow() && isSlow()) || spentMs() - beginMs > maxTrialsMs) throw tooSlow();
  }
  return unmultiplied(paint(svgAt(longerSidePx)));
}

/** The rasterizer gives colours multiplied by their alpha, in place of which this puts the colours themselves. */
function unmultiplied(pixels: Pixels): Pixels {
  const { rgba } = pixels;
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3] ?? 0;
    if (alpha === 0 || alpha === 255) continue;
    for (let channel = at; channel < at + 3; channel++)
      rgba[channel] = Math.min(255, Math.round(((rgba[channel] ?? 0) * 255) / alpha));
  }
  return pixels;
}

function tooSlow(): InvalidLogo {
  return new InvalidLogo(
    'This SVG takes too long to paint: it is too complex for a logo. Simplify it (fewer blurs, masks and paths), or export it as PNG.',
  );
}

function spentByThread(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Gives colours multiplied by their alpha. */
type Paint = (svg: string) => Pixels;

/** A rasterizer for one drawing: what panics over it, or fills its memory, meets no other. */
async function freshRasterizer(): Promise<Paint> {
  const Resvg = await freshResvg();
  const paint = (svg: string): Pixels => {
    const drawing = new Resvg(svg, { font: { loadSystemFonts: false } });
    const image = drawing.render();
    const pixels = { widthPx: image.width, heightPx: image.height, rgba: image.pixels };
    image.free();
    drawing.free();
    return pixels;
  };
  // Once for nothing, so that no trial pays for translating the code.
  paint(warmUp);
  return (svg) => {
    try {
      return paint(svg);
    } catch (error) {
      throw new InvalidLogo(
        `This SVG cannot be painted (${String(error).slice(0, 120)}). Export it again, or as PNG.`,
      );
    }
  };
}

const warmUp = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16">
  <path d="M1 1C2 9 9 2 7 7z" stroke="red" opacity=".5"/></svg>`;

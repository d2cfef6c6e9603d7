import type { Pixels } from '../png/rgba.ts';
import { drawWithResvg } from '../resvg.ts';
import { applyStyles } from './svg/css/style.ts';
import { keepDrawn } from './svg/drawn.ts';
import { checkFilters } from './svg/filters.ts';
import { embedImages } from './svg/images.ts';
import { SvgRefused, svgRefused } from './svg/refusal.ts';
import { rewriteUndrawn } from './svg/rewrite.ts';
import { decodeXml } from './svg/source.ts';
import { parseSvg, serializeSvg } from './svg/tree.ts';

/**
 * The rasterizer rounds tiles of patterns to whole pixels.
 * In a larger picture they are closer to their places.
 */
const patternScale = 4;

/**
 * Draws an SVG at a longer side of at least `sidePx` as a browser shows it.
 * Otherwise rejects it with the reason. The rasterizer leaves out or blackens what it cannot read, so that it is given
 * only what it can. Time and memory are bounded in worker/file-process.ts.
 *
 * @throws Refused
 */
export async function drawSvg(bytes: Uint8Array, sidePx: number): Promise<Pixels> {
  try {
    const svg = await prepareSvg(bytes);
    // Filters would take sixteen times as long.
    const isLarge = svg.includes('<pattern ') && !svg.includes('<filter ');
    return await draw(svg, isLarge ? patternScale * sidePx : sidePx);
  } catch (error) {
    if (!(error instanceof SvgRefused)) throw error;
    throw svgRefused(error, new TextDecoder('latin1').decode(bytes).replaceAll('\0', ''));
  }
}

async function draw(svg: string, sidePx: number): Promise<Pixels> {
  try {
    return await drawWithResvg(svg, sidePx);
  } catch {
    throw new SvgRefused('undrawable');
  }
}

/**
 * Returns an SVG that the rasterizer draws as browsers draw the file.
 *
 * @throws SvgRefused
 */
async function prepareSvg(bytes: Uint8Array, depth = 0): Promise<string> {
  const root = parseSvg(decodeXml(bytes));
  applyStyles(root);
  keepDrawn(root);
  checkFilters(root);
  await embedImages(root, depth, prepareSvg);
  rewriteUndrawn(root);
  return serializeSvg(root);
}

import type { Design } from '../../../src/core/designs/design.ts';
import type { Renderer } from '../../../src/core/ports.ts';
import { type Judge, says } from './judges.ts';
import { lumaPicture, type Raster, rasterOfPng, rasterOfSvg } from './raster.ts';

/** One picture as the product serves it, without any camera. */
export interface CleanReading {
  /** `png256` or `svg`, for example. */
  readonly picture: string;
  readonly readBy: readonly string[];
  readonly unreadBy: readonly string[];
}

/** Widths in pixels. */
const pngWidths = [256, 512, 1024];

/** Pixels a module at which the SVG is rasterized: not whole, so that edges blur. */
const svgPxPerModule = 6.37;

export async function cleanReadings(
  subject: { link: string; design: Design; svg: string; modulesAcross: number },
  renderer: Renderer,
  judges: readonly Judge[],
): Promise<CleanReading[]> {
  const { link, design, svg, modulesAcross } = subject;
  const svgRaster = await rasterOfSvg(svg, Math.round(modulesAcross * svgPxPerModule));
  const readings = [await readingOf('svg', svgRaster, link, judges)];
  for (const width of pngWidths) {
    const raster = await rasterOfPng(await renderer.png(link, design, width));
    readings.push(await readingOf(`png${width}`, raster, link, judges));
  }
  return readings;
}

async function readingOf(
  picture: string,
  raster: Raster,
  link: string,
  judges: readonly Judge[],
): Promise<CleanReading> {
  const luma = lumaPicture(raster);
  const [readBy, unreadBy]: [string[], string[]] = [[], []];
  for (const judge of judges) {
    const list = says(await judge.read(luma), link) ? readBy : unreadBy;
    list.push(judge.name);
  }
  return { picture, readBy, unreadBy };
}

/** Whether zxing-cpp, ZBar and at least one of the others read every picture. */
export function readByThree(readings: readonly CleanReading[]): boolean {
  return readings.every(
    ({ readBy }) => readBy.includes('zxing') && readBy.includes('zbar') && readBy.length >= 3,
  );
}

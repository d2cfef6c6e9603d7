import type { Design } from '../../../src/core/designs/design.ts';
import type { Renderer } from '../../../src/core/designs/ports.ts';
import { type Judge, says } from './judges.ts';
import { lumaPicture, type Raster, rasterOfPng, rasterOfSvg } from './raster.ts';

/** Which judges read one picture as the product serves it, without any camera. */
export interface CleanReading {
  /** `png256` or `svg`, for example. */
  readonly picture: string;
  readonly readBy: readonly string[];
  readonly unreadBy: readonly string[];
}

const pngWidthsPx = [256, 512, 1024];

/** Pixels a module at which the SVG is rasterized: not whole, so that edges blur. */
const svgPxPerModule = 6.37;

export async function cleanReadings(
  subject: { link: string; design: Design; svg: string; modulesAcross: number },
  renderer: Renderer,
  judges: readonly Judge[],
): Promise<CleanReading[]> {
  const { link, design, svg, modulesAcross } = subject;
  const svgPx = Math.round(modulesAcross * svgPxPerModule);
  const rasters: [string, Raster][] = [['svg', await rasterOfSvg(svg, svgPx)]];
  for (const widthPx of pngWidthsPx) {
    const png = await renderer.png(link, design, widthPx);
    rasters.push([`png${widthPx}`, await rasterOfPng(png)]);
  }
  const readings: CleanReading[] = [];
  for (const [picture, raster] of rasters) {
    const luma = lumaPicture(raster);
    const [readBy, unreadBy]: [string[], string[]] = [[], []];
    for (const judge of judges) {
      const list = says(await judge.read(luma), link) ? readBy : unreadBy;
      list.push(judge.name);
    }
    readings.push({ picture, readBy, unreadBy });
  }
  return readings;
}

/** Returns whether zxing-cpp, ZBar and at least one other judge read every picture. */
export function isReadByThree(readings: readonly CleanReading[]): boolean {
  return readings.every(
    ({ readBy }) => readBy.includes('zxing') && readBy.includes('zbar') && readBy.length >= 3,
  );
}

/** Returns `judge picture` for each picture that a judge did not read. */
export function unreadNames(readings: readonly CleanReading[]): string[] {
  return readings.flatMap(({ picture, unreadBy }) =>
    unreadBy.map((judge) => `${judge} ${picture}`),
  );
}

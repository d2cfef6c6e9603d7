import type { Judge } from './judges.ts';
import type { LumaPicture } from './picture.ts';
import { lumaPicture, type Raster, rasterOfSvg } from './raster.ts';

/** Pixels a module from close up: a logo of 5 % of the symbol, a code itself, has three a module of its own. */
const nearPxPerModule = 48;

/** Of the width: the largest logo takes 30 % of the symbol, and may be drawn a little off the middle. */
const nearShare = 0.4;

/** Whether two judges see another code, a logo's, in the clean print or from close up: phones may open that one. */
export async function isMisleading(
  subject: { link: string; svg: string; modulesAcross: number; print: Raster },
  judges: readonly Judge[],
): Promise<boolean> {
  const { link, svg, modulesAcross, print } = subject;
  const near = lumaPicture(await rasterOfSvg(svg, modulesAcross * nearPxPerModule));
  const pictures = [lumaPicture(print), middleOf(near, nearShare)];
  for (const picture of pictures) {
    let misled = 0;
    for (const judge of judges) {
      const texts = await judge.read(picture);
      if (texts.some((text) => text !== link)) misled++;
    }
    if (misled >= 2) return true;
  }
  return false;
}

/** @param share of width and height, from 0 to 1 */
export function middleOf({ luma, widthPx, heightPx }: LumaPicture, share: number): LumaPicture {
  const [width, height] = [Math.round(widthPx * share), Math.round(heightPx * share)];
  const [left, top] = [(widthPx - width) >> 1, (heightPx - height) >> 1];
  const middle = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const from = (top + y) * widthPx + left;
    middle.set(luma.subarray(from, from + width), y * width);
  }
  return { widthPx: width, heightPx: height, luma: middle };
}

import type { Judge } from './judges.ts';
import type { LumaPicture } from './picture.ts';
import { lumaPicture, type Raster, rasterOfSvg } from './raster.ts';

/** Pixels a module from close up, where a code in a logo of 5 % of the symbol has three a module. */
const nearPxPerModule = 48;

/** Share of the width that contains the logo. */
const nearShare = 0.4;

/** Returns whether two judges read another code, a logo's, in the clean print or from close up. */
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

/** Crops the middle of a picture to a share of its width and height. */
function middleOf({ luma, widthPx, heightPx }: LumaPicture, share: number): LumaPicture {
  const [width, height] = [Math.round(widthPx * share), Math.round(heightPx * share)];
  const [left, top] = [(widthPx - width) >> 1, (heightPx - height) >> 1];
  const middle = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const from = (top + y) * widthPx + left;
    middle.set(luma.subarray(from, from + width), y * width);
  }
  return { widthPx: width, heightPx: height, luma: middle };
}

import { errorMessage } from '../../lib/errors.ts';
import type { QrImageSource } from '../codes/qr.ts';
import { imageWidthPxRange } from '../codes/qrs.ts';
import type { DesignStore, Renderer } from '../ports.ts';
import { withLogoPlacement } from './design.ts';

/** A code whose image failed the check. */
export interface ImageMismatch {
  readonly code: string;
  /**
   * `image_changed`: the SVG or the PNG differs from the one at creation. `unreadable`: the SVG is the
   * same, but decoding fails. `not_rendered`: rendering failed.
   */
  readonly problem: 'image_changed' | 'unreadable' | 'not_rendered';
  readonly message: string;
}

/** Numbers of compared codes. */
export interface Comparison {
  readonly checked: number;
  /** Codes without a hash of their PNG. */
  readonly svgOnly: number;
}

/**
 * Draws images again, decodes them and compares the hashes of SVG and PNG with the stored ones.
 *
 * @param images read lazily: at most `concurrency` are in memory
 * @param deps.concurrency images drawn at the same time, as many as the renderer has workers
 * @returns the number of codes that were checked, and of those of which only the SVG could be compared
 */
export async function findImageMismatches(
  images: AsyncIterable<QrImageSource>,
  deps: { designs: Pick<DesignStore, 'find'>; renderer: Renderer; concurrency: number },
  onMismatch: (mismatch: ImageMismatch) => void,
): Promise<Comparison> {
  const { designs, renderer, concurrency } = deps;
  const remaining = images[Symbol.asyncIterator]();
  let [checked, svgOnly] = [0, 0];
  const work = async () => {
    for (let next = await remaining.next(); !next.done; next = await remaining.next()) {
      const mismatch = await mismatchOf(next.value, designs, renderer);
      checked++;
      if (next.value.pngHash === null) svgOnly++;
      if (mismatch !== null) onMismatch(mismatch);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return { checked, svgOnly };
}

async function mismatchOf(
  { code, shortLink, designId, logoPlacement, imageHash, pngHash }: QrImageSource,
  designs: Pick<DesignStore, 'find'>,
  renderer: Renderer,
): Promise<ImageMismatch | null> {
  try {
    const design = withLogoPlacement(await designs.find(designId), logoPlacement);
    const widthPx = pngHash === null ? null : imageWidthPxRange.default;
    const drawn = await renderer.checkImages(shortLink, design, widthPx);
    const isSvgEqual = drawn.svgHash.toHex() === imageHash.toHex();
    const isPngEqual = drawn.png?.hash.toHex() === pngHash?.toHex();
    if (isSvgEqual && !drawn.isReadable)
      return {
        code,
        problem: 'unreadable',
        message: `cannot be decoded. ${drawn.reasons.join(' ')}`,
      };
    if (isSvgEqual && isPngEqual) return null;
    const changed = isSvgEqual
      ? 'PNG differs'
      : isPngEqual
        ? 'SVG differs'
        : 'SVG and the PNG differ';
    return { code, problem: 'image_changed', message: `the ${changed} from what was created` };
  } catch (error) {
    const message = `cannot be rendered: ${errorMessage(error)}`;
    return { code, problem: 'not_rendered', message };
  }
}

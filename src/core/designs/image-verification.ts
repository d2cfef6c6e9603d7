import { errorMessage } from '../../lib/errors.ts';
import type { QrImageSource } from '../codes/qr.ts';
import type { DesignStore, Renderer } from '../ports.ts';
import { withLogoPlacement } from './design.ts';

/** A code whose image failed the check. */
export interface ImageMismatch {
  readonly code: string;
  /**
   * `image_changed`: the SVG differs from the one at creation. `unreadable`: the SVG is the same, but
   * decoding fails. `not_rendered`: rendering failed.
   */
  readonly problem: 'image_changed' | 'unreadable' | 'not_rendered';
  readonly message: string;
}

/**
 * Draws images again, decodes them and compares their hash with the stored one.
 *
 * @param images read lazily: at most `concurrency` are in memory
 * @param deps.concurrency images drawn at the same time, as many as the renderer has workers
 * @returns the number of images that were checked
 */
export async function findImageMismatches(
  images: AsyncIterable<QrImageSource>,
  deps: { designs: Pick<DesignStore, 'find'>; renderer: Renderer; concurrency: number },
  onMismatch: (mismatch: ImageMismatch) => void,
): Promise<number> {
  const { designs, renderer, concurrency } = deps;
  const remaining = images[Symbol.asyncIterator]();
  let checked = 0;
  const work = async () => {
    for (let next = await remaining.next(); !next.done; next = await remaining.next()) {
      const mismatch = await mismatchOf(next.value, designs, renderer);
      checked++;
      if (mismatch !== null) onMismatch(mismatch);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return checked;
}

async function mismatchOf(
  { code, shortLink, designId, logoPlacement, imageHash }: QrImageSource,
  designs: Pick<DesignStore, 'find'>,
  renderer: Renderer,
): Promise<ImageMismatch | null> {
  try {
    const design = withLogoPlacement(await designs.find(designId), logoPlacement);
    const { isReadable, reasons, svgHash } = await renderer.checkReadability(shortLink, design);
    if (svgHash.toHex() !== imageHash.toHex()) {
      const message = 'the image differs from the one at creation';
      return { code, problem: 'image_changed', message };
    }
    if (isReadable) return null;
    return { code, problem: 'unreadable', message: `cannot be decoded. ${reasons.join(' ')}` };
  } catch (error) {
    const message = `cannot be rendered: ${errorMessage(error)}`;
    return { code, problem: 'not_rendered', message };
  }
}

import { errorMessage } from '../../lib/errors.ts';
import { forEachConcurrently } from '../../lib/event-loop.ts';
import { withLogoPlacement } from '../designs/design.ts';
import type { DesignStore, Renderer } from '../designs/ports.ts';
import type { ReadabilityReason } from '../designs/readability.ts';
import { hashSamplePng } from '../designs/sample-png.ts';
import type { QrImageSource } from './qr.ts';

/**
 * A code whose image failed the check.
 * `image_changed`: the SVG differs from the one at creation, or PNGs in the design are drawn differently. `unreadable`:
 * the SVG is the same, but decoding fails. `not_rendered`: rendering failed.
 */
export type ImageMismatch = { readonly code: string } & (
  | { readonly problem: 'image_changed'; readonly changed: 'SVG' | 'PNG' | 'both' }
  | { readonly problem: 'unreadable'; readonly reasons: readonly ReadabilityReason[] }
  | { readonly problem: 'not_rendered'; readonly cause: string }
);

/** Numbers of compared codes. */
export interface Comparison {
  readonly checked: number;
  /** Codes whose design has no hash of a PNG. */
  readonly svgOnly: number;
}

/**
 * Draws images again, decodes them and compares their hashes with the stored ones.
 * Hashes are of the SVGs, and of a sample PNG of each design.
 *
 * @param images read lazily: at most `concurrency` are in memory
 * @param deps.concurrency images drawn at the same time, as many as the renderer has workers
 * @returns the number of codes that were checked, and of those of which only the SVG could be compared
 */
export async function findImageMismatches(
  images: AsyncIterable<QrImageSource>,
  deps: {
    designs: Pick<DesignStore, 'find' | 'pngHash'>;
    renderer: Renderer;
    concurrency: number;
  },
  onMismatch: (mismatch: ImageMismatch) => void,
): Promise<Comparison> {
  const { designs, renderer, concurrency } = deps;
  let checked = 0;
  let svgOnly = 0;

  const samples = new Map<number, Promise<'same' | 'changed' | 'unknown'>>();
  const compareSample = async (designId: number) => {
    const stored = await designs.pngHash(designId);
    if (stored === null) return 'unknown';
    const drawn = await hashSamplePng(renderer, await designs.find(designId));
    return drawn.toHex() === stored.toHex() ? 'same' : 'changed';
  };
  const sampleOf = (designId: number) => {
    const known = samples.get(designId) ?? compareSample(designId);
    samples.set(designId, known);
    return known;
  };

  const mismatchOf = async (image: QrImageSource): Promise<ImageMismatch | null> => {
    const { code, shortLink, designId, logoPlacement, imageHash } = image;
    try {
      const design = withLogoPlacement(await designs.find(designId), logoPlacement);
      const drawn = await renderer.checkImage(shortLink, design);
      const isSvgEqual = drawn.svgHash.toHex() === imageHash.toHex();
      if (isSvgEqual && !drawn.isReadable)
        return { code, problem: 'unreadable', reasons: drawn.reasons };
      const sample = await sampleOf(designId);
      if (sample === 'unknown') svgOnly++;
      const isPngEqual = sample !== 'changed';
      if (isSvgEqual && isPngEqual) return null;
      const changed = isSvgEqual ? 'PNG' : isPngEqual ? 'SVG' : 'both';
      return { code, problem: 'image_changed', changed };
    } catch (error) {
      return { code, problem: 'not_rendered', cause: errorMessage(error) };
    }
  };

  await forEachConcurrently(images, concurrency, async (image) => {
    const mismatch = await mismatchOf(image);
    checked++;
    if (mismatch !== null) onMismatch(mismatch);
  });
  return { checked, svgOnly };
}

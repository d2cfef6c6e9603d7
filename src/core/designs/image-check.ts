import { errorMessage } from '../../lib/errors.ts';
import type { DesignStore, Renderer } from '../ports.ts';
import { type LogoPlacement, withLogoPlacement } from './design.ts';

/** A stored code and what its image was at creation. */
export interface StoredImage {
  readonly code: string;
  readonly shortLink: string;
  readonly designId: number;
  readonly logoPlacement: LogoPlacement | null;
  /** SHA-256 of the SVG. */
  readonly imageHash: Uint8Array;
}

/** How a code differs from the one that was printed. */
export interface ImageMismatch {
  readonly code: string;
  /**
   * `image_changed`: another SVG than at creation. `unreadable`: the same one, but it cannot be read
   * back. `not_rendered`: nothing could be drawn.
   */
  readonly problem: 'image_changed' | 'unreadable' | 'not_rendered';
  readonly message: string;
}

/** What is drawn with. */
interface Tools {
  readonly designs: Pick<DesignStore, 'find'>;
  readonly renderer: Pick<Renderer, 'checkReadability'>;
  /** Codes that are drawn at the same time; as many as the renderer has workers. */
  readonly concurrency: number;
}

/**
 * Draws codes again, reads them back, and holds them against what was printed.
 *
 * @param onDrift told of each that differs
 * @returns how many were looked at; never more than `concurrency` of them are in memory
 */
export async function findImageMismatches(
  printed: Iterable<StoredImage>,
  { designs, renderer, concurrency }: Tools,
  onDrift: (drift: ImageMismatch) => void,
): Promise<number> {
  const remaining = printed[Symbol.iterator]();
  let looked = 0;
  const work = async () => {
    for (let next = remaining.next(); !next.done; next = remaining.next()) {
      const drift = await driftOf(next.value, designs, renderer);
      looked++;
      if (drift !== null) onDrift(drift);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return looked;
}

/** Null when a code is still what was printed: the same SVG to the byte, and readable. */
async function driftOf(
  { code, shortLink, designId, logoPlacement, imageHash }: StoredImage,
  designs: Tools['designs'],
  renderer: Tools['renderer'],
): Promise<ImageMismatch | null> {
  try {
    const { isReadable, reasons, svgHash } = await renderer.checkReadability(
      shortLink,
      withLogoPlacement(await designs.find(designId), logoPlacement),
    );
    if (!isSame(svgHash, imageHash)) {
      const message = 'the image differs from the one at creation';
      return { code, problem: 'image_changed', message };
    }
    if (isReadable) return null;
    return { code, problem: 'unreadable', message: `cannot be read back. ${reasons.join(' ')}` };
  } catch (error) {
    const reason = errorMessage(error);
    return { code, problem: 'not_rendered', message: `cannot be drawn: ${reason}` };
  }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

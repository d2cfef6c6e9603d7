import { InvalidLogo } from '../../core/ports.ts';

/** Longer side of a stored logo: 20 mm at 600 dpi, more than a logo in a printed code can show. */
export const maxStoredSidePx = 512;

/** Below this a logo is a dot; what is sent so small is a tracking pixel or a mistake. */
const minSidePx = 8;

/** Longest side of a picture that is decoded. */
const maxSidePx = 8_192;

/** 4,096 × 4,096: 64 MiB once decoded, which leaves room below 300 MB for all that follows. */
export const maxAreaPx = 4_096 * 4_096;

/** A longer strip would be thinner than a module of the symbol. */
const maxAspectRatio = 20;

/**
 * Judges the size that a picture's header states, before anything is decoded.
 *
 * @throws InvalidLogo
 */
export function checkSize(widthPx: number, heightPx: number): void {
  const size = `${thousands(widthPx)} × ${thousands(heightPx)} pixels`;
  if (Math.min(widthPx, heightPx) < minSidePx) {
    throw new InvalidLogo(
      `The logo is ${size}, too small to be seen. Upload one of at least ${minSidePx} pixels a side; 256 or more look good.`,
    );
  }
  if (Math.max(widthPx, heightPx) > maxSidePx || widthPx * heightPx > maxAreaPx) {
    throw new InvalidLogo(
      `The logo is ${size}, which is too large. Reduce it to at most 4,096 × 4,096; 512 are enough.`,
    );
  }
  checkShape(widthPx, heightPx);
}

/**
 * Judges the proportions of a logo, in any unit.
 *
 * @throws InvalidLogo
 */
export function checkShape(width: number, height: number): void {
  if (Math.max(width, height) > maxAspectRatio * Math.min(width, height)) {
    throw new InvalidLogo(
      `The logo is more than ${maxAspectRatio} times as long as it is wide. Crop it to a more compact shape.`,
    );
  }
}

/** A number with a comma between thousands, as it is written in messages. */
export function thousands(value: number): string {
  return value.toLocaleString('en-US');
}

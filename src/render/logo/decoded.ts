import type { Logo } from '../../core/designs/design.ts';
import { createCache } from '../../lib/cache.ts';
import { decodeRgbaPng, type Pixels } from '../png/rgba.ts';
import { type Premultiplied, premultiply, scale } from './resample.ts';

/** Digests by byte array, since stored logos are immutable. */
const digests = new WeakMap<Uint8Array, string>();

/** Returns the SHA-256 of a logo's PNG, the key of all caches by logo. */
export function logoDigest({ png }: Logo): string {
  return digests.getOrInsertComputed(png, () => Bun.CryptoHasher.hash('sha256', png, 'hex'));
}

/** A logo in the forms that drawing needs. */
interface DecodedLogo {
  /** Distance from the center to the far corner of the farthest visible pixel, in pixels of the logo. */
  readonly visibleRadiusPx: number;
  /** The logo, and versions reduced by powers of two, added on demand. */
  readonly levels: [original: Premultiplied, ...reduced: Premultiplied[]];
}

/** An account uses one logo for thousands of codes. */
const decoded = createCache<string, DecodedLogo>(16);

/** Decodes a logo, with a cache. */
export function decodeLogo(logo: Logo): DecodedLogo {
  return decoded.getOrInsertComputed(logoDigest(logo), () => {
    const pixels = decodeRgbaPng(logo.png);
    return {
      visibleRadiusPx: visibleRadiusOf(pixels),
      levels: [scale(premultiply(pixels), 1)],
    };
  });
}

/** Returns a logo reduced by a power of two, so that filtering it to `longerPx` stays cheap. */
export function reducedLogo(logo: Logo, longerPx: number): Premultiplied {
  const { levels } = decodeLogo(logo);
  const [original] = levels;
  const longer = Math.max(original.widthPx, original.heightPx);
  const level = Math.max(0, Math.floor(Math.log2(longer / (2 * longerPx))));
  const reduced = levels[level] ?? scale(original, 1 / 2 ** level);
  levels[level] = reduced;
  return reduced;
}

/** Alpha (of 255) below which a pixel of a logo counts as empty. */
export const visibleAlpha = 16;

function visibleRadiusOf({ widthPx, heightPx, rgba }: Pixels): number {
  let farthest = 0;
  for (let y = 0; y < heightPx; y++) {
    const dy = Math.abs(2 * y + 1 - heightPx) + 1;
    for (let x = 0; x < widthPx; x++) {
      if ((rgba[(y * widthPx + x) * 4 + 3] ?? 0) < visibleAlpha) continue;
      const dx = Math.abs(2 * x + 1 - widthPx) + 1;
      farthest = Math.max(farthest, dx * dx + dy * dy);
    }
  }
  return Math.sqrt(farthest) / 2;
}

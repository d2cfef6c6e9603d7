import jsQR from 'jsqr';
import { lumaOf } from '../../core/designs/black-and-white.ts';
import type { Logo } from '../../core/designs/design.ts';
import { createCache } from '../../lib/cache.ts';
import { logoDigest } from '../logo/decoded.ts';
import { reduce } from '../logo/resample.ts';
import { decodeRgbaPng, type Pixels } from '../png/rgba.ts';
import { type Capture, type CodeTones, simulateCapture } from './camera.ts';
import type { LightMap } from './light.ts';

/** A phone held still and straight in good light. */
const still = {
  rollDegrees: 1,
  tiltX: 0,
  tiltY: 0,
  blurModules: 0.1,
  unevenness: 0.95,
  noise: 0.004,
} as const;

/** Easy captures, the quickest to compute first. */
const easyCaptures: readonly Capture[] = [
  { ...still, pxPerModule: 2.3, page: 0.85 },
  { ...still, pxPerModule: 4, page: 0.02 },
  { ...still, pxPerModule: 5, page: 0.3 },
];

/**
 * Captures from farther away, tilted, out of focus and in poor light.
 *
 * Because its thresholds depend on the pixels per module, jsQR may read one of these where it misses an easy one.
 */
const handheldCaptures: readonly Capture[] = [
  {
    pxPerModule: 3.4,
    rollDegrees: 5,
    tiltX: 0.05,
    tiltY: -0.03,
    blurModules: 0.22,
    unevenness: 0.75,
    noise: 0.008,
    page: 0.02,
  },
  {
    pxPerModule: 4.3,
    rollDegrees: -9,
    tiltX: -0.08,
    tiltY: 0.1,
    blurModules: 0.28,
    unevenness: 0.6,
    noise: 0.012,
    page: 0.3,
  },
  {
    pxPerModule: 5.2,
    rollDegrees: 93,
    tiltX: 0.02,
    tiltY: 0.02,
    blurModules: 0.15,
    unevenness: 0.9,
    noise: 0.006,
    page: 0.85,
  },
];

/** Captures that fail when a picture cannot be decoded. */
export const captureCount: number = 2 * easyCaptures.length + handheldCaptures.length;

/**
 * Decodes simulated captures until one gives a text.
 * Null if none does. jsQR gives up on some logos that resemble finder patterns and that other scanners read: if every
 * capture fails, the easy ones are decoded once more without the logo.
 */
export function decodeCaptures(
  map: LightMap,
  withoutLogo: () => LightMap,
  tones: CodeTones,
): string | null {
  const decode = (seen: LightMap, captures: readonly Capture[]) => {
    for (const capture of captures) {
      const { gray, widthPx } = simulateCapture(seen, capture, tones);
      const text = decodeGray(gray, widthPx);
      if (text !== null) return text;
    }
    return null;
  };
  return decode(map, [...easyCaptures, ...handheldCaptures]) ?? decode(withoutLogo(), easyCaptures);
}

/** Texts in logos: an account uses one logo for thousands of codes. */
const textsByLogo = createCache<string, string | null>(64);

/** Returns the text of a QR code in a logo, or null. A phone may open that code instead. */
export function textInLogo(logo: Logo): string | null {
  return textsByLogo.getOrInsertComputed(logoDigest(logo), () => findText(logo));
}

/** Longer sides in pixels at which a logo is decoded: fine lines may form a code at a smaller size. */
const decodedSidesPx = [512, 256, 128, 64] as const;

function findText(logo: Logo): string | null {
  const pixels = decodeRgbaPng(logo.png);
  for (const sidePx of decodedSidesPx) {
    const text = decodeOnWhite(reduce(pixels, sidePx));
    if (text !== null) return text;
  }
  return null;
}

/** Decodes a logo on white, with a quiet zone added. */
function decodeOnWhite({ widthPx, heightPx, rgba }: Pixels): string | null {
  const margin = Math.ceil(Math.max(widthPx, heightPx) / 6);
  const side = Math.max(widthPx, heightPx) + 2 * margin;
  const gray = new Uint8ClampedArray(side * side).fill(255);
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      const at = (y * widthPx + x) * 4;
      const [r, g, b] = [rgba[at] ?? 0, rgba[at + 1] ?? 0, rgba[at + 2] ?? 0];
      const alpha = (rgba[at + 3] ?? 0) / 255;
      gray[(y + margin) * side + x + margin] = 255 * (1 - alpha * (1 - lumaOf(r, g, b)));
    }
  }
  return decodeGray(gray, side);
}

/** Decodes grey values, dark on light only as in many scanners. */
function decodeGray(gray: Uint8ClampedArray, widthPx: number): string | null {
  const pixels = new Uint32Array(gray.length);
  for (let pixel = 0; pixel < gray.length; pixel++) pixels[pixel] = (gray[pixel] ?? 0) * 0x010101;
  const rgba = new Uint8ClampedArray(pixels.buffer);
  return jsQR(rgba, widthPx, widthPx, { inversionAttempts: 'dontInvert' })?.data || null;
}

import { createCache } from '../../lib/cache.ts';
import { type Axis, taps } from './logo-axis.ts';
import type { Texels } from './logo-texels.ts';

/** Red, green, blue and alpha. */
export const channels = 4;

/** What a pixel of the drawing is made of: `full` is one opaque colour that covers it. */
export const kinds = { unknown: 0, mixed: 1, empty: 2, full: 3 } as const;

/** What each pixel of a drawing is mixed of, wherever on the canvas it lies. */
export interface Mixtures {
  /** One of `kinds` for each pixel, row by row. */
  readonly kinds: Uint8Array;
  /** Four channels for each mixed pixel, in code values of 0 to 255 that are not rounded. */
  readonly values: Float32Array;
  /** The full pixels, as one number each. */
  readonly words: Int32Array;
}

/** Of mixtures twice so many bytes at most are kept for the next drawing. */
const keptBytes = 2 ** 21;

/** Texels that two drawings may lie apart and still be taken for the same. */
const sameTexels = 2e-5;

/** Finds what a drawing is mixed of, or room for it, from where its texels meet pixels along both sides. */
export type MixturesOf = (texels: Texels, along: Axis, down: Axis) => Mixtures;

/**
 * Mixtures by where texels meet pixels: a drawing that is moved by whole pixels is mixed of the same, and
 * in small pictures most drawings of a search are.
 *
 * @param placeOf where the texels lie along one side; what has the same place is taken for the same
 */
export function createMixtures(placeOf: (axis: Axis) => string): MixturesOf {
  const known = createCache<string, Mixtures>(keptBytes, ({ values }) => values.byteLength);
  return (texels, along, down) => {
    const key = [texels.id, placeOf(along), placeOf(down)].join();
    const found = known.get(key);
    if (found !== undefined) return found;
    const pixels = along.covered.length * down.covered.length;
    const made = {
      kinds: new Uint8Array(pixels),
      values: new Float32Array(pixels * channels),
      words: new Int32Array(pixels),
    };
    known.set(key, made);
    return made;
  };
}

/** Told by the first pixel: enough for what is looked at and not kept. */
export function nearPlace({ covered, isSmooth, firstMiddle }: Axis): string {
  return `${covered.length} ${isSmooth} ${Math.round(firstMiddle / sameTexels)}`;
}

/** Told by every pixel: for pictures, whose bytes must not depend on what was drawn before. */
export function exactPlace({ texels, weights }: Axis): string {
  return `${Bun.hash(texels)} ${Bun.hash(weights)}`;
}

/** Finds out about a pixel that is not known yet. */
export function reckon(
  { kinds: kindOf, values, words }: Mixtures,
  texels: Texels,
  along: Axis,
  x: number,
  down: Axis,
  y: number,
): void {
  const pixel = y * along.covered.length + x;
  const first = (down.texels[y * taps] ?? 0) * texels.widthPx + (along.texels[x * taps] ?? 0);
  const isPlain = texels.plain[first] === 1;
  const word = texels.words[first] ?? 0;
  // What most pixels of most logos come to: nothing over them, or a colour in full.
  if (isPlain && word === 0) {
    kindOf[pixel] = kinds.empty;
    return;
  }
  const isOpaque = texels.rgba[first * channels + 3] === 255;
  if (isPlain && isOpaque && !isAtEnd(along, x) && !isAtEnd(down, y)) {
    kindOf[pixel] = kinds.full;
    words[pixel] = word;
    return;
  }
  kindOf[pixel] = kinds.mixed;
  mix(values, pixel * channels, texels, along, x, down, y);
}

/** Whether a pixel is the first or last that a logo touches, and may be covered in part. */
function isAtEnd({ covered }: Axis, px: number): boolean {
  return px === 0 || px === covered.length - 1;
}

function mix(
  values: Float32Array,
  to: number,
  { rgba, widthPx }: Texels,
  along: Axis,
  x: number,
  down: Axis,
  y: number,
): void {
  let red = 0;
  let green = 0;
  let blue = 0;
  let alpha = 0;
  for (let row = y * taps; row < (y + 1) * taps; row++) {
    const start = (down.texels[row] ?? 0) * widthPx;
    for (let column = x * taps; column < (x + 1) * taps; column++) {
      const from = (start + (along.texels[column] ?? 0)) * channels;
      const weight = (along.weights[column] ?? 0) * (down.weights[row] ?? 0);
      red += weight * (rgba[from] ?? 0);
      green += weight * (rgba[from + 1] ?? 0);
      blue += weight * (rgba[from + 2] ?? 0);
      alpha += weight * (rgba[from + 3] ?? 0);
    }
  }
  values[to] = Math.max(0, Math.min(255, red));
  values[to + 1] = Math.max(0, Math.min(255, green));
  values[to + 2] = Math.max(0, Math.min(255, blue));
  values[to + 3] = Math.max(0, Math.min(255, alpha));
}

import type { Pixels } from '../logo/pixels.ts';
import { taps } from './logo-axis.ts';

/** A logo to draw with: the pixels that a PNG holds, colours multiplied by alpha. */
export interface Texels {
  /** No other texels have it. */
  readonly id: number;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Red, green, blue and alpha of each texel, row by row. */
  readonly rgba: Uint8Array;
  /** The same four as one number. */
  readonly words: Int32Array;
  /** 1 where a texel and the others of the square that begins with it are all of one colour. */
  readonly plain: Uint8Array;
}

let nextId = 1;

/** Prepares a logo to be drawn with. Its own pixels hold colours that alpha has not been multiplied into. */
export function texelsOf({ widthPx, heightPx, rgba }: Pixels): Texels {
  const bytes = new Uint8Array(rgba.length);
  for (let at = 0; at < bytes.length; at += 4) {
    const alpha = rgba[at + 3] ?? 0;
    bytes[at] = Math.round(((rgba[at] ?? 0) * alpha) / 255);
    bytes[at + 1] = Math.round(((rgba[at + 1] ?? 0) * alpha) / 255);
    bytes[at + 2] = Math.round(((rgba[at + 2] ?? 0) * alpha) / 255);
    bytes[at + 3] = alpha;
  }
  const words = new Int32Array(bytes.buffer);
  return { id: nextId++, widthPx, heightPx, rgba: bytes, words, plain: plainOf(words, widthPx) };
}

/** Grows squares of one colour from the last texel to the first, each by the three that it touches. */
function plainOf(words: Int32Array, widthPx: number): Uint8Array {
  const sides = new Uint8Array(words.length);
  for (let at = words.length - 1; at >= 0; at--) {
    const [right, below, beyond] = [at + 1, at + widthPx, at + widthPx + 1];
    const word = words[at];
    const grows = words[right] === word && words[below] === word && words[beyond] === word;
    sides[at] =
      grows && right % widthPx !== 0
        ? 1 + Math.min(taps - 1, sides[right] ?? 0, sides[below] ?? 0, sides[beyond] ?? 0)
        : 1;
  }
  return sides.map((side) => (side === taps ? 1 : 0));
}

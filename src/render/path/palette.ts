/** Colours that an 8-bit index can address. */
const maxColors = 256;

/** Largest difference per channel between a colour and its substitute, in code values: invisible. */
const maxDifference = 3;

/**
 * Replaces pixels by indexes into a palette.
 * Once the palette is full, further colours get the most similar one in it: a flat logo with smooth edges has some
 * three hundred colours.
 *
 * @param initial distinct colours at the start of the palette
 * @returns null when the palette is full and a colour has no similar one in it
 */
export function indexPixels(pixels: Int32Array, initial: readonly number[]) {
  const colors = [...initial];
  const known = new Map(colors.map((color, index) => [color, index]));
  const indexes = new Uint8Array(pixels.length);
  for (let at = 0; at < pixels.length; at++) {
    const color = pixels[at] ?? 0;
    if (at > 0 && color === pixels[at - 1]) {
      indexes[at] = indexes[at - 1] ?? 0;
      continue;
    }
    let index = known.get(color);
    if (index === undefined) {
      index = colors.length < maxColors ? colors.push(color) - 1 : mostSimilar(color, colors);
      if (index < 0) return null;
      known.set(color, index);
    }
    indexes[at] = index;
  }
  return { indexes, colors };
}

/** Returns the index of the most similar colour, or -1 when none is similar enough. */
function mostSimilar(color: number, colors: readonly number[]): number {
  let [similar, least] = [-1, maxDifference + 1];
  for (let index = 0; index < colors.length; index++) {
    const other = colors[index] ?? 0;
    const difference = Math.max(
      Math.abs((color & 255) - (other & 255)),
      Math.abs(((color >> 8) & 255) - ((other >> 8) & 255)),
      Math.abs(((color >> 16) & 255) - ((other >> 16) & 255)),
    );
    if (difference < least) [similar, least] = [index, difference];
  }
  return similar;
}

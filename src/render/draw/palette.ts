/** Number of colours that an 8-bit index can address. */
export const maxColors = 256;

/** Largest difference per channel between a colour and its substitute, in code values: invisible. */
const maxDifference = 3;

/** Assigns indexes to colours. */
export interface Palette {
  /** Colours by index, as 32-bit numbers. */
  readonly colors: readonly number[];
  /** Returns the index of a colour, or null when the palette is full and holds no similar one. */
  indexOf(color: number): number | null;
}

/**
 * Creates a palette. A flat logo with smooth edges has some three hundred colours: once the palette is
 * full, a colour is replaced by the most similar one in it.
 *
 * @param initial distinct colours that have an index already
 */
export function createPalette(initial: Iterable<number>): Palette {
  const colors = [...initial];
  const known = new Map(colors.map((color, index) => [color, index]));
  const newIndex = (color: number) =>
    colors.length < maxColors ? colors.push(color) - 1 : mostSimilar(color, colors);
  return {
    colors,
    indexOf(color) {
      const found = known.get(color);
      if (found !== undefined) return found;
      const index = newIndex(color);
      if (index !== null) known.set(color, index);
      return index;
    },
  };
}

/** Returns the index of the most similar colour, or null when none is close enough. */
function mostSimilar(color: number, colors: readonly number[]): number | null {
  let similar: number | null = null;
  let least = maxDifference + 1;
  for (let index = 0; index < colors.length; index++) {
    const difference = differenceOf(color, colors[index] ?? 0);
    if (difference < least) [similar, least] = [index, difference];
  }
  return similar;
}

/** Returns the largest difference of two colours in a channel, in code values. */
function differenceOf(color: number, other: number): number {
  const red = Math.abs((color & 255) - (other & 255));
  const green = Math.abs(((color >> 8) & 255) - ((other >> 8) & 255));
  const blue = Math.abs(((color >> 16) & 255) - ((other >> 16) & 255));
  return Math.max(red, green, blue);
}

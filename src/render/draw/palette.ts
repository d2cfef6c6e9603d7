/** Colours that an index of 8 bits can name. */
export const mostColors = 256;

/** Code values by which each channel of a colour may differ from the one that is shown for it: not seen. */
const sameCodes = 3;

/** Colours by number. */
export interface Palette {
  /** Red, green, blue and alpha in one number with a sign, in the order of their numbers. */
  readonly colors: readonly number[];
  /** The number of a colour; null where there is no room for it and none looks the same. */
  numberOf(color: number): number | null;
}

/**
 * Numbers colours as they are first asked for. A flat logo with smooth edges has some three hundred: those
 * for which there is no room are shown as the one most alike among the others.
 *
 * @param first colours that are numbered already, none of them twice
 */
export function createPalette(first: Iterable<number>): Palette {
  const colors = [...first];
  // With a sign: a Map finds numbers of 31 bits and a sign three times as fast as larger ones.
  const known = new Map(colors.map((color, index) => [color, index]));
  const newNumber = (color: number) =>
    colors.length < mostColors ? colors.push(color) - 1 : mostAlike(color, colors);
  return {
    colors,
    numberOf(color) {
      const found = known.get(color);
      if (found !== undefined) return found;
      const number = newNumber(color);
      if (number !== null) known.set(color, number);
      return number;
    },
  };
}

/** The number of the colour most like another one; null where none looks the same. */
function mostAlike(color: number, colors: readonly number[]): number | null {
  let alike: number | null = null;
  let least = sameCodes + 1;
  for (let index = 0; index < colors.length; index++) {
    const difference = differenceOf(color, colors[index] ?? 0);
    if (difference < least) [alike, least] = [index, difference];
  }
  return alike;
}

/** The most that two colours differ by in a channel, in code values. */
function differenceOf(color: number, other: number): number {
  const red = Math.abs((color & 255) - (other & 255));
  const green = Math.abs(((color >> 8) & 255) - ((other >> 8) & 255));
  const blue = Math.abs(((color >> 16) & 255) - ((other >> 16) & 255));
  return Math.max(red, green, blue);
}

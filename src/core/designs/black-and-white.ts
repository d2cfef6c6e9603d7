import type { Design } from './design.ts';
import type { BlackAndWhiteCaution } from './readability.ts';

// Thermal printers print a colour black or not at all, from half of the luma on, or as a pattern of dots. Drivers
// weigh the channels in different ways: #00aaaa, with a luma of 0.47, vanishes in one of two.
const lightestBlack = 0.45;
const darkestWhite = 0.6;

/**
 * Returns why a design must not be printed in black only.
 * Thermal printers do. Null when it can.
 */
export function blackAndWhiteCaution(
  design: Pick<Design, 'foreground' | 'background' | 'finderColor'>,
): BlackAndWhiteCaution | null {
  const { foreground, background, finderColor } = design;
  const dark = [foreground, finderColor ?? foreground].find(
    (color) => lumaOfColor(color) > lightestBlack,
  );
  const light = lumaOfColor(background) < darkestWhite ? background : undefined;
  const color = dark ?? light;
  if (color === undefined) return null;
  return { kind: 'not for black and white', color, becomes: color === dark ? 'white' : 'black' };
}

/** Returns the luma of `#rrggbb`, from 0 to 1. */
export function lumaOfColor(color: string): number {
  const [red = 0, green = 0, blue = 0] = Uint8Array.fromHex(color.slice(1));
  return lumaOf(red, green, blue);
}

/** Returns the luma (ITU-R BT.601) of an sRGB colour, from 0 to 1, as scanners compute it. */
export function lumaOf(red: number, green: number, blue: number): number {
  return (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
}

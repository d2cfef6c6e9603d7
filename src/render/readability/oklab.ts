import { decodeSrgb, encodeSrgb } from './light.ts';

/** A colour in Oklab (Björn Ottosson, 2020), in which equal distances look equally large. */
export interface Oklab {
  readonly l: number;
  readonly a: number;
  readonly b: number;
}

/** Channels in linear sRGB; outside of 0 to 1 beyond its gamut. */
type LinearRgb = readonly [red: number, green: number, blue: number];

/** Converts `#rrggbb`. */
export function oklabOf(color: string): Oklab {
  const [red = 0, green = 0, blue = 0] = [...Uint8Array.fromHex(color.slice(1))].map((code) =>
    decodeSrgb(code / 255),
  );
  const long = Math.cbrt(
    0.412221469470763 * red + 0.5363325372617348 * green + 0.0514459932675022 * blue,
  );
  const middle = Math.cbrt(
    0.2119034958178252 * red + 0.6806995506452344 * green + 0.1073969535369406 * blue,
  );
  const short = Math.cbrt(
    0.0883024591900564 * red + 0.2817188391361215 * green + 0.6299787016738222 * blue,
  );
  return {
    l: 0.210454268309314 * long + 0.7936177747023054 * middle - 0.0040720430116193 * short,
    a: 1.9779985324311684 * long - 2.4285922420485799 * middle + 0.450593709617411 * short,
    b: 0.0259040424655478 * long + 0.7827717124575296 * middle - 0.8086757549230774 * short,
  };
}

/** Inverts {@link oklabOf} up to linear light. */
export function linearRgbOf({ l, a, b }: Oklab): LinearRgb {
  const long = (l + 0.3963377773761749 * a + 0.2158037573099136 * b) ** 3;
  const middle = (l - 0.1055613458156586 * a - 0.0638541728258133 * b) ** 3;
  const short = (l - 0.0894841775298119 * a - 1.2914855480194092 * b) ** 3;
  return [
    4.0767416360759574 * long - 3.3077115392580616 * middle + 0.2309699031821044 * short,
    -1.2684379732850317 * long + 2.6097573492876887 * middle - 0.3413193760026573 * short,
    -0.0041960761386756 * long - 0.7034186179359362 * middle + 1.7076146940746117 * short,
  ];
}

/** Formats linear light as `#rrggbb`, clipped to the gamut of sRGB. */
export function colorOfLinear(linear: LinearRgb): string {
  const codes = linear.map((channel) =>
    Math.round(Math.min(1, Math.max(0, encodeSrgb(channel))) * 255),
  );
  return `#${Uint8Array.from(codes).toHex()}`;
}

/** Returns the distance of two colours `#rrggbb` in Oklab. */
export function colorDistance(one: string, other: string): number {
  const [from, to] = [oklabOf(one), oklabOf(other)];
  return Math.hypot(from.l - to.l, from.a - to.a, from.b - to.b);
}

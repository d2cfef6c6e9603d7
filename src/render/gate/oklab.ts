/**
 * Oklab, a space in which equal distances look equally far apart (Björn Ottosson, 2020).
 */
export interface Oklab {
  /** 0 is black, 1 is white. */
  readonly lightness: number;
  readonly a: number;
  readonly b: number;
}

/** @param color `#rrggbb` */
export function oklabOf(color: string): Oklab {
  const value = Number.parseInt(color.slice(1), 16);
  const [red, green, blue] = [linear(value >> 16), linear((value >> 8) & 255), linear(value & 255)];
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    a: 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    b: 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  };
}

/** The colour as `#rrggbb`; what no screen can show loses colourfulness until one can. */
export function colorOf({ lightness, a, b }: Oklab): string {
  for (let chroma = 1; chroma > 0; chroma -= 0.05) {
    const channels = channelsOf({ lightness, a: a * chroma, b: b * chroma });
    if (channels.every((channel) => channel > -0.002 && channel < 1.002)) return hex(channels);
  }
  return hex(channelsOf({ lightness, a: 0, b: 0 }));
}

export function distance(one: Oklab, other: Oklab): number {
  return Math.sqrt(
    (one.lightness - other.lightness) ** 2 + (one.a - other.a) ** 2 + (one.b - other.b) ** 2,
  );
}

/** Red, green and blue in linear light; outside 0 to 1 where no screen shows the colour. */
function channelsOf({ lightness, a, b }: Oklab): [number, number, number] {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function hex(channels: readonly number[]): string {
  const codes = channels.map((channel) => {
    const inside = Math.max(0, Math.min(1, channel));
    const code = inside <= 0.0031308 ? inside * 12.92 : 1.055 * inside ** (1 / 2.4) - 0.055;
    return Math.round(code * 255)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${codes.join('')}`;
}

function linear(code: number): number {
  const value = code / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

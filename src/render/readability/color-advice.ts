import type { Design, DesignChanges } from '../../core/designs/design.ts';
import { channelsOf, decodeSrgb, encodeSrgb, lumaOfColor } from './light.ts';
import { limits, printContrastSignalLimit } from './limits.ts';
import { type ColorMeasures, colorMeasuresOf } from './measures.ts';

/** Changes colours by a share, from none (0) to the farthest (1). */
type ColorFix = (share: number) => DesignChanges;

const shareStep = 0.04;

const blackOnWhite = { foreground: '#000000', background: '#ffffff', finderColor: null } as const;

/**
 * Finds a small change of colours that keeps their hue and is accepted; black on white as the last resort.
 *
 * @param isAccepted judges the colours together with the rest of the design
 */
export function nearestColors(
  design: Design,
  isAccepted: (changes: DesignChanges) => boolean,
): DesignChanges {
  const { one, both } = fixesOf(design);
  const startOf = (fix: ColorFix) => ({ fix, start: smallestShare(design, fix) });
  const cheapestFirst = one
    .map(startOf)
    .filter(({ start }) => start <= 1)
    .map((found) => ({ ...found, cost: costOf(design, found.fix(found.start)) }))
    .sort((a, b) => a.cost - b.cost);
  for (const { fix, start } of [...cheapestFirst, ...both.map(startOf)]) {
    if (!isAccepted(fix(1))) continue;
    for (let share = start; share < 1; share += shareStep) {
      if (isAccepted(fix(share))) return fix(share);
    }
    return fix(1);
  }
  return blackOnWhite;
}

/** Returns changes of one tone, and changes of foreground and background together. */
function fixesOf({ foreground, background, finderColor }: Design) {
  const dark = (share: number) => toned(foreground, share, 0);
  const light = (share: number) => toned(background, share, 1);
  const corner = (share: number) => (finderColor === null ? null : toned(finderColor, share, 0));
  const one: ColorFix[] = [
    (share) => ({ foreground: dark(share) }),
    (share) => ({ background: light(share) }),
  ];
  if (finderColor !== null) {
    one.push(
      (share) => ({ finderColor: corner(share) }),
      (share) => ({ foreground: dark(share), finderColor: corner(share) }),
      (share) => ({ foreground: dark(share), finderColor: null }),
    );
  }
  if (lumaOfColor(foreground) > lumaOfColor(background)) {
    one.push((share) => ({
      foreground: toned(background, share, 0),
      background: toned(foreground, share, 1),
      finderColor: null,
    }));
  }
  const both: ColorFix[] = [
    (share) => ({ foreground: dark(share), background: light(share), finderColor: corner(share) }),
    (share) => ({ foreground: dark(share), background: light(share), finderColor: null }),
  ];
  return { one, both };
}

/** Returns the smallest share at which the colours suffice without a logo; more than 1 when none does. */
function smallestShare(design: Design, fix: ColorFix): number {
  let share = 0;
  while (share <= 1 && !colorsSuffice(colorMeasuresOf({ ...design, ...fix(share) }))) {
    share += shareStep;
  }
  return share;
}

/** Returns how far colours move in OKLab; finder patterns count half. */
function costOf(design: Design, changes: DesignChanges): number {
  const next = { ...design, ...changes };
  const moved = (from: string, to: string) => distance(oklabOf(from), oklabOf(to));
  return (
    moved(design.foreground, next.foreground) +
    moved(design.background, next.background) +
    moved(design.finderColor ?? design.foreground, next.finderColor ?? next.foreground) / 2
  );
}

/** Moves a colour towards black (0) or white (1), keeping its hue. */
function toned(color: string, share: number, towards: 0 | 1): string {
  if (share === 0) return color;
  const { lightness, a, b } = oklabOf(color);
  const keep = 1 - share ** 3;
  return colorOf({
    lightness: lightness + (towards - lightness) * share,
    a: a * keep,
    b: b * keep,
  });
}

/** A color in Oklab, in which equal distances look equally large (Björn Ottosson, 2020). */
interface Oklab {
  /** 0 is black, 1 is white. */
  readonly lightness: number;
  readonly a: number;
  readonly b: number;
}

/** Converts `#rrggbb` to Oklab. */
export function oklabOf(color: string): Oklab {
  const [redCode, greenCode, blueCode] = channelsOf(color);
  const red = decodeSrgb(redCode / 255);
  const green = decodeSrgb(greenCode / 255);
  const blue = decodeSrgb(blueCode / 255);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    a: 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    b: 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  };
}

/** Converts a color to `#rrggbb`. Reduces the chroma of colors outside sRGB. */
function colorOf({ lightness, a, b }: Oklab): string {
  for (let chroma = 1; chroma > 0; chroma -= 0.05) {
    const channels = linearChannelsOf({ lightness, a: a * chroma, b: b * chroma });
    if (channels.every((channel) => channel > -0.002 && channel < 1.002)) return hex(channels);
  }
  return hex(linearChannelsOf({ lightness, a: 0, b: 0 }));
}

/** Returns the distance of two colors in Oklab. */
export function distance(one: Oklab, other: Oklab): number {
  return Math.sqrt(
    (one.lightness - other.lightness) ** 2 + (one.a - other.a) ** 2 + (one.b - other.b) ** 2,
  );
}

/** Returns red, green and blue in linear light; values outside 0 to 1 are outside sRGB. */
function linearChannelsOf({ lightness, a, b }: Oklab): [number, number, number] {
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
    return Math.round(encodeSrgb(inside) * 255)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${codes.join('')}`;
}

/** Returns whether colours suffice without a logo, which shifts thresholds and hides modules. */
function colorsSuffice(colors: ColorMeasures): boolean {
  return (
    colors.modules < colors.background &&
    colors.symbolContrast >= limits.symbolContrast &&
    colors.finderContrast >= limits.finderContrast &&
    colors.finderShare >= limits.finderShare &&
    colors.printContrastSignal >=
      printContrastSignalLimit({
        ...colors,
        side: 0,
        logoShare: 1,
        errorCorrectionUsed: 0,
        hidesAlignment: false,
      })
  );
}

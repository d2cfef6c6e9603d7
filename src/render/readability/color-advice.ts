import { lumaOfColor } from '../../core/designs/black-and-white.ts';
import type { Design, DesignChanges } from '../../core/designs/design.ts';
import { limits, printContrastSignalLimit } from './limits.ts';
import { type ColorMeasures, colorMeasuresOf } from './measures.ts';
import { colorDistance, colorOfLinear, linearRgbOf, oklabOf } from './oklab.ts';

/** Changes colours by a share, from none (0) to the farthest (1). */
type ColorFix = (share: number) => DesignChanges;

/** A fix is tried at 25 strengths at most. */
const shareStep = 0.04;

const blackOnWhite = { foreground: '#000000', background: '#ffffff', finderColor: null } as const;

/**
 * Finds a small change of colours that keeps their hue and is accepted.
 * Black on white as the last resort.
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
  return (
    colorDistance(design.foreground, next.foreground) +
    colorDistance(design.background, next.background) +
    colorDistance(design.finderColor ?? design.foreground, next.finderColor ?? next.foreground) / 2
  );
}

/** Moves a colour towards black (0) or white (1), keeping its hue. Those outside of sRGB lose chroma. */
function toned(color: string, share: number, towards: 0 | 1): string {
  if (share === 0) return color;
  const from = oklabOf(color);
  const l = from.l + (towards - from.l) * share;
  const keep = 1 - share ** 3;
  // Twenty steps of chroma. What is outside of sRGB by half of a code value (0.5 / 255) is rounded to it.
  for (let chroma = keep; chroma > 0; chroma -= 0.05 * keep) {
    const linear = linearRgbOf({ l, a: from.a * chroma, b: from.b * chroma });
    if (linear.every((channel) => channel > -0.002 && channel < 1.002))
      return colorOfLinear(linear);
  }
  return colorOfLinear(linearRgbOf({ l, a: 0, b: 0 }));
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

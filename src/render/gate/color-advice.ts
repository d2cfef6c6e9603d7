import type { Design, DesignChanges } from '../../core/designs/design.ts';
import { lumaOfColor } from './light.ts';
import { colorsSuffice } from './limits.ts';
import { colorMeasuresOf } from './measures.ts';
import { colorOf, distance, type Oklab, oklabOf } from './oklab.ts';

/** Change of colours by a share, from none (0) to the farthest (1). */
export interface ColorFix {
  at(share: number): DesignChanges;
}

/** Fix with an estimate of how much it changes, so that the smallest is tried first. */
interface Guess extends ColorFix {
  readonly cost: number;
}

/**
 * Returns ways to more contrast that keep the hue, the smallest change first. Costs are estimated from
 * reflectance, without a picture.
 */
export function colorFixes(design: Design): readonly ColorFix[] {
  const { foreground, background, finderColor } = design;
  const guesses: Guess[] = [];
  const add = (at: (share: number) => DesignChanges) =>
    guesses.push({ at, cost: costOf(design, at) });
  const dark = (share: number) => toned(foreground, share, 0);
  const light = (share: number) => toned(background, share, 1);
  const corner = (share: number) => (finderColor === null ? null : toned(finderColor, share, 0));

  add((share) => ({ foreground: dark(share) }));
  add((share) => ({ background: light(share) }));
  if (finderColor !== null) {
    add((share) => ({ finderColor: toned(finderColor, share, 0) }));
    add((share) => ({ foreground: dark(share), finderColor: corner(share) }));
    add((share) => ({ foreground: dark(share), finderColor: null }));
  }
  const inverted = lumaOfColor(foreground) > lumaOfColor(background);
  if (inverted) add(() => ({ foreground: background, background: foreground, finderColor: null }));
  if (inverted) {
    add((share) => ({
      foreground: toned(background, share, 0),
      background: toned(foreground, share, 1),
      finderColor: null,
    }));
  }
  const gentle = guesses
    .filter(({ cost }) => Number.isFinite(cost))
    .sort((a, b) => a.cost - b.cost);
  const both: ColorFix = {
    at: (share) => ({
      foreground: dark(share),
      background: light(share),
      finderColor: corner(share),
    }),
  };
  return [...gentle, both, { at: (share) => ({ ...both.at(share), finderColor: null }) }];
}

/** Returns how far colours move until they suffice; infinite when they never do. */
function costOf(design: Design, at: (share: number) => DesignChanges): number {
  for (let share = 0; share <= 1; share += 0.05) {
    const next = { ...design, ...at(share) };
    if (!colorsSuffice(colorMeasuresOf(next))) continue;
    return (
      moved(design.foreground, next.foreground) +
      moved(design.background, next.background) +
      moved(design.finderColor ?? design.foreground, next.finderColor ?? next.foreground) / 2
    );
  }
  return Number.POSITIVE_INFINITY;
}

function moved(from: string, to: string): number {
  return distance(oklabOf(from), oklabOf(to));
}

/** Moves a colour towards black (0) or white (1), keeping its hue. */
function toned(color: string, share: number, towards: 0 | 1): string {
  if (share === 0) return color;
  const from = oklabOf(color);
  const lightness = from.lightness + (towards - from.lightness) * share;
  const keep = 1 - share ** 3;
  const moved: Oklab = { lightness, a: from.a * keep, b: from.b * keep };
  return colorOf(moved);
}

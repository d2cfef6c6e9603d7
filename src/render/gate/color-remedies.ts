import type { Design, DesignChanges } from '../../core/designs/design.ts';
import { colorMeasuresOf } from './contrast.ts';
import { colorsSuffice } from './limits.ts';
import { colorOf, distance, type Oklab, oklabOf } from './oklab.ts';
import { lumaOfColor } from './reflectance.ts';

/** A way to change colours, from not at all (0) to as far as it goes (1). */
export interface Remedy {
  at(share: number): DesignChanges;
}

/** How much of the way each remedy probably has to go, so that the gentlest is tried first. */
interface Guess extends Remedy {
  readonly cost: number;
}

/**
 * Ways to more contrast that keep the hue, those that will change the looks least first. The cost of
 * each is guessed from the colour's reflectance; only the winner is examined on the picture.
 */
export function colorRemedies(design: Design): readonly Remedy[] {
  const { foreground, background, finderColor } = design;
  const guesses: Guess[] = [];
  const add = (wanted: number, at: (share: number) => DesignChanges) =>
    guesses.push({ at, cost: costOf(design, at, wanted) });
  const dark = (share: number) => toned(foreground, share, 0);
  const light = (share: number) => toned(background, share, 1);
  const corner = (share: number) => (finderColor === null ? null : toned(finderColor, share, 0));

  add(1, (share) => ({ foreground: dark(share) }));
  add(1, (share) => ({ background: light(share) }));
  if (finderColor !== null) {
    add(1, (share) => ({ finderColor: toned(finderColor, share, 0) }));
    add(1, (share) => ({ foreground: dark(share), finderColor: corner(share) }));
    add(1, (share) => ({ foreground: dark(share), finderColor: null }));
  }
  const inverted = lumaOfColor(foreground) > lumaOfColor(background);
  if (inverted)
    add(1, () => ({ foreground: background, background: foreground, finderColor: null }));
  if (inverted) {
    add(1, (share) => ({
      foreground: toned(background, share, 0),
      background: toned(foreground, share, 1),
      finderColor: null,
    }));
  }
  const gentle = guesses
    .filter(({ cost }) => Number.isFinite(cost))
    .sort((a, b) => a.cost - b.cost);
  const both: Remedy = {
    at: (share) => ({
      foreground: dark(share),
      background: light(share),
      finderColor: corner(share),
    }),
  };
  return [...gentle, both, { at: (share) => ({ ...both.at(share), finderColor: null }) }];
}

/** How far colours move until the contrast is right; infinite when they never get there. */
function costOf(design: Design, at: (share: number) => DesignChanges, farthest: number): number {
  for (let share = 0; share <= farthest; share += 0.05) {
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

/** A colour moved towards black (0) or white (1), its hue kept, its colourfulness fading at the end. */
function toned(color: string, share: number, towards: 0 | 1): string {
  if (share === 0) return color;
  const from = oklabOf(color);
  const lightness = from.lightness + (towards - from.lightness) * share;
  const keep = 1 - share ** 3;
  const moved: Oklab = { lightness, a: from.a * keep, b: from.b * keep };
  return colorOf(moved);
}

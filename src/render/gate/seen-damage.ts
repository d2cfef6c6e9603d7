import { type Picture, totalModules } from '../draw/svg.ts';
import { type Damage, damageOf } from './damage.ts';
import type { Placement } from './placement.ts';
import type { LightMap } from './reflectance.ts';
import { type Binary, binarized, windowsPerWidth } from './threshold.ts';

/**
 * A module beside a logo may be dark against the ground and light against the logo. Scanners compare it
 * with its surroundings, so that where a logo takes nearly all that can be repaired, what its tones do
 * to the modules around it decides.
 */

/** From this share of the budget on a few more wrong modules matter. */
const littleLeft = 0.9;

/** What the square spans that a scanner compares a pixel with, in photographs from near and far, in modules. */
const photographWindowsModules = [8, 14] as const;

/** Where in a module a scanner may sample it: grids are off by an eighth of a module. */
const samples = [
  [0.5, 0.5],
  [0.375, 0.375],
  [0.625, 0.375],
  [0.375, 0.625],
  [0.625, 0.625],
] as const;

/** The damage as measured, or what scanners make of it where that is beyond repair. */
export function seenDamage(
  measured: Damage,
  placement: Placement,
  picture: Picture,
  map: LightMap,
): Damage {
  if (measured.damage < littleLeft || measured.damage > 1) return measured;
  // A picture that fills the frame, as a file does, is looked at with smaller squares than any photograph.
  const fileWindowModules = totalModules(picture.layout) / windowsPerWidth;
  let worst = measured;
  for (const binary of binarized(map, [fileWindowModules, ...photographWindowsModules])) {
    for (const sample of samples) {
      const seen = damageOf(placement, misread(picture, binary, sample));
      if (seen.damage > Math.max(1, worst.damage)) worst = seen;
    }
  }
  return worst;
}

/** Modules that are read wrong in one black and white picture, 1 for wrong. */
function misread(
  { layout, matrix }: Picture,
  { isDark, pxPerModule }: Binary,
  [right, down]: readonly [number, number],
): Uint8Array {
  const { side, quietZoneModules } = layout;
  const wrong = new Uint8Array(side * side);
  for (let module = 0; module < wrong.length; module++) {
    const [x, y] = [module % side, Math.floor(module / side)];
    const seen = isDark(
      (x + quietZoneModules + right) * pxPerModule,
      (y + quietZoneModules + down) * pxPerModule,
    );
    if (seen !== matrix.isDark(x, y)) wrong[module] = 1;
  }
  return wrong;
}

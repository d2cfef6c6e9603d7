import { type Design, finderShapes, logoPatches } from '../../../src/core/designs/design.ts';
import { type Chance, chanceOf } from './chance.ts';
import { finderColorOf, paletteKinds, paletteOf } from './colors.ts';
import { logoKinds, logoOf } from './logos.ts';

/** One design on one link. */
export interface Specimen {
  readonly seed: number;
  readonly index: number;
  readonly link: string;
  readonly design: Design;
  /** Kinds of its parts, `palette brand` for example. Reports count errors by them. */
  readonly groups: readonly string[];
}

/** Generates a specimen. The same seed and index always give the same one. */
export function specimenOf(seed: number, index: number): Specimen {
  const chance = chanceOf(seed, index);
  const paletteKind = chance.weighted(paletteKinds);
  const palette = paletteOf(paletteKind, chance);
  const logoKind = chance.true(0.22) ? null : chance.weighted(logoKinds);
  const moduleShape = chance.weighted({ square: 45, rounded: 28, dots: 27 });
  return {
    seed,
    index,
    groups: [`palette ${paletteKind}`, `logo ${logoKind}`, `modules ${moduleShape}`],
    link: linkOf(chance),
    design: {
      ...palette,
      moduleShape,
      finderShape: chance.one(finderShapes),
      finderColor: finderColorOf(palette, chance),
      logo: logoKind === null ? null : logoOf(logoKind, chance),
      logoSizePercent: logoSizeOf(chance),
      logoPatch: chance.one(logoPatches),
      quietZoneModules: chance.true(0.55) ? 4 : chance.whole(5, 8),
    },
  };
}

/** People choose 15 to 28 percent; a fifth of the designs use the whole range that is allowed. */
function logoSizeOf(chance: Chance): number {
  return chance.true(0.2) ? chance.whole(5, 40) : chance.whole(12, 32);
}

/** A short link of 20 to 80 characters, most of them short; every fourth in upper case. */
export function linkOf(chance: Chance): string {
  const length = chance.true(0.75) ? chance.whole(20, 40) : chance.whole(41, 80);
  const letters = 'abcdefghjkmnpqrstvwxyz0123456789';
  const word = (size: number) =>
    Array.from({ length: size }, () => letters[chance.whole(0, letters.length - 1)]).join('');
  const fixed = 'https://.ex/'.length + 8;
  const host = word(Math.max(1, Math.min(length - fixed, 30)));
  const prefix = `https://${host}.ex/`;
  const rest = length - prefix.length;
  const link = rest > 12 ? `${prefix}${word(rest - 9)}/${word(8)}` : prefix + word(rest);
  return chance.true(0.25) ? link.toUpperCase() : link;
}

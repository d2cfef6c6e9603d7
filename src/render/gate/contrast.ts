import type { Design } from '../../core/designs/design.ts';
import type { Picture } from '../draw/svg.ts';
import { type Damage, damageOf } from './damage.ts';
import { hiddenCenters, type Placement, placementOf, type Role } from './placement.ts';
import {
  greyThroughFlare,
  type LightMap,
  linearOfTone,
  lumaOfColor,
  tonesOf,
} from './reflectance.ts';
import { seenDamage } from './seen-damage.ts';

/** What can be said of the colours alone. */
export interface ColorMeasures {
  /** Luma of the light ground, the dark modules and the finder patterns, each from 0 to 1. */
  readonly ground: number;
  readonly modules: number;
  readonly finders: number;
  /** Symbol contrast: reflectance of the ground less that of the lighter of modules and finders. */
  readonly symbolContrast: number;
  /** The same for the finder patterns alone. */
  readonly finderContrast: number;
  /**
   * Print contrast: by how much of the ground's luma the lighter of modules and finders is darker, each
   * as the grey that it looks like through the flare of a phone's lens.
   */
  readonly printContrast: number;
  /** Luma between ground and finders against that between ground and modules. */
  readonly finderShare: number;
}

/**
 * What can be measured on the picture itself, in the terms of ISO/IEC 15415: contrast, modulation,
 * unused error correction, fixed patterns. The thresholds are in limits.ts.
 */
export interface Measures extends Damage, ColorMeasures {
  /** The lesser of both as a share of all tones in the picture, the logo's included. */
  readonly toneShare: number;
  /** Luma between ground and modules as a share of all tones but the finders'. */
  readonly logoShare: number;
  readonly blocks: number;
  /** Of the symbol, in modules. */
  readonly side: number;
  /** Whether the logo hides alignment patterns: from version 7 on there are some in the middle. */
  readonly hidesAlignment: boolean;
  /** Modules under logo and patch, by what they are there for. */
  readonly covered: Readonly<Record<Role, number>>;
  /** Share of the modules' area in the symbol that logo and patch take from it. */
  readonly hidden: number;
}

/** Stray light on a lens that fingers touch, as a share of full white. */
const lensFlare = 0.06;

/** Blur of an ordinary sharp scan, in modules; a wrong module stays wrong in a worse one. */
const sharpBlurModules = 0.25;

/** Blur that hides a logo's fine lines and leaves its mass, which is what shifts thresholds. */
const massBlurModules = 0.4;

export function colorMeasuresOf(design: Design): ColorMeasures {
  const ground = lumaOfColor(design.background);
  const modules = lumaOfColor(design.foreground);
  const finders = lumaOfColor(design.finderColor ?? design.foreground);
  const lighter = Math.max(modules, finders);
  return {
    ground,
    modules,
    finders,
    symbolContrast: linearOfTone(ground) - linearOfTone(lighter),
    finderContrast: linearOfTone(ground) - linearOfTone(finders),
    printContrast: printContrastOf(design),
    finderShare: (ground - finders) / Math.max(ground - modules, 1 / 255),
  };
}

function printContrastOf({ foreground, background, finderColor }: Design): number {
  const seen = (color: string) => greyThroughFlare(color, lensFlare);
  const lighter = Math.max(seen(foreground), seen(finderColor ?? foreground));
  const ground = Math.max(seen(background), 1 / 255);
  return (ground - lighter) / ground;
}

/** @param map the picture at a few whole pixels a module */
export function measuresOf(picture: Picture, map: LightMap): Measures {
  const { design, layout, matrix } = picture;
  const { side, quietZoneModules } = layout;
  const placement = placementOf(side);
  const colors = colorMeasuresOf(design);
  const { ground, modules, finders } = colors;

  const mass = tonesOf(map, quietZoneModules, side, massBlurModules);
  const [darkest, lightest] = extremes(mass, () => true, Math.min(modules, finders), ground);
  const [darkestLogo, lightestLogo] = extremes(
    mass,
    (module) => placement.roles[module] !== 'finder',
    modules,
    ground,
  );

  const tones = tonesOf(map, quietZoneModules, side, sharpBlurModules);
  const wrong = new Uint8Array(side * side);
  for (let index = 0; index < wrong.length; index++) {
    const [x, y] = [index % side, Math.floor(index / side)];
    const dark = placement.roles[index] === 'finder' ? finders : modules;
    const seenDark = (tones[index] ?? 0) < (ground + dark) / 2;
    if (seenDark !== matrix.isDark(x, y)) wrong[index] = 1;
  }
  const covered = coveredModules(picture, placement);
  const hidden = Object.values(covered).reduce((sum, count) => sum + count, 0) / wrong.length;
  return {
    ...colors,
    toneShare: (ground - Math.max(modules, finders)) / Math.max(lightest - darkest, 1 / 255),
    logoShare: (ground - modules) / Math.max(lightestLogo - darkestLogo, 1 / 255),
    ...seenDamage(damageOf(placement, wrong), placement, picture, map),
    blocks: placement.blocks,
    side,
    hidesAlignment: design.logo !== null && hiddenCenters(side).length > 0,
    covered,
    hidden,
  };
}

/** The darkest and the lightest tone of those modules that count, beside two that are there anyway. */
function extremes(
  tones: Float32Array,
  counts: (module: number) => boolean,
  dark: number,
  light: number,
): [number, number] {
  let [darkest, lightest] = [dark, light];
  for (let module = 0; module < tones.length; module++) {
    if (!counts(module)) continue;
    darkest = Math.min(darkest, tones[module] ?? 1);
    lightest = Math.max(lightest, tones[module] ?? 0);
  }
  return [darkest, lightest];
}

/** What lies under the logo or its patch. */
function coveredModules({ layout }: Picture, { side, roles }: Placement): Record<Role, number> {
  const covered: Record<Role, number> = {
    finder: 0,
    separator: 0,
    timing: 0,
    format: 0,
    version: 0,
    alignment: 0,
    data: 0,
  };
  const { logo } = layout;
  for (let module = 0; module < side * side; module++) {
    const [x, y] = [module % side, Math.floor(module / side)];
    const under =
      logo !== null &&
      x + 0.5 > logo.x &&
      x + 0.5 < logo.x + logo.width &&
      y + 0.5 > logo.y &&
      y + 0.5 < logo.y + logo.height;
    if (!under && !layout.isCleared(x, y)) continue;
    const role = roles[module] ?? 'data';
    // Of the alignment patterns only the one at the lower right has no substitute.
    const spared = role === 'alignment' && (x < side - 9 || y < side - 9);
    covered[spared ? 'data' : role]++;
  }
  return covered;
}

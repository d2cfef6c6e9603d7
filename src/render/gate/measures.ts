import type { Raster } from '../raster.ts';
import type { Picture } from '../svg.ts';
import { type Placement, placementOf, type Role } from './placement.ts';
import { lightOf, linearOfTone, lumaOfColor, tonesOf } from './reflectance.ts';

/**
 * What can be measured on the picture itself, in the terms of ISO/IEC 15415: contrast, modulation,
 * unused error correction, fixed patterns. The thresholds are in limits.ts.
 */
export interface Measures {
  /** Luma of the light ground, the dark modules and the finder patterns, each from 0 to 1. */
  readonly ground: number;
  readonly modules: number;
  readonly finders: number;
  /** Symbol contrast: reflectance of the ground less that of the lighter of modules and finders. */
  readonly symbolContrast: number;
  /** Print contrast: by how much of the ground's luma the lighter of modules and finders is darker. */
  readonly printContrast: number;
  /** Luma between ground and finders against that between ground and modules. */
  readonly finderShare: number;
  /** The lesser of both as a share of all tones in the picture, the logo's included. */
  readonly toneShare: number;
  /** Of what each Reed-Solomon block can repair, how much is used up in the worst one. */
  readonly damage: number;
  /** Codewords that could still go wrong, over all blocks; negative when some block is beyond repair. */
  readonly spare: number;
  readonly blocks: number;
  /** Modules under logo and patch, by what they are there for. */
  readonly covered: Readonly<Record<Role, number>>;
  /** Share of the modules' area in the symbol that logo and patch take from it. */
  readonly hidden: number;
}

/** Blur of an ordinary sharp scan, in modules; a wrong module stays wrong in a worse one. */
const sharpBlurModules = 0.25;

/** Blur that hides a logo's fine lines and leaves its mass, which is what shifts thresholds. */
const massBlurModules = 0.4;

export function measuresOf(picture: Picture, raster: Raster, pxPerModule: number): Measures {
  const { design, layout, matrix } = picture;
  const { side } = layout;
  const ground = lumaOfColor(design.background);
  const modules = lumaOfColor(design.foreground);
  const finders = lumaOfColor(design.finderColor ?? design.foreground);
  const lighter = Math.max(modules, finders);
  const symbolContrast = linearOfTone(ground) - linearOfTone(lighter);
  const finderShare = (ground - finders) / Math.max(ground - modules, 1 / 255);

  const map = lightOf(raster, pxPerModule);
  const mass = tonesOf(map, layout.quietZoneModules, side, massBlurModules);
  const [darkest, lightest] = extremes(mass, Math.min(modules, finders), ground);
  const toneShare = (ground - lighter) / Math.max(lightest - darkest, 1 / 255);

  const tones = tonesOf(map, layout.quietZoneModules, side, sharpBlurModules);
  const placement = placementOf(side);
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
    ground,
    modules,
    finders,
    symbolContrast,
    printContrast: (ground - lighter) / Math.max(ground, 1 / 255),
    finderShare,
    toneShare,
    ...damageOf(placement, wrong),
    blocks: placement.blocks,
    covered,
    hidden,
  };
}

function extremes(tones: Float32Array, dark: number, light: number): [number, number] {
  let [darkest, lightest] = [dark, light];
  for (const tone of tones) {
    darkest = Math.min(darkest, tone);
    lightest = Math.max(lightest, tone);
  }
  return [darkest, lightest];
}

/** A codeword is lost when one of its modules is; each block repairs so many and no more. */
function damageOf(placement: Placement, wrong: Uint8Array) {
  const lost = new Uint8Array(placement.blockOf.length);
  for (let module = 0; module < wrong.length; module++) {
    const codeword = placement.codewordOf[module] ?? -1;
    if (wrong[module] === 1 && codeword >= 0) lost[codeword] = 1;
  }
  const byBlock = new Float32Array(placement.blocks);
  for (let codeword = 0; codeword < lost.length; codeword++) {
    const block = placement.blockOf[codeword] ?? 0;
    byBlock[block] = (byBlock[block] ?? 0) + (lost[codeword] ?? 0);
  }
  const worst = Math.max(...byBlock);
  const total = byBlock.reduce((sum, count) => sum + count, 0);
  const left = placement.repairable * placement.blocks - total;
  return {
    damage: worst / placement.repairable,
    spare: worst > placement.repairable ? Math.min(-1, left) : left,
  };
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
      Math.abs(x + 0.5 - side / 2) < logo.width / 2 &&
      Math.abs(y + 0.5 - side / 2) < logo.height / 2;
    if (!under && !layout.isCleared(x, y)) continue;
    const role = roles[module] ?? 'data';
    // Of the alignment patterns only the one at the lower right has no substitute.
    const spared = role === 'alignment' && (x < side - 9 || y < side - 9);
    covered[spared ? 'data' : role]++;
  }
  return covered;
}

import { type Picture, totalModules } from '../path/picture.ts';
import type { CodewordLayout } from '../symbol/codewords.ts';
import type { LightMap } from './light.ts';
import { type BinaryImage, binarize, windowsPerWidth } from './threshold.ts';

/** How many codewords are lost. */
export interface Damage {
  /** Share of what a Reed-Solomon block can repair that is used up in the worst one. */
  readonly damage: number;
  /** Codewords that can still be lost, over all blocks; negative when some block is beyond repair. */
  readonly spare: number;
}

/**
 * Counts lost codewords. A codeword is lost when one of its modules is.
 *
 * @param wrong 1 for each module that is read wrong, row by row
 */
export function damageOf(codewords: CodewordLayout, wrong: Uint8Array): Damage {
  const lost = new Uint8Array(codewords.blockOf.length);
  for (let module = 0; module < wrong.length; module++) {
    const codeword = codewords.codewordOf[module] ?? -1;
    if (wrong[module] === 1 && codeword >= 0) lost[codeword] = 1;
  }
  const byBlock = new Float32Array(codewords.blocks);
  for (let codeword = 0; codeword < lost.length; codeword++) {
    const block = codewords.blockOf[codeword] ?? 0;
    byBlock[block] = (byBlock[block] ?? 0) + (lost[codeword] ?? 0);
  }
  const worst = Math.max(...byBlock);
  const total = byBlock.reduce((sum, count) => sum + count, 0);
  const left = codewords.repairable * codewords.blocks - total;
  return {
    damage: worst / codewords.repairable,
    spare: worst > codewords.repairable ? Math.min(-1, left) : left,
  };
}

/** Damage from which a local threshold can make the difference. */
const nearlyBeyondRepair = 0.9;

/** Windows of local thresholds in photographs from near and far, in modules. */
const photographWindowsModules = [8, 14] as const;

/** Points of a module that scanners sample: their grids may be an eighth of a module off. */
const samples = [
  [0.5, 0.5],
  [0.375, 0.375],
  [0.625, 0.375],
  [0.375, 0.625],
  [0.625, 0.625],
] as const;

/**
 * Returns the damage in an image after a local threshold, as scanners apply it, if it is beyond repair;
 * otherwise `plain`.
 */
export function damageByLocalThreshold(
  plain: Damage,
  codewords: CodewordLayout,
  picture: Picture,
  map: LightMap,
): Damage {
  if (plain.damage < nearlyBeyondRepair || plain.damage > 1) return plain;
  // A file fills the frame, so its windows are smaller than those of any photograph.
  const fileWindowModules = totalModules(picture.layout) / windowsPerWidth;
  let worst = plain;
  for (const windowModules of [fileWindowModules, ...photographWindowsModules]) {
    const binary = binarize(map, windowModules * map.pxPerModule);
    for (const sample of samples) {
      const seen = damageOf(codewords, wrongModules(picture, binary, sample));
      if (seen.damage > Math.max(1, worst.damage)) worst = seen;
    }
  }
  return worst;
}

/** Returns which modules are read wrong in a binary image, 1 for wrong. */
function wrongModules(
  { layout, matrix }: Picture,
  { dark, widthPx, pxPerModule }: BinaryImage,
  [right, down]: readonly [number, number],
): Uint8Array {
  const { side, quietZoneModules } = layout;
  const wrong = new Uint8Array(side * side);
  for (let module = 0; module < wrong.length; module++) {
    const [x, y] = [module % side, Math.floor(module / side)];
    const column = Math.floor((x + quietZoneModules + right) * pxPerModule);
    const row = Math.floor((y + quietZoneModules + down) * pxPerModule);
    const isDark = dark[row * widthPx + column] === 1;
    if (isDark !== matrix.isDark(x, y)) wrong[module] = 1;
  }
  return wrong;
}

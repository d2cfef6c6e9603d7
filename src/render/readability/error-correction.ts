import { type Picture, totalModules } from '../path/picture.ts';
import type { CodewordLayout } from '../symbol/codewords.ts';
import type { Matrix } from '../symbol/matrix.ts';
import type { LightMap } from './light.ts';
import { binarize, windowsPerWidth } from './threshold.ts';

/** Error correction that a picture uses, and what it leaves. */
export interface ErrorCorrection {
  /** Lost codewords of the worst Reed-Solomon block, as a share of those that it can correct. */
  readonly errorCorrectionUsed: number;
  /** Codewords that can still be lost, over all blocks; negative when some block is beyond repair. */
  readonly errorCorrectionUnused: number;
}

/**
 * Counts lost codewords. A codeword is lost when one of its modules is.
 *
 * @param wrong 1 for each module that is read wrong, row by row
 */
export function errorCorrectionOf(codewords: CodewordLayout, wrong: Uint8Array): ErrorCorrection {
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
    errorCorrectionUsed: worst / codewords.repairable,
    errorCorrectionUnused: worst > codewords.repairable ? Math.min(-1, left) : left,
  };
}

/** Share of used error correction from which a local threshold can make the difference. */
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
 * Returns the error correction that an image uses behind a local threshold, as scanners apply it.
 * If it is not beyond repair, returns `plain`.
 */
export function errorCorrectionBehindThreshold(
  plain: ErrorCorrection,
  codewords: CodewordLayout,
  picture: Picture,
  map: LightMap,
): ErrorCorrection {
  if (plain.errorCorrectionUsed < nearlyBeyondRepair || plain.errorCorrectionUsed > 1) return plain;
  // A file fills the frame, so its windows are smaller than those of any photograph.
  const { quietZoneModules } = picture.layout;
  const fileWindowModules = totalModules(picture.layout) / windowsPerWidth;
  let worst = plain;
  for (const windowModules of [fileWindowModules, ...photographWindowsModules]) {
    const { dark, widthPx, pxPerModule } = binarize(map, windowModules * map.pxPerModule);
    for (const [right, down] of samples) {
      const wrong = wrongModules(picture.matrix, (x, y) => {
        const column = Math.floor((x + quietZoneModules + right) * pxPerModule);
        const row = Math.floor((y + quietZoneModules + down) * pxPerModule);
        return dark[row * widthPx + column] === 1;
      });
      const seen = errorCorrectionOf(codewords, wrong);
      if (seen.errorCorrectionUsed > Math.max(1, worst.errorCorrectionUsed)) worst = seen;
    }
  }
  return worst;
}

/** Returns which modules are seen in the other colour, 1 for wrong. */
export function wrongModules(
  { side, isDark }: Matrix,
  isSeenDark: (x: number, y: number) => boolean,
): Uint8Array {
  const wrong = new Uint8Array(side * side);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) if (isSeenDark(x, y) !== isDark(x, y)) wrong[y * side + x] = 1;
  return wrong;
}

import { lumaOfColor } from '../../core/designs/black-and-white.ts';
import type { Design } from '../../core/designs/design.ts';
import type { Picture } from '../path/picture.ts';
import {
  type CodewordLayout,
  codewordLayoutOf,
  innerAlignmentCenters,
  type Role,
} from '../symbol/codewords.ts';
import {
  type ErrorCorrection,
  errorCorrectionBehindThreshold,
  errorCorrectionOf,
  wrongModules,
} from './error-correction.ts';
import { greyThroughGlare, type LightMap, linearOfTone, tonesOf } from './light.ts';

/** Measures of the colours alone. */
export interface ColorMeasures {
  /** Luma of the background, the dark modules and the finder patterns, each from 0 to 1. */
  readonly background: number;
  readonly modules: number;
  readonly finders: number;
  /** Symbol contrast: reflectance of the background minus that of the lighter of modules and finders. */
  readonly symbolContrast: number;
  /** The same for the finder patterns alone. */
  readonly finderContrast: number;
  /**
   * Print contrast signal (PCS).
   * How much darker than the background the lighter of modules and finders is, as a share of the background's luma,
   * each as its grey behind the veiling glare of a phone's lens.
   */
  readonly printContrastSignal: number;
  /** Luma difference of background and finders, divided by that of background and modules. */
  readonly finderShare: number;
}

/**
 * Measures of a picture in the terms of ISO/IEC 15415.
 * Contrast, modulation, unused error correction, function patterns. The limits are in limits.ts.
 */
export interface Measures extends ErrorCorrection, ColorMeasures {
  /** The smaller of both differences as a share of the range of all tones, the logo's included. */
  readonly toneShare: number;
  /** Luma difference of background and modules as a share of the range of all tones but the finders'. */
  readonly logoShare: number;
  readonly blocks: number;
  /** Side of the symbol in modules. */
  readonly side: number;
  /** Whether the logo may hide alignment patterns: from version 7 on there are some in the middle. */
  readonly hidesAlignment: boolean;
  /** Number of modules under logo and patch by role. */
  readonly covered: Readonly<Record<Role, number>>;
  /** Share of the symbol's modules that logo and patch cover. */
  readonly hidden: number;
}

/** Stray light on a phone's lens, as a share of full white. */
const veilingGlare = 0.06;

/** Blur of a sharp scan, in modules. What is wrong in it is wrong in other scans, too. */
const sharpBlurModules = 0.25;

/** Blur that removes fine lines of a logo but not large areas, which shift thresholds, in modules. */
const massBlurModules = 0.4;

/** Measures the colours of a design. */
export function colorMeasuresOf(design: Design): ColorMeasures {
  const background = lumaOfColor(design.background);
  const modules = lumaOfColor(design.foreground);
  const finders = lumaOfColor(design.finderColor ?? design.foreground);
  const lighter = Math.max(modules, finders);
  return {
    background,
    modules,
    finders,
    symbolContrast: linearOfTone(background) - linearOfTone(lighter),
    finderContrast: linearOfTone(background) - linearOfTone(finders),
    printContrastSignal: printContrastSignalOf(design),
    finderShare: (background - finders) / Math.max(background - modules, 1 / 255),
  };
}

function printContrastSignalOf({ foreground, background, finderColor }: Design): number {
  const seen = (color: string) => greyThroughGlare(color, veilingGlare);
  const lighter = Math.max(seen(foreground), seen(finderColor ?? foreground));
  const light = Math.max(seen(background), 1 / 255);
  return (light - lighter) / light;
}

/**
 * Measures a picture.
 *
 * @param map the picture at a few whole pixels a module
 */
export function measuresOf(picture: Picture, map: LightMap): Measures {
  const { design, layout, matrix } = picture;
  const { side, quietZoneModules } = layout;
  const codewords = codewordLayoutOf(side);
  const colors = colorMeasuresOf(design);
  const { background, modules, finders } = colors;

  const mass = tonesOf(map, quietZoneModules, side, massBlurModules);
  const range = rangeOf([...mass, background, modules, finders]);
  const besideFinders = mass.filter((_, module) => codewords.roles[module] !== 'finder');
  const logoRange = rangeOf([...besideFinders, background, modules]);

  const tones = tonesOf(map, quietZoneModules, side, sharpBlurModules);
  const wrong = wrongModules(matrix, (x, y) => {
    const module = y * side + x;
    const dark = codewords.roles[module] === 'finder' ? finders : modules;
    return (tones[module] ?? 0) < (background + dark) / 2;
  });
  const covered = coveredModules(picture, codewords);
  const hidden = Object.values(covered).reduce((sum, count) => sum + count, 0) / wrong.length;
  return {
    ...colors,
    toneShare: (background - Math.max(modules, finders)) / Math.max(range, 1 / 255),
    logoShare: (background - modules) / Math.max(logoRange, 1 / 255),
    ...errorCorrectionBehindThreshold(errorCorrectionOf(codewords, wrong), codewords, picture, map),
    blocks: codewords.blocks,
    side,
    hidesAlignment: design.logo !== null && innerAlignmentCenters(side).length > 0,
    covered,
    hidden,
  };
}

/** Returns the difference of the lightest and the darkest of some tones. */
function rangeOf(tones: readonly number[]): number {
  return Math.max(...tones) - Math.min(...tones);
}

/** Counts the modules under the logo or its patch by role. */
function coveredModules(
  { layout }: Picture,
  { side, roles }: CodewordLayout,
): Record<Role, number> {
  const covered = { finder: 0, functionPattern: 0, format: 0, version: 0, alignment: 0, data: 0 };
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
    // Scanners need only the alignment pattern at the lower right.
    const spared = role === 'alignment' && (x < side - 9 || y < side - 9);
    covered[spared ? 'data' : role]++;
  }
  return covered;
}

import type { Measures } from './measures.ts';
import type { Readback } from './readback.ts';

/** What is wrong with a picture, or weak about it, and in which part of the design. */
export interface Finding {
  readonly part: 'colors' | 'finders' | 'logo' | 'quietZone' | 'whole';
  readonly text: string;
}

/**
 * Limits of what scanners take. Tuned on seed 1 of test/bench/readability.ts, where they part the
 * designs that two of three independent scanners read from those that two cannot.
 */
export const limits = {
  /** Symbol contrast below which ISO/IEC 15415 gives grade F. */
  symbolContrast: 0.2,
  /** Yellow (#ffd400) on white has 1.43: sensors see it better than people, and not all well enough. */
  contrastRatio: 1.44,
  /** Errors from hidden modules add to those from noise: so much more for a budget used up. */
  contrastPerDamage: 0.02,
  /** Paler finders are lost: zxing-cpp takes its threshold from the whole neighbourhood. */
  finderShare: 0.41,
  /** Modules this pale beside dark finders or a dark logo are taken for ground. */
  toneShare: 0.235,
  /** ISO/IEC 18004 asks for a quiet zone of four modules. */
  quietZoneModules: 4,
  /** Format information is written twice in a code that repairs three bits; one stays for dirt. */
  coveredFormat: 2,
  /** Of 25 modules; scanners accept the pattern with six wrong ones. */
  coveredAlignment: 6,
} as const;

/** Below these a design is accepted, with a word of caution. */
const caution = {
  /** Older scanners take a block for paper where dark is over two thirds as light as the ground. */
  darkToGround: 0.66,
  damage: 0.75,
  toneShare: 0.4,
} as const;

/** The symbol contrast that a design needs, from 0 to 1. */
function contrastLimit(damage: number): number {
  return limits.symbolContrast + limits.contrastPerDamage * Math.min(1, damage);
}

export function faultsOf(measures: Measures, quietZoneModules: number): Finding[] {
  const faults: Finding[] = [];
  const { ground, modules, finders, damage, spare, covered } = measures;
  const add = (part: Finding['part'], text: string) => faults.push({ part, text });
  const contrast = `symbol contrast ${percent(measures.symbolContrast)}, at least ${percent(contrastLimit(damage))} is needed`;
  if (modules >= ground) {
    add(
      'colors',
      'The code is inverted: the foreground must be darker than the background, because many scanners read nothing else.',
    );
  } else if (finders >= ground) {
    add(
      'finders',
      'The finder patterns are lighter than the background. Scanners find a code by its three dark corners: make them darker.',
    );
  } else if (measures.symbolContrast < contrastLimit(damage)) {
    if (finders > modules)
      add(
        'finders',
        `The finder colour is too close to the background (${contrast}). Make it darker.`,
      );
    else
      add(
        'colors',
        `Foreground and background are too close (${contrast}). Make the foreground darker or the background lighter.`,
      );
  } else if (measures.contrastRatio < limits.contrastRatio) {
    const ratio = `contrast ratio ${measures.contrastRatio.toFixed(2)}, at least ${limits.contrastRatio} is needed`;
    if (finders > modules)
      add(
        'finders',
        `The finder colour is too close to the background (${ratio}). Make it darker.`,
      );
    else
      add(
        'colors',
        `Foreground and background are too close (${ratio}). Make the foreground darker or the background lighter.`,
      );
  } else if (measures.finderShare < limits.finderShare) {
    add(
      'finders',
      'The finder patterns are much paler than the modules, so that scanners take them for background. Make them as dark as the modules.',
    );
  } else if (measures.toneShare < limits.toneShare) {
    add(
      'colors',
      'The modules are much paler than the finder patterns or the logo, so that scanners take them for background. Make the foreground darker.',
    );
  }

  if (quietZoneModules < limits.quietZoneModules) {
    add(
      'quietZone',
      `The quiet zone is ${quietZoneModules} modules wide; scanners need ${limits.quietZoneModules}.`,
    );
  }
  if (spare < Math.ceil(measures.blocks / 2)) {
    add(
      'logo',
      `The logo hides too much: ${percent(measures.hidden)} of the code, which uses ${percent(damage)} of the damage that can be repaired in the part hit worst, and something has to be left for dirt and scratches. Make the logo smaller.`,
    );
  }
  const steering = covered.finder + covered.separator + covered.timing + covered.version;
  if (steering > 0 || covered.format > limits.coveredFormat) {
    add(
      'logo',
      'The logo reaches into the corners and edges that scanners steer by. Make it smaller.',
    );
  } else if (covered.alignment > limits.coveredAlignment) {
    add(
      'logo',
      'The logo hides the small square at the lower right that scanners align to. Make it smaller.',
    );
  }
  return faults;
}

/** The picture holds a false alignment pattern (alignment.ts). */
export const decoyFault: Finding = {
  part: 'logo',
  text: 'A part of the logo looks like a pattern that scanners align to, and is not where it should be. Change the size of the logo, or put a patch behind it.',
};

/** What a scan said, where no measure found a fault. */
export function readbackFaults(readback: Readback, logoText: string | null): Finding[] {
  if (logoText !== null || readback.stray !== null) {
    return [
      {
        part: 'logo',
        text: 'The logo is a QR code itself: a phone may open that one instead. Use a logo without a code.',
      },
    ];
  }
  if (readback.read) return [];
  return [
    {
      part: 'whole',
      text: `None of ${readback.tried} simulated scans gave the link back.`,
    },
  ];
}

/** What is weak about an accepted design. */
export function cautionsOf(measures: Measures): string[] {
  const { ground, modules, finders, damage, toneShare } = measures;
  const words: string[] = [];
  if (Math.max(modules, finders) > ground * caution.darkToGround) {
    words.push('The contrast is low: most phones read it, some older scanners do not.');
  } else if (toneShare < caution.toneShare) {
    words.push(
      'Colours of very different darkness stand side by side: in poor light some scanners lose the paler ones.',
    );
  }
  if (damage > caution.damage) {
    words.push(
      `The logo uses ${percent(damage)} of the damage that can be repaired: keep the print clean, or make the logo smaller.`,
    );
  }
  return words;
}

/** 50 where the gate stands, 100 where nothing is left to wish for; the weakest measure decides. */
export function scoreOf(measures: Measures): number {
  const scores = [
    scaled(measures.symbolContrast, contrastLimit(measures.damage), 0.7),
    scaled(measures.contrastRatio - 1, limits.contrastRatio - 1, 6),
    scaled(measures.finderShare, limits.finderShare, 0.9),
    scaled(measures.toneShare, limits.toneShare, 0.7),
    measures.damage <= 1 ? 100 - 50 * measures.damage : 50 / measures.damage ** 2,
  ];
  return Math.round(Math.min(...scores));
}

function scaled(value: number, limit: number, best: number): number {
  if (value < limit) return Math.max(0, (50 * value) / limit);
  return Math.min(100, 50 + (50 * (value - limit)) / (best - limit));
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

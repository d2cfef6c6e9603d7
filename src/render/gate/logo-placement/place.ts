import { centeredLogo, type LogoPlacement } from '../../../core/designs/design.ts';
import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import { fittedPicture, type Picture } from '../../draw/svg.ts';
import { type Assessment, measure } from '../assessment.ts';
import { codeLogoFault } from '../reasons.ts';
import {
  createStabilityMeasure,
  fullyStable,
  nearlyStable,
  type StabilityMeasure,
} from './stability.ts';

/** Assessment of a picture with its logo placed so that it misleads no scanner. */
export interface PlacedAssessment {
  /** Null for the placement that the design sets. */
  readonly logoPlacement: LogoPlacement | null;
  readonly assessment: Assessment;
}

/** Assessing takes as long as drawing many placements, and most placements fail for the same reason. */
const maxAssessed = 8;

/**
 * Assesses a picture with the fully stable logo placement nearest to the design's, or the most stable one.
 * Only symbols of version 7 and more need a search. Deterministic.
 */
export async function assessPlaced(picture: Picture, shortLink: string): Promise<PlacedAssessment> {
  const measured = measure(picture, shortLink);
  // Where something else is wrong, no placement helps.
  if (measured.faults.length > 0) return { logoPlacement: null, assessment: measured.decode(true) };
  const stabilityOf = createStabilityMeasure(picture);
  const stability = stabilityOf(picture.layout, 1) ?? 0;
  // Existing codes keep their placement.
  const placed =
    stability < fullyStable && picture.design.logoPlacement === undefined
      ? await findPassing(picture, shortLink, stability, stabilityOf)
      : null;
  return placed ?? { logoPlacement: null, assessment: measured.decode(stability > 0) };
}

/**
 * Finds the most stable placement that passes.
 *
 * @param current stability of the placement that the design sets
 * @returns null when no better placement passes; the assessment where no placement helps
 */
async function findPassing(
  picture: Picture,
  shortLink: string,
  current: number,
  stabilityOf: StabilityMeasure,
): Promise<PlacedAssessment | null> {
  const assess = async (logoPlacement: LogoPlacement): Promise<PlacedAssessment> => {
    await yieldToEventLoop();
    const assessment = measure(fittedPicture(picture, logoPlacement), shortLink).decode(true);
    return { logoPlacement, assessment };
  };
  const stabilityAt = (logoPlacement: LogoPlacement, atLeast: number) =>
    stabilityOf(fittedPicture(picture, logoPlacement).layout, atLeast);
  const likely = await findMostStable(stabilityAt, current, (logoPlacement) => logoPlacement);
  if (likely === null) return null;
  // Others are assessed only when this one fails.
  const first = await assess(likely);
  if (passes(first)) return first;
  if (first.assessment.faults.includes(codeLogoFault)) return { ...first, logoPlacement: null };
  let left = maxAssessed;
  return findMostStable(stabilityAt, current, async (logoPlacement) => {
    if (left === 0) return null;
    left--;
    const next = await assess(logoPlacement);
    return passes(next) ? next : null;
  });
}

function passes({ assessment }: PlacedAssessment): boolean {
  return assessment.faults.length === 0;
}

/** Describes how and why a logo placement differs from the design. */
export function placementText({ sizePercent, rightModules, downModules }: LogoPlacement): string {
  const changes = [
    ...(sizePercent < 100 ? [`at ${sizePercent} % of the size you set`] : []),
    ...(rightModules !== 0 || downModules !== 0 ? ['a little off the middle'] : []),
  ];
  return `The logo is drawn ${changes.join(' and ')}, because as set a part of it lies where some scanners take it for a pattern of the code. Each code is fitted by itself and keeps its picture.`;
}

/** Placements that change the look about equally, in symbols of 45 modules and more a side. */
interface SearchStage {
  /** In percent of the size that is set. */
  readonly sizes: readonly number[];
  /** Largest offset from the center, to the right or down, in modules … */
  readonly reachModules: number;
  /** … and the smallest: nearer ones belong to an earlier stage. */
  readonly fromModules?: number;
  readonly stepModules: number;
  /** Stability at which later stages are skipped. */
  readonly enough: number;
}

/**
 * First placements that are hardly noticed without a comparison, then visible ones, which are better than
 * a code that some scanners can't read. Smaller steps find no more (test/bench/readability.md).
 */
const stages: readonly SearchStage[] = [
  { sizes: [100, 95, 90], reachModules: 0.75, stepModules: 0.25, enough: fullyStable },
  {
    sizes: [100, 95, 90],
    fromModules: 1,
    reachModules: 1.5,
    stepModules: 0.5,
    enough: nearlyStable,
  },
  { sizes: [85, 80], reachModules: 1.5, stepModules: 0.25, enough: nearlyStable },
  {
    sizes: [100, 95, 90, 85, 80],
    fromModules: 2,
    reachModules: 2,
    stepModules: 0.5,
    enough: nearlyStable,
  },
  { sizes: [75, 70, 65], reachModules: 1.5, stepModules: 0.5, enough: nearlyStable },
];

/** All placements but the design's, by stage, the smallest change first. */
const placementsByStage = stages.map((stage) => ({
  enough: stage.enough,
  placements: stage.sizes.flatMap((sizePercent): LogoPlacement[] =>
    offsets(stage)
      .map((offset) => ({ sizePercent, ...offset }))
      .filter((placement) => !Bun.deepEquals(placement, centeredLogo)),
  ),
}));

type Offset = Pick<LogoPlacement, 'rightModules' | 'downModules'>;

/** Returns the offsets of a stage, the shortest first. */
function offsets({ reachModules, fromModules = 0, stepModules }: SearchStage): Offset[] {
  const steps = [0];
  for (let step = stepModules; step <= reachModules; step += stepModules) steps.push(step, -step);
  return steps
    .flatMap((downModules) => steps.map((rightModules) => ({ rightModules, downModules })))
    .filter(
      ({ rightModules, downModules }) =>
        Math.max(Math.abs(rightModules), Math.abs(downModules)) >= fromModules,
    )
    .sort((a, b) => lengthOf(a) - lengthOf(b));
}

function lengthOf(offset: Offset): number {
  return Math.abs(offset.rightModules) + Math.abs(offset.downModules);
}

/**
 * Finds the nearest fully stable placement, or the nearest of the most stable ones.
 *
 * @param current stability of the placement that is set: others must exceed it
 * @param accept returns the result for a placement, or null to skip it
 * @returns null when no placement is more stable and accepted
 */
async function findMostStable<T extends object>(
  stabilityOf: (placement: LogoPlacement, atLeast: number) => number | null,
  current: number,
  accept: (placement: LogoPlacement) => T | null | Promise<T | null>,
): Promise<T | null> {
  let best: T | null = null;
  let highest = current;
  for (const { placements, enough } of placementsByStage) {
    for (const placement of placements) {
      const stability = stabilityOf(placement, highest + 1) ?? 0;
      const found = stability > highest ? await accept(placement) : null;
      if (found !== null) [best, highest] = [found, stability];
      if (highest === fullyStable) return best;
    }
    if (highest >= enough) return best;
  }
  return best;
}

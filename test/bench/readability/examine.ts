import jsQR from 'jsqr';
import {
  type Design,
  type ReadabilityResult,
  withLogoPlacement,
} from '../../../src/core/designs/design.ts';
import type { Renderer } from '../../../src/core/ports.ts';
import { photograph } from './camera.ts';
import { chanceOf } from './chance.ts';
import { type CleanReading, cleanReadings } from './clean.ts';
import { type Judge, says } from './judges.ts';
import { misleads } from './misleads.ts';
import { linearPicture } from './picture.ts';
import { type Raster, rasterOfSvg } from './raster.ts';
import { shotsOf } from './scenes.ts';
import { isInDoubt, type Truth, truthOf } from './truth.ts';

/** The render that the naive gate looks at, and the print that the camera looks at. */
export const printPxPerModule = 12;

/** By judge: the share of the shots it read, from 0 to 1. */
export type Shares = Readonly<Record<string, number>>;

export interface Examination {
  readonly shares: Shares;
  readonly truth: Truth;
  /** Whether another code can be read in the design as well, a logo's, if from close up alone. */
  readonly misleads: boolean;
  /** `judge scene` for every shot that was not read. */
  readonly missed: readonly string[];
  readonly verdict: ReadabilityResult;
  readonly gateMs: number;
  readonly naiveAccepts: boolean;
  /** Empty for refused designs. */
  readonly clean: readonly CleanReading[];
}

/** What the camera and the gates say about one link in one design. */
export async function examine(
  link: string,
  design: Design,
  tools: {
    renderer: Renderer;
    judges: readonly Judge[];
    seeds: readonly number[];
    /** How often each scene is photographed. */
    rounds: number;
    /** The same where the truth hangs on a few shots. */
    roundsInDoubt: number;
  },
): Promise<Examination> {
  const { renderer, judges } = tools;
  const begun = performance.now();
  const verdict = await renderer.checkReadability(link, design);
  const gateMs = performance.now() - begun;
  const drawn = withLogoPlacement(design, verdict.logoPlacement);
  const svg = new TextDecoder().decode(await renderer.svg(link, drawn));
  const modulesAcross = verdict.modules + 2 * verdict.quietZoneModules;
  const print = await rasterOfSvg(svg, modulesAcross * printPxPerModule);
  const { shares, missed } = await readShots(link, print, modulesAcross, tools);
  const misled = await misleads({ link, svg, modulesAcross, print }, judges);
  return {
    shares,
    truth: truthOf(Object.values(shares), misled),
    misleads: misled,
    missed,
    verdict,
    gateMs,
    naiveAccepts: naiveGate(print, link),
    clean: verdict.isReadable
      ? await cleanReadings({ link, design: drawn, svg, modulesAcross }, renderer, judges)
      : [],
  };
}

async function readShots(
  link: string,
  print: Raster,
  modulesAcross: number,
  {
    judges,
    seeds,
    rounds,
    roundsInDoubt,
  }: {
    judges: readonly Judge[];
    seeds: readonly number[];
    rounds: number;
    roundsInDoubt: number;
  },
) {
  const picture = linearPicture(print.rgba, print.widthPx, print.widthPx);
  const read: Record<string, number> = Object.fromEntries(judges.map(({ name }) => [name, 0]));
  const missed: string[] = [];
  let taken = 0;
  const sharesOf = (): Shares =>
    Object.fromEntries(Object.entries(read).map(([name, count]) => [name, count / taken]));
  let last = rounds;
  for (let round = 1; round <= last; round++) {
    // Each round has a stream of its own: the first is the same however many follow.
    const chance = chanceOf(...seeds, round);
    for (const shot of shotsOf(chance)) {
      const photo = photograph({ picture, modulesAcross }, shot, chance);
      taken++;
      for (const judge of judges) {
        if (says(await judge.read(photo), link)) read[judge.name] = (read[judge.name] ?? 0) + 1;
        else missed.push(`${judge.name} ${shot.scene}`);
      }
    }
    if (round === rounds && isInDoubt(Object.values(sharesOf()))) {
      last = Math.max(rounds, roundsInDoubt);
    }
  }
  return { shares: sharesOf(), missed };
}

/** jsQR, as it comes, on one clean render: what a first implementation would do. */
function naiveGate({ rgba, widthPx }: Raster, link: string): boolean {
  // Its default, said aloud because it keeps the options of any earlier call as its defaults.
  const options = { inversionAttempts: 'attemptBoth' } as const;
  return jsQR(new Uint8ClampedArray(rgba), widthPx, widthPx, options)?.data === link;
}

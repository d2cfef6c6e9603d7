import jsQR from 'jsqr';
import {
  type Design,
  type ReadabilityResult,
  withLogoPlacement,
} from '../../../src/core/designs/design.ts';
import type { Renderer } from '../../../src/core/designs/ports.ts';
import { photograph } from './camera.ts';
import { chanceOf } from './chance.ts';
import { type CleanReading, cleanReadings } from './clean.ts';
import { type Judge, says } from './judges.ts';
import { isMisleading } from './misleads.ts';
import { linearPicture } from './picture.ts';
import { type Raster, rasterOfSvg } from './raster.ts';
import { shotsOf } from './scenes.ts';
import { isInDoubt, type Truth, truthOf } from './truth.ts';

/** Resolution of the print that the camera sees, and of the naive check's render. */
export const printPxPerModule = 12;

/** Share of the shots that each judge read, from 0 to 1. */
export type Shares = Readonly<Record<string, number>>;

export interface Examination {
  readonly shares: Shares;
  readonly truth: Truth;
  readonly result: ReadabilityResult;
  readonly naiveAccepts: boolean;
  /** Empty for rejected designs. */
  readonly clean: readonly CleanReading[];
}

/** How often each scene is photographed. */
export interface Shooting {
  readonly rounds: number;
  /** The same where the truth depends on a few shots. */
  readonly roundsInDoubt: number;
}

interface Tools extends Shooting {
  readonly renderer: Renderer;
  readonly judges: readonly Judge[];
  readonly seeds: readonly number[];
}

/** Lets the checks and the judges read one link in one design. */
export async function examine(link: string, design: Design, tools: Tools): Promise<Examination> {
  const { renderer, judges } = tools;
  const result = await renderer.checkReadability(link, design);
  const drawn = withLogoPlacement(design, result.logoPlacement);
  const svg = new TextDecoder().decode(await renderer.svg(link, drawn));
  const modulesAcross = result.modules + 2 * result.quietZoneModules;
  const print = await rasterOfSvg(svg, modulesAcross * printPxPerModule);
  const shares = await readShots(link, print, modulesAcross, tools);
  const misleading = await isMisleading({ link, svg, modulesAcross, print }, judges);
  return {
    shares,
    truth: truthOf(Object.values(shares), misleading),
    result,
    naiveAccepts: isReadByJsqr(print, link),
    clean: result.isReadable
      ? await cleanReadings({ link, design: drawn, svg, modulesAcross }, renderer, judges)
      : [],
  };
}

async function readShots(
  link: string,
  { rgba, widthPx }: Raster,
  modulesAcross: number,
  { judges, seeds, rounds, roundsInDoubt }: Tools,
): Promise<Shares> {
  const picture = linearPicture(rgba, widthPx, widthPx);
  const read = judges.map(() => 0);
  let taken = 0;
  let last = rounds;
  for (let round = 1; round <= last; round++) {
    // Each round has its own random stream: the first is the same however many follow.
    const chance = chanceOf(...seeds, round);
    for (const shot of shotsOf(chance)) {
      const photo = photograph({ picture, modulesAcross }, shot, chance);
      taken++;
      for (const [index, judge] of judges.entries()) {
        if (says(await judge.read(photo), link)) read[index] = (read[index] ?? 0) + 1;
      }
    }
    const isDoubtful = round === rounds && isInDoubt(read.map((count) => count / taken));
    if (isDoubtful) last = Math.max(rounds, roundsInDoubt);
  }
  return Object.fromEntries(judges.map(({ name }, index) => [name, (read[index] ?? 0) / taken]));
}

/** The naive check: jsQR with its defaults on one clean render. */
function isReadByJsqr({ rgba, widthPx }: Raster, link: string): boolean {
  // jsQR keeps the options of earlier calls as its defaults.
  const options = { inversionAttempts: 'attemptBoth' } as const;
  return jsQR(new Uint8ClampedArray(rgba), widthPx, widthPx, options)?.data === link;
}

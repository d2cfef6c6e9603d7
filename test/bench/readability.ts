/**
 * Measures how well the readability check agrees with scanners that it does not use.
 *
 *     bun test/bench/readability.ts --seed 1 --designs 1000 [--shots 20] [--in-doubt 120] [--jobs 2]
 *                                   [--first 0] [--without JUDGE]
 *
 * 1. corpus.ts generates random designs on random links. A seed always gives the same corpus.
 * 2. camera.ts photographs the print of each design twice in each scene of scenes.ts: ordinary scans that
 *    work for black on white. People move closer when a scan does not catch.
 * 3. Five decoders read every shot. The truth is good or bad where two agree and no two object (truth.ts);
 *    otherwise it is disputed or unclear, and no check is wrong. `--in-doubt` sets the number of shots
 *    where the truth depends on a few of them, `--without` leaves a judge out.
 * 4. The check is compared with the truth, and so is a naive check: jsQR on one clean render. Accepted designs
 *    are also read from their clean PNGs and SVG.
 *
 * Results: readability.md.
 */
import { parseArgs } from 'node:util';
import { specimenOf } from './readability/corpus.ts';
import { findingsOf } from './readability/crew.ts';
import { errorsText, totalsText } from './readability/report.ts';
import { sceneNames } from './readability/scenes.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    designs: { type: 'string', default: '100' },
    first: { type: 'string', default: '0' },
    shots: { type: 'string', default: '20' },
    'in-doubt': { type: 'string', default: '0' },
    jobs: { type: 'string', default: '2' },
    without: { type: 'string' },
  },
});

const seed = wholeNumber(values.seed, 'seed');
const first = wholeNumber(values.first, 'first');
const specimens = Array.from({ length: wholeNumber(values.designs, 'designs') }, (_, index) =>
  specimenOf(seed, first + index),
);
const findings = await findingsOf(specimens, {
  jobs: wholeNumber(values.jobs, 'jobs'),
  rounds: Math.max(1, roundsOf(values.shots, 'shots')),
  roundsInDoubt: roundsOf(values['in-doubt'], 'in-doubt'),
  without: values.without ?? null,
});
console.log([totalsText(findings), errorsText(findings, 30)].join('\n\n'));

/** Returns how often each scene is photographed for a number of shots. */
function roundsOf(shots: string, name: string): number {
  return Math.round(wholeNumber(shots, name) / sceneNames.length);
}

function wholeNumber(text: string, name: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`--${name}: a whole number`);
  return number;
}

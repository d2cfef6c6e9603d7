/**
 * How well the readability gate agrees with scanners that it does not use.
 *
 *     bun test/bench/readability.ts --seed 1 --designs 1000 [--shots 20] [--in-doubt 120] [--jobs 2] [--first 0]
 *                                   [--advice] [--without JUDGE] [--out FOLDER] [--json]
 *
 * 1. corpus.ts draws random designs on random links: every option of Design, eight kinds of palette,
 *    eight kinds of logo, links of 20 to 80 characters. A seed names one corpus for ever.
 * 2. The product draws each as SVG; camera.ts photographs that print twice in each of the ten scenes of
 *    scenes.ts, anew each time:
 *    2.6 to 8 pixels a module; turned up to 180°; tilted up to 22° before a pinhole 2.2 widths away;
 *    blurred by 0.12 to 0.42 modules; on a white, grey or black page with a tenth to a third of the
 *    frame around it; light that falls to 40 % across the picture; under- and overexposed around an
 *    automatic meter; flare up to 8 %; colour casts of ±12 %; noise of 0.5 to 1.7 % at mid grey; tone
 *    curves of 0.92 to 1.1; JPEG quality 45 to 75. These are scans that work for black on white, not
 *    the worst that exist: people move closer when a scan does not catch.
 * 3. Five judges read every shot, none of which the product uses: zxing-cpp, ZBar, paulmillr's `qr`,
 *    rxing (a port of ZXing for Java) and WeChat's reader. They differ most on pale codes: zxing-cpp,
 *    ZBar and WeChat follow any step in brightness, the other two want a real one. The truth is good or
 *    bad where two agree and no two object (truth.ts); otherwise it is disputed or unclear, and then no
 *    gate is wrong. Whom one asks decides much of that, so each run is counted by zxing-cpp, ZBar and one
 *    more as well. `--in-doubt 120` takes so many shots where the truth would be another if one judge's
 *    share were off by 13 points. `--without wechat` leaves a judge out: the results before it joined were so read.
 * 4. The gate's verdict is held against the truth, and so is a naive gate's: jsQR on one clean render at
 *    12 pixels a module. Accepted designs are also read from their clean PNGs and SVG.
 *
 * `--advice` photographs what the gate advises instead of refused designs. Results: readability.md.
 */
import { parseArgs } from 'node:util';
import { type Specimen, specimenOf } from './readability/corpus.ts';
import { findingsOf } from './readability/crew.ts';
import { errorsText, groupsText, totalsText } from './readability/report.ts';
import { sceneNames } from './readability/scenes.ts';
import { totalsOf } from './readability/totals.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    designs: { type: 'string', default: '100' },
    first: { type: 'string', default: '0' },
    shots: { type: 'string', default: '20' },
    'in-doubt': { type: 'string', default: '0' },
    jobs: { type: 'string', default: '2' },
    without: { type: 'string' },
    out: { type: 'string' },
    advice: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const seed = wholeNumber(values.seed, 'seed');
const designs = wholeNumber(values.designs, 'designs');
const first = wholeNumber(values.first, 'first');

const findings = await findingsOf(
  corpus(),
  {
    jobs: wholeNumber(values.jobs, 'jobs'),
    rounds: Math.max(1, roundsOf(values.shots, 'shots')),
    roundsInDoubt: roundsOf(values['in-doubt'], 'in-doubt'),
    followAdvice: values.advice,
    without: values.without ?? null,
    outFolder: values.out ?? null,
  },
  (done) => {
    if (done % 50 === 0) process.stderr.write(`${done} of ${designs}\n`);
  },
);
const totals = totalsOf(findings);
if (values.json) {
  console.log(JSON.stringify({ seed, ...totals }));
} else {
  console.log(groupsText(findings));
  console.log(`\n${totalsText(totals)}\n`);
  console.log(errorsText(findings, 30));
}

function* corpus(): Generator<Specimen> {
  for (let index = first; index < first + designs; index++) yield specimenOf(seed, index);
}

/** How often each scene is photographed for so many shots. */
function roundsOf(shots: string, name: string): number {
  return Math.round(wholeNumber(shots, name) / sceneNames.length);
}

function wholeNumber(text: string, name: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`--${name}: a whole number`);
  return number;
}

import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';
import { thisServerVersion } from '../../compose/upgrade-check.ts';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import { type ImageMismatch, findImageMismatches } from '../../core/designs/image-check.ts';
import { createRenderer } from '../../render/renderer.ts';
import { openForCommand } from '../../sqlite/database/command-store.ts';
import { createDesignStore } from '../../sqlite/designs/designs.ts';
import { recordServerVersion } from '../../sqlite/database/versions.ts';
import { allPrinted, samplePrinted } from '../../sqlite/maintenance/sample.ts';
import { openForReading } from '../../sqlite/database/read-only.ts';
import { storeOn } from '../../sqlite/database/store.ts';
import { inBackground } from '../background.ts';
import { type CommonFlags, configOf, type Outcome, reporting, subcommand } from '../command.ts';
import { counted } from '../counted.ts';

interface VerifyFlags extends CommonFlags {
  readonly all?: true;
  readonly sample: number;
  readonly seed?: number;
  readonly accept?: true;
}

// More would say no more, and a million lines of JSON fit nowhere.
const mostInJson = 1000;

/** `waymark verify` */
export function addVerifyCommand(program: Command, startRenderWorker: StartRenderWorker): void {
  program.addCommand(
    inBackground(
      subcommand('verify', 'draw stored codes again and compare them with what was printed'),
    )
      .option('--all', 'every code, not a sample')
      .option('--sample <codes>', 'how many codes, spread over all ages', atLeastOne, 200)
      .option('--seed <number>', 'repeat the sample of an earlier run', wholeNumber)
      .option('--accept', 'let this program serve although it draws codes differently')
      .action((flags: VerifyFlags) => reporting(flags, () => verify(flags, startRenderWorker))),
  );
}

async function verify(flags: VerifyFlags, startRenderWorker: StartRenderWorker): Promise<Outcome> {
  const { data } = configOf(flags);
  const seed = flags.seed ?? randomSeed();
  const drifted: ImageMismatch[] = [];
  const counts = { image_changed: 0, unreadable: 0, not_rendered: 0 };
  const checked = await look(
    data,
    startRenderWorker,
    flags.all ? 'all' : { size: flags.sample, seed },
    (one) => {
      counts[one.problem]++;
      if (!flags.json) console.log(`${one.code}: ${one.message}`);
      else if (drifted.length < mostInJson) drifted.push(one);
    },
  );
  const found = counts.image_changed + counts.unreadable + counts.not_rendered;
  if (flags.accept) accept(data);

  const which = flags.all ? 'all codes' : `a sample; repeat it with --seed ${seed}`;
  const text = `Checked ${counted(checked, 'code')} (${which}): ${found === 0 ? 'all are' : `${checked - found} are`} as printed.`;
  const failure = failureOf(counts, checked);
  return {
    text: flags.accept ? `${text}\nFrom the next start on this program serves all the same.` : text,
    json: { checked, drifted: found, seed: flags.all ? null : seed, drift: drifted },
    ...(failure !== null && !flags.accept && { failure }),
  };
}

/** Looks at stored codes, beside a running server or without one. */
async function look(
  data: string,
  startRenderWorker: StartRenderWorker,
  which: 'all' | { size: number; seed: number },
  onDrift: (drift: ImageMismatch) => void,
): Promise<number> {
  const store = storeOn(openForReading(data));
  const concurrency = availableParallelism();
  const renderer = createRenderer({ startRenderWorker, workers: concurrency });
  try {
    const printed =
      which === 'all' ? allPrinted(store) : samplePrinted(store, which.size, which.seed);
    return await findImageMismatches(
      printed,
      { designs: createDesignStore(store), renderer, concurrency },
      onDrift,
    );
  } finally {
    await renderer.close();
    store.$client.close();
  }
}

/** The next start finds this program to be the one that served last, and asks no more. */
function accept(data: string): void {
  const store = openForCommand(data, { create: false, mayUpgrade: () => true });
  try {
    recordServerVersion(store, thisServerVersion, Date.now());
  } finally {
    store.$client.close();
  }
}

function failureOf(counts: Record<ImageMismatch['problem'], number>, checked: number): string | null {
  const { image_changed: changed, unreadable, not_rendered: notRendered } = counts;
  if (changed > 0)
    return (
      `${changed + unreadable} of ${checked} codes are no longer what was printed. Do not go on with ` +
      'this program: their images would change. Keep the one that created them.'
    );
  if (notRendered > 0)
    return (
      `${notRendered} of ${checked} codes could not be drawn, so it is not known whether they are as ` +
      'printed. "waymark doctor" says whether anything can be drawn here.'
    );
  if (unreadable > 0)
    return (
      `${unreadable} of ${checked} codes are drawn as they were printed, but this program cannot read ` +
      'them back. Scan one of them with a phone.'
    );
  return null;
}

/** A sample that can be asked for again. */
function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}

/** A sample of nothing would find that all is well. */
function atLeastOne(text: string): number {
  const number = wholeNumber(text);
  if (number > 0) return number;
  throw new InvalidArgumentError('It must be at least 1.');
}

function wholeNumber(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

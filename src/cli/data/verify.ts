import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { thisServerVersion } from '../../compose/upgrade-check.ts';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import { findImageMismatches, type ImageMismatch } from '../../core/designs/image-check.ts';
import { createRenderer } from '../../render/renderer.ts';
import { openForReading } from '../../sqlite/database/open.ts';
import { recordServerVersion } from '../../sqlite/database/startup-queries.ts';
import { openForCommand, storeOn } from '../../sqlite/database/store.ts';
import { createDesignStore } from '../../sqlite/designs/designs.ts';
import { allStoredImages, sampleStoredImages } from '../../sqlite/maintenance/stored-images.ts';
import {
  type CommonFlags,
  configOf,
  type Outcome,
  report,
  subcommand,
  wholeNumber,
  withLowPriority,
} from '../command.ts';
import { formatCount } from '../output.ts';

interface VerifyFlags extends CommonFlags {
  readonly all?: true;
  readonly sample: number;
  readonly seed?: number;
  readonly accept?: true;
}

// A million codes would make more JSON than a program can hold.
const maxMismatchesInJson = 1000;
const maxUint32 = 2 ** 32 - 1;

/** Adds `waymark verify`. */
export function addVerifyCommand(program: Command, startRenderWorker: StartRenderWorker): void {
  const command = subcommand('verify', 'render codes again and compare them with their creation');
  program.addCommand(
    withLowPriority(command)
      .option('--all', 'every code, not a sample')
      .option(
        '--sample <codes>',
        'number of codes, spread over all ages',
        wholeNumber({ min: 1, max: maxUint32 }),
        200,
      )
      .option(
        '--seed <number>',
        'repeat the sample of an earlier run',
        wholeNumber({ min: 0, max: maxUint32 }),
      )
      .option('--accept', 'let this version serve although it draws codes differently')
      .action((flags: VerifyFlags) => report(flags, () => verify(flags, startRenderWorker))),
  );
}

async function verify(flags: VerifyFlags, startRenderWorker: StartRenderWorker): Promise<Outcome> {
  const { data } = configOf(flags);
  const seed = flags.seed ?? crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  const which = flags.all ? 'all' : { size: flags.sample, seed };
  const listed: ImageMismatch[] = [];
  const counts = { image_changed: 0, unreadable: 0, not_rendered: 0 };
  const checked = await compare(data, startRenderWorker, which, (mismatch) => {
    counts[mismatch.problem]++;
    if (!flags.json) console.log(`${mismatch.code}: ${mismatch.message}`);
    else if (listed.length < maxMismatchesInJson) listed.push(mismatch);
  });
  if (flags.accept) acceptVersion(data);

  const found = counts.image_changed + counts.unreadable + counts.not_rendered;
  const sample = flags.all ? 'all codes' : `a sample; repeat it with --seed ${seed}`;
  const text = `Checked ${formatCount(checked, 'code')} (${sample}): ${checked - found} unchanged.`;
  const failure = failureOf(counts, checked);
  return {
    text: flags.accept ? `${text}\nThe next start of this version is accepted.` : text,
    json: { checked, drifted: found, seed: flags.all ? null : seed, drift: listed },
    ...(failure !== null && !flags.accept && { failure }),
  };
}

/** Renders stored codes again and returns their number. */
async function compare(
  data: string,
  startRenderWorker: StartRenderWorker,
  which: 'all' | { size: number; seed: number },
  onMismatch: (mismatch: ImageMismatch) => void,
): Promise<number> {
  const store = storeOn(openForReading(data));
  const concurrency = availableParallelism();
  const renderer = createRenderer({ startRenderWorker, workers: concurrency });
  try {
    const printed =
      which === 'all' ? allStoredImages(store) : sampleStoredImages(store, which.size, which.seed);
    const deps = { designs: createDesignStore(store), renderer, concurrency };
    return await findImageMismatches(printed, deps, onMismatch);
  } finally {
    await renderer.close();
    store.$client.close();
  }
}

/** Records this version as the one that served last, so that the next start compares no images. */
function acceptVersion(data: string): void {
  const store = openForCommand(data, { upgrade: true });
  try {
    recordServerVersion(store, thisServerVersion, Date.now());
  } finally {
    store.$client.close();
  }
}

function failureOf(counts: Record<ImageMismatch['problem'], number>, checked: number) {
  const { image_changed: changed, unreadable, not_rendered: notRendered } = counts;
  if (changed > 0)
    return (
      `${changed + unreadable} of ${checked} codes differ from their creation. Keep the version that ` +
      'created them: with this one, their images would change.'
    );
  if (notRendered > 0)
    return `${notRendered} of ${checked} codes could not be rendered. Run "waymark doctor".`;
  if (unreadable > 0)
    return (
      `${unreadable} of ${checked} codes are unchanged, but this version can't read them. Scan one of ` +
      'them with a phone.'
    );
  return null;
}

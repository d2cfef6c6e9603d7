import type { Command } from 'commander';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import { createStorage } from '../../compose/storage.ts';
import { thisServerVersion } from '../../compose/upgrade-check.ts';
import { compareImages } from '../../compose/verify-images.ts';
import type { Config } from '../../config.ts';
import type { ImageMismatch } from '../../core/codes/image-verification.ts';
import { formatCount } from '../../lib/numbers.ts';
import {
  type CommonFlags,
  configOf,
  numberOption,
  type Outcome,
  report,
  subcommand,
  withLowPriority,
} from '../command.ts';
import { createProgress } from '../progress.ts';

interface VerifyFlags extends CommonFlags {
  readonly all?: true;
  readonly sample: number;
  readonly accept?: true;
}

// Bounds the memory for the JSON.
const maxMismatchesInJson = 1000;
const sizes = { min: 1, max: 1_000_000_000 };

/** Adds `waymark verify`. */
export function addVerifyCommand(program: Command, startRenderWorker: StartRenderWorker): void {
  const command = subcommand('verify', 'render codes again and compare their images');
  program.addCommand(
    withLowPriority(command)
      .option('--all', 'compare every code instead of a sample')
      .addOption(
        numberOption('--sample <codes>', 'number of codes in the sample', sizes).default(200),
      )
      .option('--accept', 'let this version serve although it renders codes differently')
      .action((flags: VerifyFlags) => report(flags, () => verify(flags, startRenderWorker))),
  );
}

async function verify(flags: VerifyFlags, startRenderWorker: StartRenderWorker): Promise<Outcome> {
  const config = configOf(flags);
  const listed: ImageMismatch[] = [];
  const counts = { image_changed: 0, unreadable: 0, not_rendered: 0 };
  const progress = createProgress('codes', null);
  const onMismatch = (mismatch: ImageMismatch) => {
    counts[mismatch.problem]++;
    progress.end();
    if (!flags.json) console.log(`${mismatch.code}: ${mismatch.message}`);
    else if (listed.length < maxMismatchesInJson) listed.push(mismatch);
  };
  const reader = await (await createStorage(config)).openForReading();
  const images = flags.all ? reader.allImages() : reader.sampleImages(flags.sample);
  const { checked, svgOnly } = await compareImages(
    reader,
    countImages(images, progress.update),
    startRenderWorker,
    onMismatch,
  ).finally(async () => {
    progress.end();
    await reader.close();
  });
  if (flags.accept) await acceptVersion(config);

  const found = counts.image_changed + counts.unreadable + counts.not_rendered;
  const which = flags.all ? 'all codes' : 'a sample';
  const text = [
    `Checked ${formatCount(checked, 'code')} (${which}), SVG and PNG: ${checked - found} unchanged.`,
    ...(svgOnly > 0
      ? [
          `Of ${formatCount(svgOnly, 'code')}, only the SVG was compared: no code was created in their design since 1.1.`,
        ]
      : []),
  ].join('\n');
  const failure = failureOf(counts, checked);
  return {
    text: flags.accept ? `${text}\nThe next start of this version is accepted.` : text,
    json: {
      checked,
      ...(svgOnly > 0 && { svg_only: svgOnly }),
      mismatched: found,
      mismatches: listed,
    },
    ...(failure !== null && !flags.accept && { failure }),
  };
}

async function* countImages<T>(
  images: AsyncIterable<T>,
  onProgress: (done: number) => void,
): AsyncGenerator<T> {
  let done = 0;
  for await (const image of images) {
    yield image;
    onProgress(++done);
  }
}

/** Records this version as the last one that served, so that the next start compares no images. */
async function acceptVersion(config: Config): Promise<void> {
  const storage = await (await createStorage(config)).openForCommand({ upgrade: true });
  try {
    await storage.recordServerVersion(thisServerVersion, Date.now());
  } finally {
    await storage.close();
  }
}

function failureOf(counts: Record<ImageMismatch['problem'], number>, checked: number) {
  const { image_changed: changed, unreadable, not_rendered: notRendered } = counts;
  const of = `of ${checked} codes`;
  if (changed > 0)
    return (
      `${changed + unreadable} ${of} have changed images. Keep the version that created them: ` +
      'with this one, their images would change.'
    );
  if (notRendered > 0) return `${notRendered} ${of} could not be rendered. Run "waymark doctor".`;
  if (unreadable > 0)
    return `${unreadable} ${of} are unchanged but could not be decoded. Scan one with a phone.`;
  return null;
}

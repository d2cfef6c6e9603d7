import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { closing, realClock, type StartRenderWorker } from '../../compose/runtime.ts';
import { createStorage } from '../../compose/storage.ts';
import { thisServerVersion } from '../../compose/upgrade/upgrade-check.ts';
import { compareImages } from '../../compose/upgrade/verify-images.ts';
import type { ImageMismatch } from '../../core/codes/image-verification.ts';
import type { Storage } from '../../core/storage.ts';
import { readabilityText } from '../../http/sentences/readability.ts';
import { createTemporaryFolder } from '../../lib/files/temporary.ts';
import { formatCount } from '../../lib/numbers.ts';
import { createSqliteStorage } from '../../sqlite/storage.ts';
import {
  addCommand,
  type CommonFlags,
  configOf,
  lowerPriority,
  numberOption,
  type Outcome,
  toAction,
} from '../command.ts';
import { CommandError, UsageError } from '../errors/command-error.ts';
import { createProgress } from '../progress.ts';
import { contentJson, contentText } from './backup.ts';
import { type ChosenBackup, chooseBackup } from './backup-folder.ts';

interface VerifyFlags extends CommonFlags {
  readonly all?: true;
  readonly sample?: number;
  readonly accept?: true;
}

// Bounds the memory for the JSON.
const maxMismatchesInJson = 1000;
const standardSample = { database: 200, backup: 10 };
const sizes = { min: 1 };

/** Adds `waymark verify`. */
export function addVerifyCommand(program: Command, startRenderWorker: StartRenderWorker): void {
  addCommand(program, 'verify', 'render codes again and compare their images')
    .argument(
      '[backup]',
      'a backup to restore into a temporary folder and check, instead of the database',
    )
    .option('--all', 'compare every code instead of a sample')
    .addOption(
      numberOption(
        '--sample <codes>',
        `number of codes in the sample (default: ${standardSample.database}, or ${standardSample.backup} of a backup)`,
        sizes,
      ),
    )
    .option('--accept', 'let this version serve although it renders codes differently')
    .hook('preAction', lowerPriority)
    .action(
      toAction(async (backup: string | undefined, flags: VerifyFlags) => {
        if (backup !== undefined) return verifyBackup(backup, flags, startRenderWorker);
        const storage = await createStorage(configOf(flags));
        return verify(storage, { sample: standardSample.database, ...flags }, startRenderWorker);
      }),
    );
}

/** Restores a backup into a temporary folder, as for an emergency, and reads codes of it. */
async function verifyBackup(
  path: string,
  flags: VerifyFlags,
  startRenderWorker: StartRenderWorker,
): Promise<Outcome> {
  if (flags.accept) throw new UsageError('--accept is for a database, not for a backup.');
  const { file, problem } = chosenBackup(path);
  const folder = createTemporaryFolder(tmpdir(), 'waymark-verify-');
  try {
    const storage = createSqliteStorage(folder.path);
    const options = { replace: false, keepSessions: true, nowMs: realClock.nowMs() };
    const { rows } = await storage.restore(resolve(file), options);
    // The backup may be of an earlier version.
    await (await storage.openForCommand({ upgrade: true })).close();
    const { text, json, ...outcome } = await verify(
      storage,
      { sample: standardSample.backup, ...flags },
      startRenderWorker,
    );
    return {
      text: [`Restored ${file} into a temporary folder: ${contentText(rows)}.`, ...[text].flat()],
      json: { file, ...contentJson(rows), ...(json as object) },
      ...outcome,
      ...(problem !== null && { failure: problem }),
    };
  } finally {
    folder.remove();
  }
}

/** Returns the backup to verify. Having none is what the check has found, and no wrong usage. */
function chosenBackup(path: string): ChosenBackup {
  try {
    return chooseBackup(path, Date.now());
  } catch (error) {
    throw error instanceof UsageError ? new CommandError(error.message) : error;
  }
}

async function verify(
  storage: Storage,
  flags: VerifyFlags & { readonly sample: number },
  startRenderWorker: StartRenderWorker,
): Promise<Outcome> {
  const listed: (Pick<ImageMismatch, 'code' | 'problem'> & { readonly message: string })[] = [];
  const counts = { image_changed: 0, unreadable: 0, not_rendered: 0 };
  using progress = createProgress('codes', null);
  const onMismatch = (mismatch: ImageMismatch) => {
    counts[mismatch.problem]++;
    progress.end();
    const { code, problem } = mismatch;
    const message = mismatchText(mismatch);
    if (!flags.json) console.log(`${code}: ${message}`);
    else if (listed.length < maxMismatchesInJson) listed.push({ code, problem, message });
  };
  const compare = async () => {
    await using reader = closing(await storage.openForReading());
    const images = flags.all ? reader.allImages() : reader.sampleImages(flags.sample);
    const counted = countImages(images, progress.update);
    return await compareImages(reader, counted, startRenderWorker, onMismatch);
  };
  const { checked, svgOnly } = await compare();
  if (flags.accept) await acceptVersion(storage);

  const found = counts.image_changed + counts.unreadable + counts.not_rendered;
  const which = flags.all ? 'all codes' : 'a sample';
  return {
    text: [
      `Checked ${formatCount(checked, 'code')} (${which}), SVG and PNG: ${checked - found} unchanged.`,
      svgOnly > 0 &&
        `Of ${formatCount(svgOnly, 'code')}, only the SVG was compared: no code was created in their design since 1.1.`,
      flags.accept === true && 'The next start of this version is accepted.',
    ],
    json: {
      checked,
      ...(svgOnly > 0 && { svg_only: svgOnly }),
      mismatched: found,
      mismatches: listed,
    },
    failure: !flags.accept && failureOf(counts, checked),
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
async function acceptVersion(database: Storage): Promise<void> {
  await using storage = closing(await database.openForCommand({ upgrade: true }));
  await storage.recordServerVersion(thisServerVersion, realClock.nowMs());
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

/** Describes the problem of an image. */
function mismatchText(mismatch: ImageMismatch): string {
  switch (mismatch.problem) {
    case 'unreadable':
      return `cannot be decoded. ${readabilityText({ reasons: mismatch.reasons, advice: null })}`;
    case 'image_changed': {
      const changed =
        mismatch.changed === 'both' ? 'SVG and the PNG differ' : `${mismatch.changed} differs`;
      return `the ${changed} from what was created`;
    }
    case 'not_rendered':
      return `cannot be rendered: ${mismatch.cause}`;
  }
}

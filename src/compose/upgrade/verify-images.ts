import { availableParallelism } from 'node:os';
import {
  type Comparison,
  findImageMismatches,
  type ImageMismatch,
} from '../../core/codes/image-verification.ts';
import type { QrImageSource } from '../../core/codes/qr.ts';
import { DatabaseUnusable } from '../../core/errors.ts';
import type { Health } from '../../core/health.ts';
import type { ServerVersion, StorageReader } from '../../core/storage.ts';
import { describeUpgrade, version } from '../../lib/build/version.ts';
import type { Logger } from '../../lib/logger.ts';
import { formatCount, formatNumber } from '../../lib/numbers.ts';
import { createRenderer } from '../../workers/renderer.ts';
import { closing, type StartRenderWorker } from '../runtime.ts';

export interface VerificationDeps {
  readonly startRenderWorker: StartRenderWorker;
  readonly log: Logger;
  readonly health: Pick<Health, 'add'>;
}

// Takes a second or two. A changed renderer changes all images of a design, so a sample is enough.
const sampleSize = 100;
const maxNamedCodes = 5;
// A worker that does not start fails after 20 s.
const maxRenderFailures = 5;

/**
 * Renders a sample of the stored codes and compares the images with their hashes at creation.
 *
 * @param last the version that served before, if it is known
 * @returns false if no image could be rendered. The server starts nevertheless: redirects need no images
 * @throws DatabaseUnusable when images changed
 */
export async function verifySampleImages(
  reader: StorageReader,
  last: ServerVersion | null,
  { startRenderWorker, log }: VerificationDeps,
): Promise<boolean> {
  const changed: string[] = [];
  let failures = 0;
  async function* sample() {
    for await (const image of reader.sampleImages(sampleSize)) {
      if (failures >= maxRenderFailures) return;
      yield image;
    }
  }
  const { checked } = await compareImages(reader, sample(), startRenderWorker, (mismatch) => {
    const { code, problem } = mismatch;
    if (problem === 'image_changed') changed.push(code);
    else if (problem === 'unreadable') log.warn('an image cannot be decoded', { code });
    else {
      log.warn('an image cannot be rendered', { code, cause: mismatch.cause });
      failures++;
    }
  });
  if (changed.length > 0) throw imagesChanged(changed, checked, last);

  const isUpgrade = last?.version !== version;
  const change = isUpgrade ? describeUpgrade(last?.version ?? null) : 'the renderer is another one';
  const codes = checked - failures;
  if (codes > 0) {
    if (isUpgrade) log.info(`${change}: the images of a sample are unchanged`, { codes });
  } else
    log.error(
      `${change}: no image could be rendered, so downloads may differ from printed codes. Redirects ` +
        'work. Run "waymark doctor" for the cause. The next start checks again',
    );
  return codes > 0;
}

/** Renders stored images again, reports each that differs, and returns how many were compared. */
export async function compareImages(
  { designs }: Pick<StorageReader, 'designs'>,
  images: AsyncIterable<QrImageSource>,
  startRenderWorker: StartRenderWorker,
  onMismatch: (mismatch: ImageMismatch) => void,
): Promise<Comparison> {
  const concurrency = availableParallelism();
  await using renderer = closing(createRenderer({ startRenderWorker, workers: concurrency }));
  return await findImageMismatches(images, { designs, renderer, concurrency }, onMismatch);
}

function imagesChanged(
  changed: readonly string[],
  checked: number,
  last: ServerVersion | null,
): DatabaseUnusable {
  const named = changed.slice(0, maxNamedCodes);
  if (changed.length > named.length) named.push('…');
  const previous = last === null ? 'the previous version' : `Waymark ${last.version}`;
  return new DatabaseUnusable(
    `Waymark ${version} draws ${formatNumber(changed.length)} of ${formatCount(checked, 'code')} differently from their printed images ` +
      `(${named.join(', ')}). Nothing was changed: you can continue with ${previous}. "waymark verify ` +
      '--all" lists every such code. Redirects are not affected. If new downloads may differ from ' +
      'printed codes, run "waymark verify --accept" and start again.',
  );
}

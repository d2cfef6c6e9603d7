import { availableParallelism } from 'node:os';
import { findImageMismatches, type ImageMismatch } from '../core/designs/image-check.ts';
import type { RandomBytes } from '../core/ports.ts';
import type { Logger } from '../lib/logger.ts';
import { createRenderer } from '../render/renderer.ts';
import type { Connection } from '../sqlite/database/open.ts';
import { storeOn } from '../sqlite/database/store.ts';
import type { ServerVersion } from '../sqlite/database/versions.ts';
import { createDesignStore } from '../sqlite/designs/designs.ts';
import { samplePrinted } from '../sqlite/maintenance/sample.ts';
import type { StartRenderWorker } from './server.ts';
import { StartupError } from './start-refused.ts';

// A second or two on two processors, once an upgrade. Whatever draws differently does so for all codes
// of a design, so a sample over all ages meets it.
const sampleSize = 100;
// A message names a few; "waymark verify --all" names all.
const mostNamed = 5;
// Waiting for a worker that does not start takes 20 s each time: not done for all codes when every one so far failed.
const mostNotRendered = 5;

/**
 * Draws a sample of the stored codes, of which there are some, and compares it with what was printed.
 *
 * @param last who served before, as far as that is known
 * @returns whether any could be drawn. Where no worker starts none can, but redirects need no picture: the
 *   server starts nevertheless
 * @throws StartupError when codes would be drawn differently
 */
export async function proveSample(
  connection: Connection,
  last: ServerVersion | null,
  deps: { startRenderWorker: StartRenderWorker; log: Logger; randomBytes: RandomBytes },
): Promise<boolean> {
  const { log } = deps;
  const seed = Buffer.from(deps.randomBytes(4)).readUInt32LE();
  const { looked, found } = await lookAtSample(connection, seed, deps);
  if (found.image_changed.length > 0) throw refusal(found.image_changed, looked, last);
  for (const { code, message } of found.unreadable)
    log.warn('a code is drawn as printed', { code, message });
  for (const { code, message } of found.not_rendered)
    log.warn('a code could not be drawn', { code, message });
  const takingOver = `taking over from ${last === null ? 'an earlier version' : last.version}`;
  const codes = looked - found.not_rendered.length;
  if (codes > 0)
    log.info(`${takingOver}: a sample of the codes is drawn as it was printed`, { codes, seed });
  else
    log.error(
      `${takingOver}: no code could be drawn, so it is not known whether downloads are as printed. ` +
        'Redirects are answered; "waymark doctor" tells more, and the next start looks again',
    );
  return codes > 0;
}

interface Sample {
  /** Codes that were looked at. */
  readonly looked: number;
  readonly found: Readonly<Record<ImageMismatch['problem'], readonly ImageMismatch[]>>;
}

async function lookAtSample(
  connection: Connection,
  seed: number,
  { startRenderWorker }: { startRenderWorker: StartRenderWorker },
): Promise<Sample> {
  const store = storeOn(connection);
  const concurrency = availableParallelism();
  const renderer = createRenderer({ startRenderWorker, workers: concurrency });
  const found: Record<ImageMismatch['problem'], ImageMismatch[]> = {
    image_changed: [],
    unreadable: [],
    not_rendered: [],
  };
  let begun = 0;
  function* printed() {
    for (const one of samplePrinted(store, sampleSize, seed)) {
      // All but those that are being drawn now have failed.
      const isHopeless =
        found.not_rendered.length >= Math.max(mostNotRendered, begun - concurrency);
      if (isHopeless) return;
      begun++;
      yield one;
    }
  }
  try {
    const tools = { designs: createDesignStore(store), renderer, concurrency };
    const looked = await findImageMismatches(printed(), tools, (drift) =>
      found[drift.problem].push(drift),
    );
    return { looked, found };
  } finally {
    await renderer.close();
  }
}

function refusal(
  drawn: readonly ImageMismatch[],
  codes: number,
  last: ServerVersion | null,
): StartupError {
  const named = drawn.slice(0, mostNamed).map(({ code }) => code);
  const before = last === null ? 'the program that served before' : `Waymark ${last.version}`;
  return new StartupError(
    `${drawn.length} of ${codes} codes are not drawn as they were printed (${named.join(', ')}` +
      `${drawn.length > named.length ? ', …' : ''}). Nothing was changed: go on with ${before}. ` +
      '"waymark verify --all" names every such code. Where printed codes lead is not touched by ' +
      'this; if new downloads may look different from what is printed, run "waymark verify ' +
      '--accept" and start again.',
  );
}

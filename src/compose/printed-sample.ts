import { availableParallelism } from 'node:os';
import type { Spawn } from '../compose.ts';
import { type Drift, findDrift } from '../core/drift.ts';
import type { Log } from '../core/log.ts';
import type { RandomBytes } from '../core/ports.ts';
import { makeRenderer } from '../render/renderer.ts';
import { makeDesignStore } from '../sqlite/designs.ts';
import type { Connection } from '../sqlite/open.ts';
import type { Program } from '../sqlite/programs.ts';
import { samplePrinted } from '../sqlite/qr-sample.ts';
import { storeOn } from '../sqlite/store.ts';
import { StartRefused } from './start-refused.ts';

// A second or two on two processors, once an upgrade. Whatever draws differently does so for all codes
// of a design, so a sample over all ages meets it.
const sampleSize = 100;
// A message names a few; "waymark verify --all" names all.
const mostNamed = 5;

/**
 * Draws a sample of the stored codes, of which there are some, and compares it with what was printed.
 *
 * @param last who served before, as far as that is known
 * @throws StartRefused when codes would be drawn differently
 */
export async function proveSample(
  connection: Connection,
  last: Program | null,
  { spawn, log, randomBytes }: { spawn: Spawn; log: Log; randomBytes: RandomBytes },
): Promise<void> {
  const store = storeOn(connection);
  const seed = Buffer.from(randomBytes(4)).readUInt32LE();
  const hands = availableParallelism();
  const renderer = makeRenderer({ spawn, workers: hands });
  const found: Drift[] = [];
  try {
    const tools = { designs: makeDesignStore(store), renderer, hands };
    const printed = samplePrinted(store, sampleSize, seed);
    const codes = await findDrift(printed, tools, (drift) => found.push(drift));
    const drawn = found.filter(({ problem }) => problem !== 'unreadable');
    if (drawn.length > 0) throw refusal(drawn, codes, last);
    const before = last === null ? 'an earlier version' : last.version;
    log.info(`taking over from ${before}: a sample of the codes is drawn as it was printed`, {
      codes,
      seed,
    });
    for (const { code, message } of found)
      log.warn('a code is drawn as printed', { code, message });
  } finally {
    await renderer.close();
  }
}

function refusal(drawn: readonly Drift[], codes: number, last: Program | null): StartRefused {
  const named = drawn.slice(0, mostNamed).map(({ code }) => code);
  const before = last === null ? 'the program that served before' : `Waymark ${last.version}`;
  return new StartRefused(
    `${drawn.length} of ${codes} codes are not drawn as they were printed (${named.join(', ')}` +
      `${drawn.length > named.length ? ', …' : ''}). Nothing was changed: go on with ${before}. ` +
      '"waymark verify --all" names every such code. Where printed codes lead is not touched by ' +
      'this; if new downloads may look different from what is printed, run "waymark verify ' +
      '--accept" and start again.',
  );
}

import { availableParallelism } from 'node:os';
import { type Spawn, StartRefused } from '../compose.ts';
import type { Config } from '../config.ts';
import { type Drift, findDrift } from '../core/drift.ts';
import type { Log } from '../core/log.ts';
import { makeRenderer } from '../render/renderer.ts';
import { makeDesignStore } from '../sqlite/designs.ts';
import { isLocked } from '../sqlite/lock.ts';
import { DatabaseRefused } from '../sqlite/migrate.ts';
import type { Store } from '../sqlite/open.ts';
import { lastProgram, type Program } from '../sqlite/programs.ts';
import { samplePrinted } from '../sqlite/qr-sample.ts';
import { openForReading } from '../sqlite/read-only.ts';
import { thisProgram } from './program.ts';

// A second or two on two processors, once an upgrade. Whatever draws differently does so for all codes
// of a design, so a sample over all ages meets it.
const sampleSize = 100;
// A message names a few; "waymark verify --all" names all.
const mostNamed = 5;

/**
 * Before a program takes over from another one: draws a sample of the stored codes and holds it
 * against what was printed. Only reads, also of a database with an older schema, so that whoever
 * is refused here can go on with the program that served before.
 *
 * @param seed decides the sample
 * @throws StartRefused when codes would be drawn differently
 */
export async function proveTakeover(
  config: Pick<Config, 'data'>,
  world: { spawn: Spawn; log: Log; seed: number },
): Promise<void> {
  // The start is about to refuse in its own words.
  const store = openUnlessRefused(config.data);
  if (store === null) return;
  try {
    const last = lastProgram(store);
    if (last?.renderer !== thisProgram.renderer) await proveSample(store, last, world);
  } finally {
    store.$client.close();
  }
}

function openUnlessRefused(data: string): Store | null {
  try {
    return isLocked(data) ? null : openForReading(data);
  } catch (error) {
    if (error instanceof DatabaseRefused) return null;
    throw error;
  }
}

async function proveSample(
  store: Store,
  last: Program | null,
  { spawn, log, seed }: { spawn: Spawn; log: Log; seed: number },
): Promise<void> {
  const hands = availableParallelism();
  const renderer = makeRenderer({ spawn, workers: hands });
  const found: Drift[] = [];
  try {
    const tools = { designs: makeDesignStore(store), renderer, hands };
    const printed = samplePrinted(store, sampleSize, seed);
    const codes = await findDrift(printed, tools, (drift) => found.push(drift));
    if (codes === 0) return;
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

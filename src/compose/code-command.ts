import { availableParallelism } from 'node:os';
import { type Config, servedPrefixesOf } from '../config.ts';
import type { Stores } from '../core/storage.ts';
import type { Logger } from '../lib/logger.ts';
import { createRenderer } from '../workers/renderer.ts';
import { composeCodes } from './codes.ts';
import { closing, type StartRenderWorker } from './runtime.ts';
import { composeSafety } from './safety.ts';
import { createStorage } from './storage.ts';
import { requirePrefixes, requireServed } from './upgrade/upgrade-check.ts';

/**
 * Creates what commands create and edit codes with. Workers start when something is rendered.
 *
 * @throws DatabaseUnusable when the short URL is not one of the server's, or existing codes have a prefix that the
 *   settings lack: new codes would get short links that nothing serves
 */
export async function composeCodeCommand(
  config: Config,
  deps: { stores: Stores; startRenderWorker: StartRenderWorker; log: Logger },
) {
  const { stores, startRenderWorker, log } = deps;
  await checkShortUrl(config);
  const workers = availableParallelism();
  const renderer = createRenderer({ startRenderWorker, workers });
  const {
    runner,
    scheduleRunner: _,
    ...codes
  } = composeCodes(config, {
    stores,
    rendererFor: renderer.for,
    readTable: renderer.files.readTable,
    safety: composeSafety(config, stores, log),
    servedPrefixes: servedPrefixesOf(config),
    concurrency: workers,
    log,
  });
  return {
    ...codes,
    files: renderer.files,
    /** Ends the workers. The database stays open. */
    close: async () => {
      const stopped = runner.close();
      await renderer.close();
      await stopped;
    },
  };
}

async function checkShortUrl(config: Config): Promise<void> {
  await using reader = closing(await (await createStorage(config)).openForReading());
  await requireServed(reader, config);
  await requirePrefixes(reader, config);
}

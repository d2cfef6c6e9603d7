import type { Config } from '../config.ts';
import { createLinkFollower } from '../core/codes/follow.ts';
import { pathPrefixes } from '../core/codes/short-url.ts';
import { createResponseCounts } from '../http/responses.ts';
import { createSite, type Health } from '../http/site.ts';
import type { Logger } from '../lib/logger.ts';
import { memoize } from '../lib/memoize.ts';
import type { ComposedApp } from './app.ts';
import { realClock, realRandomBytes, type StartRenderWorker } from './runtime.ts';
import { createStorage } from './storage.ts';
import { checkBeforeServing, recordThisServerVersion } from './upgrade-check.ts';

/**
 * Creates a server. Short links and health work at once; everything else is loaded on first use, which
 * shortens the time that short links are down in a restart.
 *
 * @throws DatabaseUnusable, ConfigError
 */
export async function composeServer(
  config: Config,
  deps: { startRenderWorker: StartRenderWorker; log: Logger },
) {
  const { log } = deps;
  const { durability } = config;
  let isVerified = true;
  const storage = await (await createStorage(config)).openForServer({
    durability,
    log,
    check: async (reader) => {
      isVerified = await checkBeforeServing(reader, config, deps);
    },
  });
  if (isVerified) await recordThisServerVersion(storage, log);

  const responses = createResponseCounts();
  // Codes redirect at the public URL as well.
  const servedPrefixes = [config.shortUrl, ...config.shortUrlAliases, config.publicUrl];

  let app: ComposedApp | undefined;
  const load = memoize(async () => {
    const { composeApp } = await import('./app.ts');
    const parts = { storage, stores: await storage.stores(), responses, servedPrefixes };
    app = composeApp(config, { ...parts, ...deps });
    return app;
  });

  const health = (): Health => ({
    problems: storage.problems(),
    warnings: app?.warnings() ?? [],
  });

  const site = createSite({
    app: load,
    links: createLinkFollower({
      links: storage.links,
      clock: realClock,
      warnOfFlagged: config.safetyWarning,
    }),
    health,
    responses,
    publicUrl: config.publicUrl,
    basePaths: pathPrefixes(servedPrefixes),
    log,
    newRequestId: () => realRandomBytes(8).toHex(),
  });

  return {
    site,
    /** Whether there is no account yet. */
    isNew: storage.isNew,
    /** Loads everything except short links and health, once. Blocks the thread for about 20 ms. */
    load,
    /** Rejects queued and new render jobs. */
    stopRendering: async () => {
      await app?.stopRendering();
    },
    /** Writes buffered scans and closes the database. No request may follow. */
    close: async () => {
      await app?.close();
      const lost = await storage.close();
      if (lost > 0) log.error('scans could not be written and are lost', { scans: lost });
    },
  };
}

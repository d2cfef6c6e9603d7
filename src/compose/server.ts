import { type Config, servedPrefixesOf } from '../config.ts';
import type { LinkStore } from '../core/codes/ports.ts';
import { pathPrefixes } from '../core/codes/urls/short-url.ts';
import { DatabaseCorrupt, DiskFull } from '../core/errors.ts';
import type { Health } from '../core/health.ts';
import type { RedirectStorage, ServerStorage, Storage } from '../core/storage.ts';
import { createResponseCounts, type ResponseCounts } from '../http/responses.ts';
import { type App, createSite, type Site } from '../http/site.ts';
import { errorMessage } from '../lib/errors.ts';
import { every } from '../lib/event-loop.ts';
import type { Logger } from '../lib/logger.ts';
import { memoize } from '../lib/memoize.ts';
import type { Valkey } from '../limits/valkey/connection.ts';
import type { ComposedApp } from './app.ts';
import { composeHealth } from './health.ts';
import type { RedirectOnlyReason } from './redirect-only.ts';
import { realClock, realRandomBytes, type StartRenderWorker } from './runtime.ts';
import { createStorage } from './storage.ts';
import { checkBeforeServing, recordThisServer } from './upgrade/upgrade-check.ts';

export interface ComposedServer {
  readonly site: Site;
  /** Issues the one-time link that creates the first account, or returns null if there is one. */
  firstLink(): Promise<string | null>;
  /** Loads everything except short links and health, once. Blocks the thread for about 20 ms. */
  load(): Promise<unknown>;
  /** Rejects queued and new render jobs. */
  stopRendering(): Promise<void>;
  /** Writes buffered scans and closes the database. No request may follow. */
  close(): Promise<void>;
}

interface Deps {
  readonly startRenderWorker: StartRenderWorker;
  readonly log: Logger;
}

/**
 * Creates a server. Short links and health work at once; everything else is loaded on first use, which
 * shortens the time that short links are down in a restart. A server only redirects if the settings ask
 * for it, or if codes can be read of a database that is damaged, or on a full disk.
 *
 * @throws DatabaseUnusable, ConfigError
 */
export async function composeServer(config: Config, deps: Deps): Promise<ComposedServer> {
  const storage = await createStorage(config);
  if (config.redirectOnly) return redirectOnlyServer(config, storage, deps, 'asked');
  try {
    return await fullServer(config, storage, deps);
  } catch (error) {
    const failed = () => {
      // Nothing can be read.
      throw error;
    };
    if (error instanceof DatabaseCorrupt)
      return redirectOnlyServer(config, storage, deps, 'damage', error.reason).catch(failed);
    if (error instanceof DiskFull) return serverOnFullDisk(config, storage, deps).catch(failed);
    throw error;
  }
}

const roomIntervalMs = 2000;

/** Creates a server that only redirects until there is room, and then becomes a full one. */
async function serverOnFullDisk(
  config: Config,
  storage: Storage,
  deps: Deps,
): Promise<ComposedServer> {
  const { log } = deps;
  let limited = await redirectOnlyServer(config, storage, deps, 'full');
  let current: ComposedServer = limited;
  let closing: Promise<void> | null = null;
  let attempt: Promise<void> | null = null;
  const grow = async () => {
    try {
      if (limited.isAlone) await limited.close();
      const full = await fullServer(config, storage, deps);
      current = full;
      log.info('the disk has room again: the server counts scans and accepts changes');
      stopTrying();
      await full.load();
      if (!limited.isAlone) await limited.close();
    } catch (error) {
      if (!(error instanceof DiskFull))
        log.error('the server still only redirects', { cause: errorMessage(error) });
      if (!limited.isAlone || current !== limited) return;
      limited = await redirectOnlyServer(config, storage, deps, 'full').catch(() => limited);
      current = limited;
    }
  };
  const stopTrying = every(roomIntervalMs, async () => {
    if (current !== limited || !limited.hasRoom()) return;
    attempt = grow();
    await attempt;
    attempt = null;
  });
  return {
    site: async (...request) => {
      // Nothing can be read between the two.
      if (limited.isAlone && current === limited) await attempt;
      return current.site(...request);
    },
    firstLink: async () => null,
    load: () => current.load(),
    stopRendering: () => current.stopRendering(),
    close: () => {
      stopTrying();
      closing ??= (attempt ?? Promise.resolve()).then(() => current.close());
      return closing;
    },
  };
}

async function fullServer(config: Config, opened: Storage, deps: Deps): Promise<ComposedServer> {
  const health = composeHealth(deps.log);
  try {
    return await fullServerWith(health, config, opened, deps);
  } catch (error) {
    health.close();
    throw error;
  }
}

async function fullServerWith(
  health: ReturnType<typeof composeHealth>,
  config: Config,
  opened: Storage,
  deps: Deps,
): Promise<ComposedServer> {
  const { log } = deps;
  const { durability } = config;
  let isVerified = true;
  const storage: ServerStorage = await opened.openForServer({
    durability,
    log,
    check: async (reader) => {
      isVerified = await checkBeforeServing(reader, config, { ...deps, health });
    },
  });
  health.add(...storage.conditions);
  await recordThisServer(storage, config, isVerified, log);

  const responses = createResponseCounts();
  const servedPrefixes = servedPrefixesOf(config);
  const valkey = await openLimits(config).catch(async (error: unknown) => {
    await storage.close();
    throw error;
  });
  let app: ComposedApp | undefined;
  const load = memoize(async () => {
    const { composeApp } = await import('./app.ts');
    const stores = await storage.stores();
    const parts = { storage, stores, valkey, health, responses, servedPrefixes };
    app = composeApp(config, { ...parts, ...deps });
    return app;
  });
  return {
    site: siteOf(config, { app: load, linkStore: storage.linkStore, health, responses, log }),
    firstLink: async () => (storage.isNew ? (await load()).firstLink() : null),
    load,
    stopRendering: async () => {
      await app?.stopRendering();
    },
    close: async () => {
      health.close();
      await app?.close();
      valkey?.close();
      const lost = await storage.close();
      if (lost > 0) log.error('scans could not be written and are lost', { scans: lost });
    },
  };
}

/** Connects to Valkey, if the settings name one. */
async function openLimits({ valkeyUrl }: Config): Promise<Valkey | null> {
  if (valkeyUrl === null) return null;
  const { openValkey } = await import('../limits/valkey/connection.ts');
  return openValkey(valkeyUrl);
}

async function redirectOnlyServer(
  config: Config,
  opened: Storage,
  { log }: Deps,
  reason: RedirectOnlyReason,
  damage: string | null = null,
): Promise<ComposedServer & Pick<RedirectStorage, 'hasRoom' | 'isAlone'>> {
  const storage = await opened.openForRedirects(damage);
  const { composeRedirectOnly } = await import('./redirect-only.ts');
  const health = composeHealth(log);
  const { load, responses } = composeRedirectOnly(storage, health, reason);
  health.read();
  return {
    site: siteOf(config, { app: load, linkStore: storage.linkStore, health, responses, log }),
    firstLink: async () => null,
    load,
    hasRoom: storage.hasRoom,
    isAlone: storage.isAlone,
    stopRendering: async () => {},
    close: async () => {
      health.close();
      await storage.close();
    },
  };
}

function siteOf(
  config: Config,
  parts: {
    app: () => Promise<App>;
    linkStore: LinkStore;
    health: Health;
    responses: ResponseCounts;
    log: Logger;
  },
): Site {
  return createSite({
    ...parts,
    follow: (key, kind) => parts.linkStore.follow(key, kind, realClock.nowMs()),
    warnOfFlagged: config.safetyWarning,
    publicUrl: config.publicUrl,
    basePaths: pathPrefixes(servedPrefixesOf(config)),
    newRequestId: () => realRandomBytes(8).toHex(),
  });
}

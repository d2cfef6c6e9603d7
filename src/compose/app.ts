import { availableParallelism } from 'node:os';
import { version } from '../../package.json';
import type { Config } from '../config.ts';
import { createAccess } from '../core/accounts/access.ts';
import { createQrs } from '../core/codes/qrs.ts';
import type { Clock, RandomBytes } from '../core/ports.ts';
import { createApi } from '../http/api/api.ts';
import { createPublicPages } from '../http/pages/public-pages.ts';
import type { ResponseCounts } from '../http/responses.ts';
import type { App } from '../http/site.ts';
import type { Logger } from '../lib/logger.ts';
import { createSlidingWindow } from '../memory/rate-limiter.ts';
import { createClientAddress } from '../panel/routing/client-address.ts';
import { createRenderer, rendererIdentity } from '../render/renderer.ts';
import { createThrottle } from '../render/worker/throttle.ts';
import { createKeyStore } from '../sqlite/accounts/api-keys.ts';
import type { SqliteLinkStore } from '../sqlite/codes/link-targets.ts';
import { createQrStore } from '../sqlite/codes/qrs.ts';
import { databaseSizes } from '../sqlite/database/files.ts';
import type { Connection } from '../sqlite/database/open.ts';
import { storeOn } from '../sqlite/database/store.ts';
import { createDesignStore } from '../sqlite/designs/designs.ts';
import { createFlagStore, createRecheckRunStore } from '../sqlite/safety/flags.ts';
import type { SqliteScanLog } from '../sqlite/scans/log.ts';
import { composePanel } from './panel.ts';
import type { StartRenderWorker } from './runtime.ts';
import { composeSafety, composeSafetyAdmin, composeSafetyStores, startRechecks } from './safety.ts';

// The server only reads the lists, and reads never wait.
const listsBusyTimeoutMs = 20;

export type ComposedApp = ReturnType<typeof composeApp>;

/** Creates everything beside short links and health: the API, the account panel, the pages and the re-checks. */
export function composeApp(
  config: Config,
  deps: {
    connection: Connection;
    scanLog: SqliteScanLog;
    linkStore: SqliteLinkStore;
    responses: ResponseCounts;
    /** Short-URL prefixes, the current one first. */
    shortBases: readonly string[];
    startRenderWorker: StartRenderWorker;
    log: Logger;
    clock: Clock;
    randomBytes: RandomBytes;
  },
) {
  const { connection, scanLog, linkStore, responses, shortBases } = deps;
  const { startRenderWorker, log, clock, randomBytes } = deps;
  const store = storeOn(connection);
  const keys = createKeyStore(store);
  const renderer = createRenderer({
    startRenderWorker,
    workers: Math.max(1, availableParallelism() - 1),
    // With more than two processors, workers leave one to the redirects.
    ...(availableParallelism() <= 2 && {
      throttle: createThrottle(() => responses.total('short_link', 302)),
    }),
  });
  const safetyStores = composeSafetyStores(config, store, listsBusyTimeoutMs);
  const safety = composeSafety(config, safetyStores, clock, log);
  const flagStore = createFlagStore(store, linkStore);
  const runs = createRecheckRunStore(store);
  const rate = createSlidingWindow(config.rateLimit, clock);
  // Codes redirect at the public URL as well.
  const servedPrefixes = [...shortBases, config.publicUrl];
  const qrStore = createQrStore(store, linkStore, scanLog);
  const designs = createDesignStore(store);
  const qrs = createQrs({
    store: qrStore,
    designs,
    renderer,
    reputation: safety,
    clock,
    randomBytes,
    shortUrls: {
      shortUrl: config.shortUrl,
      prefixes: servedPrefixes,
      isDense: config.denseLinks,
    },
  });
  const api = createApi({
    qrs,
    access: createAccess({ keys, rate, clock }),
    clock,
    baseUrl: `${config.publicUrl}/api/v1`,
    rateLimit: config.rateLimit,
    renderer: rendererIdentity,
  });
  const { panel, firstLink } = composePanel(config, {
    store,
    scanLog,
    qrStore,
    designs,
    keys,
    rate,
    renderer,
    qrs,
    safety: composeSafetyAdmin({
      store,
      stores: safetyStores,
      flags: flagStore,
      runs,
      safety,
      clock,
      shortBases: servedPrefixes,
    }),
    shortBases: servedPrefixes,
    clientAddress: createClientAddress(config.trustProxy),
    clock,
    randomBytes,
  });
  const pages = createPublicPages({
    api,
    responses,
    metrics: {
      version,
      startMs: performance.timeOrigin,
      read: () => ({
        scans: scanLog.status(),
        safety: safety.status().checks,
        rendering: renderer.load(),
        ...databaseSizes(config.data),
      }),
    },
    publicUrl: config.publicUrl,
  });
  const stopRechecks = startRechecks({ store: flagStore, runs }, safety, { clock, log });

  return {
    api,
    panel: panel.fetch,
    pages: pages.fetch,
    /** Issues the one-time link to create the first account. Null if there is an account. */
    firstLink,
    /** Returns the warnings of the health check. */
    warnings: () => safety.status().warnings,
    /** Rejects queued and new render jobs. Never rejects. */
    stopDrawing: () => renderer.close(),
    /** Ends workers and timers. The connection stays open. */
    close: async () => {
      await renderer.close();
      stopRechecks();
      safetyStores.lists.close();
    },
  } satisfies App & Record<string, unknown>;
}

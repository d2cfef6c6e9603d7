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
import { createRenderer } from '../render/renderer.ts';
import { createRestPolicy } from '../render/worker/rest-policy.ts';
import { createKeyStore } from '../sqlite/accounts/api-keys.ts';
import type { SqliteLinkStore } from '../sqlite/codes/link-targets.ts';
import { createQrStore } from '../sqlite/codes/qrs.ts';
import type { Connection } from '../sqlite/database/open.ts';
import { sizeOf } from '../sqlite/database/size.ts';
import { storeOn } from '../sqlite/database/store.ts';
import { createDesignStore } from '../sqlite/designs/designs.ts';
import { createFlagStore } from '../sqlite/safety/flags.ts';
import { createRecheckRunStore } from '../sqlite/safety/looks.ts';
import type { SqliteScanLog } from '../sqlite/scans/log.ts';
import { composePanel } from './panel.ts';
import { thisServerVersion } from './program.ts';
import { composeSafety, composeSafetyStores, safetyWarnings, startRechecks } from './safety.ts';
import { composeSafetyAdmin } from './safety-admin.ts';
import type { StartRenderWorker } from './server.ts';

// Several clients may spend their whole minute at once: some hundred codes wait in turn for two or
// three seconds rather than being turned away. Where other programs want every processor, workers that
// give way get a tenth of one: the wait stays below the thirty seconds that clients and proxies allow.
const patience = { queueLimit: 512, waitMs: 20_000 };

// The server only reads the lists, and reads wait for no process.
const listsBusyTimeoutMs = 20;

export type ComposedApp = ReturnType<typeof composeApp>;

/** Joins what stands behind the short links: the API, the account panel, and the pages. */
export function composeApp(
  config: Config,
  deps: {
    connection: Connection;
    scanLog: SqliteScanLog;
    linkStore: SqliteLinkStore;
    responses: ResponseCounts;
    /** Where short links of this server live, the present base first. */
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
    ...patience,
    // With more processors than two there is one to spare for a worker.
    ...(availableParallelism() <= 2 && {
      restPolicy: createRestPolicy(() => responses.total('short_link', 302)),
    }),
  });
  const safetyStores = composeSafetyStores(config, store, listsBusyTimeoutMs);
  const safety = composeSafety(config, safetyStores, clock, log);
  const flagStore = createFlagStore(store, linkStore);
  const looks = createRecheckRunStore(store);
  const rate = createSlidingWindow(config.rateLimit, clock);
  // Codes are answered at the public address as well.
  const answeredBases = [...shortBases, config.publicUrl];
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
      prefixes: answeredBases,
      isDense: config.denseLinks,
    },
  });
  const api = createApi({
    qrs,
    access: createAccess({ keys, rate, clock }),
    clock,
    baseUrl: `${config.publicUrl}/api/v1`,
    rateLimit: config.rateLimit,
    renderer: thisServerVersion.renderer,
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
      flagStore,
      looks,
      safety,
      clock,
      shortBases: answeredBases,
    }),
    shortBases: answeredBases,
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
        ...sizeOf(config.data),
      }),
    },
    publicUrl: config.publicUrl,
  });
  const stopRechecks = startRechecks({ store: flagStore, looks }, safety, {
    clock,
    randomBytes,
    log,
  });

  return {
    api,
    panel: panel.fetch,
    pages: pages.fetch,
    /** The one-time link that makes the first account, or null when there is an account. */
    firstLink,
    /** What an operator should look at. */
    warnings: () => safetyWarnings(safety),
    /** Ends workers and timers. The connection stays open. */
    /** Turns away whoever waits for a picture. Never rejects. */
    stopDrawing: () => renderer.close(),
    close: async () => {
      await renderer.close();
      stopRechecks();
      safetyStores.lists.close();
      keys.close();
    },
  } satisfies App & Record<string, unknown>;
}

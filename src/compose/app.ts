import { availableParallelism } from 'node:os';
import { version } from '../../package.json';
import type { Config } from '../config.ts';
import { createAccess } from '../core/accounts/access.ts';
import { createApiKeys } from '../core/accounts/api-key.ts';
import { createOperators } from '../core/accounts/operators.ts';
import { createSessions } from '../core/accounts/session.ts';
import { createSignIn } from '../core/accounts/sign-in.ts';
import { createSignInLinks } from '../core/accounts/sign-in-link.ts';
import { createQrInsights } from '../core/codes/insight.ts';
import { createQrs } from '../core/codes/qrs.ts';
import { createQrSearch } from '../core/codes/search.ts';
import { sampleShortLink } from '../core/codes/short-url.ts';
import { createDefaultDesigns } from '../core/designs/default-design.ts';
import { createApi } from '../http/api/api.ts';
import { createPublicPages } from '../http/pages/public-routes.ts';
import type { ResponseCounts } from '../http/responses.ts';
import type { App } from '../http/site.ts';
import type { Logger } from '../lib/logger.ts';
import { createSlidingWindow } from '../memory/rate-limiter.ts';
import { createPanel } from '../panel/panel.ts';
import { createClientAddress } from '../panel/routing/client-address.ts';
import { createRenderer, rendererIdentity } from '../render/renderer.ts';
import { createPacing } from '../render/worker/pacing.ts';
import { createAccountStore } from '../sqlite/accounts/accounts.ts';
import { createKeyStore } from '../sqlite/accounts/api-keys.ts';
import {
  createCredentialStore,
  createSessionStore,
  createSignInLinkStore,
} from '../sqlite/accounts/sign-in.ts';
import type { SqliteLinkStore } from '../sqlite/codes/link-targets.ts';
import { createQrStore } from '../sqlite/codes/qrs.ts';
import { databaseSizes } from '../sqlite/database/files.ts';
import type { Connection } from '../sqlite/database/open.ts';
import { storeOn } from '../sqlite/database/store.ts';
import { createDesignStore } from '../sqlite/designs/designs.ts';
import type { SqliteScanLog } from '../sqlite/scans/log.ts';
import { realClock, realRandomBytes, type StartRenderWorker } from './runtime.ts';
import { composeSafety, composeSafetyAdmin, composeSafetyStores, startRechecks } from './safety.ts';

export type ComposedApp = ReturnType<typeof composeApp>;

/** Creates everything except short links and health: API, account panel, pages and re-checks. */
export function composeApp(
  config: Config,
  deps: {
    connection: Connection;
    scanLog: SqliteScanLog;
    linkStore: SqliteLinkStore;
    responses: ResponseCounts;
    /** Prefixes at which codes redirect. */
    servedPrefixes: readonly string[];
    startRenderWorker: StartRenderWorker;
    log: Logger;
  },
) {
  const { connection, scanLog, linkStore, responses, servedPrefixes } = deps;
  const { startRenderWorker, log } = deps;
  const clock = realClock;
  const randomBytes = realRandomBytes;
  const store = storeOn(connection);
  const keys = createKeyStore(store);
  const renderer = createRenderer({
    startRenderWorker,
    workers: Math.max(1, availableParallelism() - 1),
    // With more than two processors, one is left to the redirects.
    ...(availableParallelism() <= 2 && {
      pacing: createPacing(() => responses.total('short_link', 302)),
    }),
  });
  const safetyStores = composeSafetyStores(config, store, linkStore);
  const safety = composeSafety(config, safetyStores, clock, log);
  const rate = createSlidingWindow(config.rateLimit, clock);
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
  const links = createSignInLinks({ store: createSignInLinkStore(store), clock, randomBytes });
  const panel = createPanel({
    qrs,
    insights: createQrInsights({
      store: qrStore,
      designs,
      clock,
      // Not in a render worker, whose queue would delay the page. Loaded on first use, which saves memory.
      symbolSide: async (shortLink) => {
        const { matrixOf } = await import('../render/symbol/matrix.ts');
        return matrixOf(shortLink).side;
      },
    }),
    search: createQrSearch(qrStore),
    designs: createDefaultDesigns({
      designs,
      renderer,
      clock,
      sampleLink: sampleShortLink(config),
    }),
    apiKeys: createApiKeys({ keys, rate, clock, randomBytes, prefix: config.keyPrefix }),
    sessions: createSessions({ store: createSessionStore(store), clock }),
    signIn: createSignIn({ store: createCredentialStore(store), clock, randomBytes }),
    links,
    safety: composeSafetyAdmin(safetyStores, safety, clock, servedPrefixes),
    operators: createOperators({ accounts: createAccountStore(store), clock }),
    clientAddress: createClientAddress(config.trustProxy),
    clock,
    randomBytes,
    publicUrl: config.publicUrl,
    servedPrefixes,
    rateLimit: config.rateLimit,
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
  const stopRechecks = startRechecks(safetyStores, safety, clock, log);

  return {
    api,
    panel: panel.fetch,
    pages: pages.fetch,
    /** Issues the one-time link that creates the first account, or returns null if there is one. */
    firstLink: async (): Promise<string | null> => {
      const token = await links.issueFirst();
      return token === null ? null : `${config.publicUrl}/account/link/${token}`;
    },
    /** Returns the warnings of the health check. */
    warnings: () => safety.status().warnings,
    /** Rejects queued and new render jobs. */
    stopRendering: () => renderer.close(),
    /** Ends workers and timers. The database connection stays open. */
    close: async () => {
      await renderer.close();
      stopRechecks();
      safetyStores.lists.close();
    },
  } satisfies App & Record<string, unknown>;
}

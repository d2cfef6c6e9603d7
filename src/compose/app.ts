import { availableParallelism } from 'node:os';
import { version } from '../../package.json';
import type { Spawn } from '../compose.ts';
import type { Config } from '../config.ts';
import { makeAccess } from '../core/access.ts';
import type { Log } from '../core/log.ts';
import type { Clock, RandomBytes } from '../core/ports.ts';
import { makeQrs } from '../core/qrs.ts';
import { makeApi } from '../http/api.ts';
import type { AnswerCounts } from '../http/metrics.ts';
import { makePublicPages } from '../http/public-pages.ts';
import type { App } from '../http/site.ts';
import { makeSlidingWindow } from '../memory/sliding-window.ts';
import { makeClientAddress } from '../panel/client-address.ts';
import { makeRenderer } from '../render/renderer.ts';
import { makeRestPolicy } from '../render/rest-policy.ts';
import { makeDesignStore } from '../sqlite/designs.ts';
import { makeFlagStore } from '../sqlite/flags.ts';
import { makeKeyStore } from '../sqlite/keys.ts';
import type { SqliteLinkStore } from '../sqlite/links.ts';
import { makeLookStore } from '../sqlite/looks.ts';
import type { Connection } from '../sqlite/open.ts';
import { makeQrStore } from '../sqlite/qrs.ts';
import type { SqliteScanLog } from '../sqlite/scan-log.ts';
import { sizeOf } from '../sqlite/size.ts';
import { storeOn } from '../sqlite/store.ts';
import { composePanel } from './panel.ts';
import { thisProgram } from './program.ts';
import { composeSafety, safetyWarnings, startPatrol } from './safety.ts';
import { composeSafetyAdmin } from './safety-admin.ts';

// Several clients may spend their whole minute at once: some hundred codes wait in turn for two or
// three seconds rather than being turned away. Where other programs want every processor, workers that
// give way get a tenth of one: the wait stays below the thirty seconds that clients and proxies allow.
const patience = { queueLimit: 512, waitMs: 20_000 };

export type ComposedApp = ReturnType<typeof composeApp>;

/** Joins what stands behind the short links: the API, the account panel, and the pages. */
export function composeApp(
  config: Config,
  world: {
    connection: Connection;
    scanLog: SqliteScanLog;
    linkStore: SqliteLinkStore;
    answers: AnswerCounts;
    /** Where short links of this server live, the present base first. */
    shortBases: readonly string[];
    spawn: Spawn;
    log: Log;
    clock: Clock;
    randomBytes: RandomBytes;
  },
) {
  const { connection, scanLog, linkStore, answers, shortBases } = world;
  const { spawn, log, clock, randomBytes } = world;
  const store = storeOn(connection);
  const keys = makeKeyStore(store);
  const renderer = makeRenderer({
    spawn,
    workers: Math.max(1, availableParallelism() - 1),
    ...patience,
    // With more processors than two there is one to spare for a worker.
    ...(availableParallelism() <= 2 && {
      restPolicy: makeRestPolicy(() => answers.answered('short_link', 302)),
    }),
  });
  const safety = composeSafety(config, clock, log);
  const flagStore = makeFlagStore(store, linkStore);
  const looks = makeLookStore(store);
  const rate = makeSlidingWindow(config.rateLimit, clock);
  // Codes are answered at the public address as well.
  const answeredBases = [...shortBases, config.publicUrl];
  const qrStore = makeQrStore(store, linkStore, scanLog);
  const designs = makeDesignStore(store);
  const qrs = makeQrs({
    store: qrStore,
    designs,
    renderer,
    reputation: safety,
    clock,
    randomBytes,
    bases: {
      shortUrl: config.shortUrl,
      shortBases: answeredBases,
      dense: config.denseLinks,
    },
  });
  const api = makeApi({
    qrs,
    access: makeAccess({ keys, rate, clock }),
    clock,
    baseUrl: `${config.publicUrl}/api/v1`,
    rateLimit: config.rateLimit,
    renderer: thisProgram.renderer,
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
    safety: composeSafetyAdmin(config, {
      store,
      flagStore,
      looks,
      safety,
      clock,
      shortBases: answeredBases,
    }),
    shortBases: answeredBases,
    clientAddress: makeClientAddress(config.trustProxy),
    clock,
    randomBytes,
  });
  const pages = makePublicPages({
    api,
    answers,
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
  const stopPatrol = startPatrol({ store: flagStore, looks }, safety, { clock, randomBytes, log });

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
      stopPatrol();
      safety.close();
      keys.close();
    },
  } satisfies App & Record<string, unknown>;
}

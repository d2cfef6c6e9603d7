import { type Config, mainPrefixesOf } from '../config.ts';
import { pathPrefixes } from '../core/codes/path.ts';
import { joinReports, watchHealth } from '../core/health.ts';
import { orNull } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { sharedNowMs } from '../lib/shared-clock.ts';
import type { AppServer, StartApp } from './app/start-app.ts';
import { chooseDatabase, type RedirectDatabase } from './database.ts';
import { createAbsentApp } from './forwarding/absent-app.ts';
import { descriptorsCondition } from './listening/descriptors.ts';
import type { RedirectReadings } from './metrics/metrics.ts';
import { readProcess } from './metrics/process.ts';
import { createRequestId, createRequestIds } from './request-ids.ts';
import { createResponseCounts, strictTransportSecurity } from './responses.ts';
import { createSite, type Site } from './site.ts';
import type { RedirectStorage } from './storage.ts';

/** The redirect server, and the app behind it. */
export interface ComposedServer extends Pick<AppServer, 'started' | 'stopRendering'> {
  /** Resolves when short links can be answered. Rejects if they never can. */
  readonly ready: Promise<Site>;
  /**
   * Ends the app, while short links are still answered.
   * Finishes the requests for it that are under way; others get 503.
   *
   * @param maxMs after which it is killed
   */
  endApp(maxMs: number): Promise<void>;
  /** Ends the app unless it has ended, writes buffered hits and closes the database. No request may follow. */
  close(): Promise<void>;
}

/**
 * Creates the redirect server and starts the app.
 * Short links are answered at once, before the app has migrated the database, see `RedirectDatabase.canRedirect`.
 */
export function composeServer(
  config: Config,
  { startApp, log }: { readonly startApp: StartApp; readonly log: Logger },
): ComposedServer {
  const health = watchHealth(log);
  const responses = createResponseCounts();
  const newRequestId = createRequestId;
  const hostHeaders = strictTransportSecurity(config.publicUrl);
  const mainPrefixes = mainPrefixesOf(config);
  let storage: RedirectStorage | null = null;

  const readings = (): RedirectReadings => ({
    responses: responses.read(),
    conditions: health.read().conditions,
    process: readProcess(),
    scans: storage?.scanStatus() ?? noScans,
  });
  const absent = createAbsentApp({
    addresses: config,
    withRequestId: createRequestIds({
      addresses: config,
      responses,
      hostHeaders,
      log,
      newRequestId,
    }),
    readings,
    metrics: {
      read: async () => {
        // Finds out whether the app answers, which is among the readings.
        await app?.readHealth();
        return {
          app: null,
          sizes: await orNull(() => storage?.sizes() ?? null),
          nowMs: sharedNowMs(),
          lastBackupMs: await orNull(() => storage?.lastBackupMs() ?? null),
        };
      },
    },
  });

  let app: AppServer | null = null;
  const start = (hasDatabase: boolean): AppServer => {
    app = startApp({ readings, report: health.read, absent, hasDatabase });
    health.add(descriptorsCondition, ...app.conditions);
    return app;
  };
  const openRedirects = async (database: RedirectDatabase): Promise<RedirectStorage> => {
    const { durability, redirectOnly: isDatabaseRequired } = config;
    const options = { durability, log, isDatabaseRequired };
    const opened = await database.open(options);
    health.add(...opened.conditions);
    storage = opened;
    return opened;
  };
  const siteOf = ({ linkStore }: RedirectStorage, { passOn, readHealth }: AppServer): Site =>
    createSite({
      follow: (key, kind, flaggedKind) => linkStore.follow(key, kind, sharedNowMs(), flaggedKind),
      pausedPage: linkStore.pausedPage,
      warnOfFlagged: config.safetyWarning,
      readHealth: async () => {
        // First, since it finds out whether the app answers.
        const ofApp = await readHealth();
        return joinReports(health.read(), ofApp);
      },
      responses,
      passOn: async (target, request, connections) => {
        if (ending !== null) return absent(target, request, 'starting');
        underWay++;
        const response = await passOn(target, request, connections).finally(() => underWay--);
        // The next redirect follows an edit that has been answered.
        if (request.method !== 'GET' && request.method !== 'HEAD') linkStore.refresh();
        return response;
      },
      addresses: config,
      notFoundUrl: config.notFoundUrl,
      rootUrl: config.rootUrl,
      hosts: mainPrefixes.map((prefix) => new URL(prefix).host),
      domainOf: linkStore.domainOf,
      hasNonce: linkStore.hasNonce,
      basePaths: pathPrefixes(mainPrefixes),
      log,
      newRequestId,
    });

  /** Requests that are passed on. */
  let underWay = 0;
  /** Resolves to whether the app has closed the database itself. */
  let ending: Promise<boolean> | null = null;
  const endApp = (maxMs: number): Promise<boolean> => {
    ending ??= (async () => {
      const endMs = performance.now() + maxMs;
      while (underWay > 0 && performance.now() < endMs - leastEndMs) await Bun.sleep(pollMs);
      return (await app?.close(Math.max(leastEndMs, endMs - performance.now()))) ?? false;
    })();
    return ending;
  };

  const startBoth = async () => {
    const database = await chooseDatabase(config);
    if (await database.canRedirect()) {
      const opened = await openRedirects(database);
      return { app: start(opened.hasDatabase), storage: opened };
    }
    const first = start(false);
    await first.started;
    return { app: first, storage: await openRedirects(database) };
  };
  const starting = startBoth();

  const started = starting.then((parts) => parts.app.started);
  // Who waits for `ready` sees the same failure.
  started.catch(() => {});
  return {
    ready: starting.then(async (parts) => {
      if (!config.redirectOnly) await waitForDueChanges(parts.storage);
      return siteOf(parts.storage, parts.app);
    }),
    started,
    stopRendering: () => app?.stopRendering(),
    endApp: async (maxMs) => {
      await endApp(maxMs);
    },
    close: async () => {
      health.close();
      const isAppClosed = await endApp(longestEndMs);
      const lost = (await storage?.close(isAppClosed)) ?? 0;
      if (lost > 0) log.error('scans could not be written and are lost', { scans: lost });
    },
  };
}

const pollMs = 5;
// To write what is left. It takes some milliseconds, unless something large was deleted.
const leastEndMs = 4000;
// Of an app that starts.
const longestEndMs = 8000;

const maxDueWaitMs = 1000;
const dueIntervalMs = 20;

/**
 * Waits for the planned changes that fell due while no server ran.
 * At most a second.
 */
async function waitForDueChanges(storage: RedirectStorage): Promise<void> {
  const openedMs = sharedNowMs();
  const endMs = performance.now() + maxDueWaitMs;
  while ((await storage.hasDueChanges(openedMs)) && performance.now() < endMs)
    await Bun.sleep(dueIntervalMs);
}

const noScans = { committed: 0, buffered: 0, problem: null, areRecorded: false } as const;

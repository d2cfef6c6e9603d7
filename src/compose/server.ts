import type { Config } from '../config.ts';
import { createLinkFollower } from '../core/codes/follow.ts';
import { pathPrefixes } from '../core/codes/short-url.ts';
import type { Clock, RandomBytes } from '../core/ports.ts';
import { createResponseCounts } from '../http/responses.ts';
import { createSite } from '../http/site.ts';
import type { Logger } from '../lib/logger.ts';
import { memoize } from '../lib/memoize.ts';
import { hasAccounts } from '../sqlite/accounts/has-accounts.ts';
import { createLinkStore } from '../sqlite/codes/link-targets.ts';
import { lockFolder } from '../sqlite/database/lock.ts';
import { closeStore, openConnection } from '../sqlite/database/open.ts';
import { watchDatabaseFiles } from '../sqlite/database/replaced-files.ts';
import { createScanLog } from '../sqlite/scans/log.ts';
import type { ComposedApp } from './app.ts';
import { inspect } from './inspection.ts';
import { noteThisProgram } from './program.ts';

/** The deps as it is outside of tests. */
export const realClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};
export const realRandomBytes: RandomBytes = (length) =>
  crypto.getRandomValues(new Uint8Array(length));

/** Starts a render worker. Only main.ts can: a compiled program finds its workers from there alone. */
export type StartRenderWorker = () => Worker;

// Another process may be writing: the redirects of everyone are never held up for longer than this.
const serverBusyTimeoutMs = 20;

/**
 * The server's parts joined: a function that handles requests, and how to end it. Short links and health
 * are answered from here; what stands behind them is loaded when it is first needed: a restart takes
 * printed codes offline for a quarter of the time that it would take with everything loaded.
 *
 * @param deps.beforeUpgrade throws what else would end the start, such as a port that is taken: asked
 *   before the schema is changed, because no older program opens the database afterwards
 * @throws DatabaseUnusable, StartupError
 */
export async function composeServer(
  config: Config,
  deps: {
    startRenderWorker: StartRenderWorker;
    log: Logger;
    clock?: Clock;
    randomBytes?: RandomBytes;
    beforeUpgrade?: () => void;
  },
) {
  const { startRenderWorker, log, clock = realClock, randomBytes = realRandomBytes } = deps;
  const { beforeUpgrade = () => {} } = deps;
  // The lock first: a second server must not upgrade the schema under the one that runs.
  const unlock = lockFolder(config.data);
  const isProven = await inspect(config, { startRenderWorker, log, randomBytes, beforeUpgrade });
  const connection = openConnection(config.data, {
    durability: config.durability,
    busyTimeoutMs: serverBusyTimeoutMs,
  });
  if (isProven) noteThisProgram(connection, clock, log);
  const shortBases = [config.shortUrl, ...config.shortUrlAliases];

  const scanLog = createScanLog(
    connection,
    (problem) =>
      problem === null
        ? log.info('scans are written again')
        : log.error('scans cannot be written and wait in memory', { cause: problem }),
    (problem) => log.error('scans are written but cannot be added up', { cause: problem }),
  );
  const misplaced = watchDatabaseFiles(config.data);
  const linkStore = createLinkStore(connection);
  const responses = createResponseCounts();

  let app: ComposedApp | undefined;
  let loading: Promise<ComposedApp> | undefined;
  const load = memoize(() => {
    loading = import('./app.ts').then(({ composeApp }) => {
      const parts = { connection, scanLog, linkStore, responses, shortBases };
      app = composeApp(config, { ...parts, startRenderWorker, log, clock, randomBytes });
      return app;
    });
    return loading;
  });

  const site = createSite({
    app: load,
    links: createLinkFollower({
      links: linkStore,
      scans: scanLog,
      clock,
      warnOfFlagged: config.safetyWarning,
    }),
    health: () => {
      const { problem, waiting } = scanLog.status();
      const foldProblem = scanLog.foldProblem();
      const placeProblem = misplaced();
      return {
        problems: [
          ...(problem === null ? [] : [`${waiting} scans wait to be written: ${problem}`]),
          ...(foldProblem === null ? [] : [`the database is damaged: ${foldProblem}`]),
          ...(placeProblem === null ? [] : [placeProblem]),
        ],
        // The lists are looked at for the first time when the rest is loaded.
        warnings: app?.warnings() ?? [],
      };
    },
    responses,
    publicUrl: config.publicUrl,
    basePaths: pathPrefixes([config.publicUrl, ...shortBases]),
    log,
    newRequestId: () => randomBytes(8).toHex(),
  });

  return {
    site,
    /** Nobody has an account yet, so no code is printed that anybody could scan. */
    isNew: !hasAccounts(connection),
    /** What stands behind the short links. Loading it holds up the thread for some 20 ms, once. */
    load,
    /** Turns away whoever waits for a picture, and whoever asks for one. Never rejects. */
    stopDrawing: async () => {
      await app?.stopDrawing();
    },
    /** Writes what is left and lets go of the data folder. Ask no more of the site first. */
    close: async () => {
      // What could not be loaded has nothing to close.
      await loading?.catch(() => {});
      await app?.close();
      const lost = scanLog.close();
      if (lost > 0) log.error('scans could not be written and are lost', { scans: lost });
      closeStore(connection);
      unlock();
    },
  };
}

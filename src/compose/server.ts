import type { Config } from '../config.ts';
import { createLinkFollower } from '../core/codes/follow.ts';
import { pathPrefixes } from '../core/codes/short-url.ts';
import { createResponseCounts } from '../http/responses.ts';
import { createSite, type Health } from '../http/site.ts';
import type { Logger } from '../lib/logger.ts';
import { memoize } from '../lib/memoize.ts';
import { createLinkStore } from '../sqlite/codes/link-targets.ts';
import { watchDatabaseFiles } from '../sqlite/database/files.ts';
import { lockFolder } from '../sqlite/database/lock.ts';
import { closeConnection, openConnection } from '../sqlite/database/open.ts';
import { hasRows } from '../sqlite/database/startup-queries.ts';
import { createScanLog } from '../sqlite/scans/log.ts';
import type { ComposedApp } from './app.ts';
import { realClock, realRandomBytes, type StartRenderWorker } from './runtime.ts';
import { checkBeforeServing, recordThisServerVersion } from './upgrade-check.ts';

// Waiting for another process's write blocks the thread, and so all redirects.
const busyTimeoutMs = 20;

/**
 * Creates a server. Short links and health work at once; everything else is loaded on first use, which
 * shortens the time that short links are down in a restart.
 *
 * @param deps.beforeUpgrade called before the schema is migrated, which earlier versions cannot open;
 *   throws to end the start, such as when the port is in use
 * @throws DatabaseUnusable, ConfigError
 */
export async function composeServer(
  config: Config,
  deps: {
    startRenderWorker: StartRenderWorker;
    log: Logger;
    beforeUpgrade?: () => void;
  },
) {
  const { startRenderWorker, log, beforeUpgrade = () => {} } = deps;
  // First, because a second server must not migrate the schema of a running one.
  const unlock = lockFolder(config.data);
  const isVerified = await checkBeforeServing(config, { startRenderWorker, log, beforeUpgrade });
  const { durability } = config;
  const connection = openConnection(config.data, { durability, busyTimeoutMs });
  if (isVerified) recordThisServerVersion(connection, log);

  const scanLog = createScanLog(
    connection,
    (problem) =>
      problem === null
        ? log.info('scans are written again')
        : log.error('scans cannot be written and are buffered in memory', { cause: problem }),
    (problem) => log.error('scans are written but cannot be aggregated', { cause: problem }),
  );
  const replacedFilesProblem = watchDatabaseFiles(config.data);
  const linkStore = createLinkStore(connection, scanLog);
  const responses = createResponseCounts();
  // Codes redirect at the public URL as well.
  const servedPrefixes = [config.shortUrl, ...config.shortUrlAliases, config.publicUrl];

  let app: ComposedApp | undefined;
  const load = memoize(async () => {
    const { composeApp } = await import('./app.ts');
    const parts = { connection, scanLog, linkStore, responses, servedPrefixes };
    app = composeApp(config, { ...parts, startRenderWorker, log });
    return app;
  });

  const health = (): Health => {
    const { problem, buffered, aggregationProblem } = scanLog.status();
    return {
      problems: [
        problem && `${buffered} scans cannot be written yet: ${problem}`,
        aggregationProblem && `the database is damaged: ${aggregationProblem}`,
        replacedFilesProblem(),
      ].filter((text) => text !== null),
      warnings: app?.warnings() ?? [],
    };
  };

  const site = createSite({
    app: load,
    links: createLinkFollower({
      links: linkStore,
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
    isNew: !hasRows(connection, 'accounts'),
    /** Loads everything except short links and health, once. Blocks the thread for about 20 ms. */
    load,
    /** Rejects queued and new render jobs. */
    stopRendering: async () => {
      await app?.stopRendering();
    },
    /** Writes buffered scans, closes the database and unlocks the data folder. No request may follow. */
    close: async () => {
      await app?.close();
      const lost = scanLog.close();
      if (lost > 0) log.error('scans could not be written and are lost', { scans: lost });
      closeConnection(connection);
      unlock();
    },
  };
}

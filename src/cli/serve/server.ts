import { realClock, type StartRenderWorker } from '../../compose/runtime.ts';
import { composeServer } from '../../compose/server.ts';
import { type Config, isSocketPath, options, readConfig } from '../../config.ts';
import { createLogger, type Logger } from '../../lib/logger.ts';
import { reportError } from '../errors.ts';
import { createStderrLog, localAddressWarning } from '../output.ts';
import { openPort } from './listen.ts';
import { environmentWarnings, type Settings } from './settings.ts';
import { tellServiceManager } from './systemd.ts';
import { removeAbandonedSocket } from './unix-socket.ts';

// Loading the API and the panel blocks the thread for some 20 ms. Requests that arrived during the start
// are answered first.
const firstResponsesMs = 50;

/**
 * Runs `waymark serve` until SIGTERM or SIGINT. Prints the reason on stderr if it cannot start.
 *
 * @param settings from flags; they win over the environment
 */
export async function runServer(
  settings: Settings,
  startRenderWorker: StartRenderWorker,
): Promise<void> {
  const values = { ...Bun.env, ...settings };
  // Read before the other settings, one of which may be wrong.
  const isJson = values[options.log.name]?.trim() === 'json';
  const log = createStderrLog({ log: isJson ? 'json' : 'text' });
  for (const warning of environmentWarnings(Bun.env)) log.warn(warning);
  try {
    await serveUntilSignal(readConfig(values), startRenderWorker);
  } catch (error) {
    reportError(error, isJson ? log : undefined);
  }
}

async function serveUntilSignal(
  config: Config,
  startRenderWorker: StartRenderWorker,
): Promise<void> {
  const log = createStderrLog(config);
  const signal = waitForSignal();
  ignoreReloadSignals(log);
  const isCopy = config.databaseUrl !== null;
  // Opened before the database is checked: waiting clients are answered afterwards, refused ones are lost. A copy
  // refuses them until it is ready, so that a proxy asks the others.
  if (isSocketPath(config.host)) await removeAbandonedSocket(config.host);
  const early = isCopy ? null : openPort(config, log);
  const start = async () => {
    const server = await composeServer(config, { startRenderWorker, log });
    try {
      // Issued first, so that it is printed as soon as the server responds.
      const firstLink = await server.firstLink();
      return { server, firstLink, port: early ?? openPort(config, log) };
    } catch (error) {
      await server.close();
      throw error;
    }
  };
  const { server, firstLink, port } = await start().catch(async (error: unknown) => {
    await early?.close();
    throw error;
  });
  const listening = port.serve(server);
  const warning = localAddressWarning(config);
  if (warning !== null) log.warn(warning);
  announce(config, port.url, firstLink);
  const endWatchdog = tellServiceManager();

  try {
    await Bun.sleep(firstResponsesMs);
    // Opens stderr, which otherwise happens with the first line and fails at the limit of file descriptors.
    void process.stderr;
    await server.load();
  } catch (error) {
    await listening.stop();
    throw error;
  }

  await signal;
  endWatchdog();
  log.info('stopping: finishing accepted requests and pending writes');
  await listening.stop(isCopy);
}

/**
 * Prints the listening address on stdout, as text or as log lines.
 *
 * @param firstLink creates the first account; null if there is one
 */
function announce({ log, publicUrl, shortUrl }: Config, url: string, firstLink: string | null) {
  if (log === 'json') {
    const logger = createLogger('json', realClock.nowMs, (line) => console.log(line));
    logger.info('listening', { url });
    if (firstLink !== null)
      logger.info('open this link to create the first account', { link: firstLink });
    return;
  }
  console.log(
    `Waymark listens on ${url}\n` +
      `  Account panel:      ${publicUrl}/account\n` +
      `  API and Swagger UI: ${publicUrl}/docs\n` +
      `  Short links:        ${shortUrl}/…`,
  );
  if (firstLink !== null)
    console.log(
      `\n  There is no account yet. Open this link to create the first one; it works once:\n  ${firstLink}`,
    );
}

// Ctrl-C reaches every process of a terminal, and `npx` and `bun run` forward it: one key press may
// arrive several times within this time.
const samePressMs = 1000;

/**
 * Resolves at the first of some signals. One that comes a second later ends the process at once.
 *
 * @param names SIGTERM and SIGINT by default
 */
export function waitForSignal(
  names: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT'],
): Promise<void> {
  return new Promise((resolve) => {
    let firstMs: number | null = null;
    const onSignal = () => {
      const nowMs = performance.now();
      firstMs ??= nowMs;
      if (nowMs - firstMs > samePressMs) process.exit(1);
      resolve();
    };
    for (const name of names) process.on(name, onSignal);
  });
}

/** Ignores the signals that other servers use to reload. By default, they would end the process at once. */
function ignoreReloadSignals(log: Logger): void {
  for (const name of ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const)
    process.on(name, () => log.warn(`${name} has no effect: settings are read at the start only`));
}

import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, options, readConfig, SecretFileError } from '../config.ts';
import { createLogger, createStderrLog, type Logger, withDetails } from '../lib/logger.ts';
import { isSocketPath } from '../lib/text/addresses.ts';
import { noApp } from './app/app-off.ts';
import { createAppSockets } from './app/sockets.ts';
import type { StartApp } from './app/start-app.ts';
import { appProcesses, supervisedApp } from './app/supervisor.ts';
import { composeServer } from './compose.ts';
import { type Listening, listen } from './listening/listen.ts';
import { removeAbandonedSocket } from './listening/unix-socket.ts';
import { environmentWarnings, localAddressWarning, type Settings } from './settings.ts';
import { databasePath } from './sqlite/files.ts';

/** What the redirect server loads only where it needs it, of the rest of the program. */
export interface OnDemand {
  /**
   * Returns the starter of an app in this process, for a platform without sockets or processes.
   *
   * @param options.isAsked whether one process is what was asked for, and needs no warning
   */
  appWithin(
    config: Config,
    options: { readonly log: Logger; readonly isAsked: boolean },
  ): Promise<StartApp>;
  /** Prints why the server cannot start, on stderr or as a line of the log, and sets the exit code. */
  reportError(error: unknown, log?: Logger): Promise<void>;
}

/**
 * Runs `waymark serve` until SIGTERM or SIGINT. Prints the reason on stderr if it cannot start.
 *
 * @param settings from flags; they win over the environment
 */
export async function runServer(settings: Settings, onDemand: OnDemand): Promise<void> {
  const values = { ...Bun.env, ...settings };
  // Read before the other settings, one of which may be wrong.
  const isJson = values[options.log.name]?.trim() === 'json';
  const log = createStderrLog({ log: isJson ? 'json' : 'text' });
  for (const warning of environmentWarnings(Bun.env)) log.warn(warning);
  try {
    const { config, fault } = readServedConfig(values);
    const processes = await appFor(config, fault, values, onDemand);
    try {
      await serveUntilSignal(config, processes.log, processes.startApp);
    } finally {
      processes.close();
    }
  } catch (error) {
    await onDemand.reportError(error, isJson ? log : undefined);
  }
}

/**
 * Reads the settings. Where a database was served before, short links do not wait for the file of a secret: the app,
 * which is a process of its own, reports the fault and tries again.
 */
function readServedConfig(values: Readonly<Record<string, string | undefined>>): {
  config: Config;
  fault: SecretFileError | null;
} {
  try {
    return { config: readConfig(values), fault: null };
  } catch (error) {
    if (!(error instanceof SecretFileError)) throw error;
    const { config } = error;
    const isServed = config.databaseUrl === null && existsSync(databasePath(config.data));
    if (!isServed) throw error;
    return { config, fault: error };
  }
}

/**
 * Chooses where the app runs.
 * In a process of its own where the platform has sockets, otherwise in this one.
 *
 * @param fault of the settings of the app; it is thrown where the app would be in this process
 */
async function appFor(
  config: Config,
  fault: SecretFileError | null,
  env: Readonly<Record<string, string | undefined>>,
  { appWithin }: OnDemand,
): Promise<{ startApp: StartApp; log: Logger; close(): void }> {
  const log = createStderrLog(config);
  const own = withDetails(log, { process: 'redirect' });
  const close = () => {};
  if (config.redirectOnly) return { startApp: noApp, log: own, close };
  const sockets = env[oneProcess] === '1' ? null : createAppSockets(config);
  if (sockets !== null)
    return {
      startApp: supervisedApp(appProcesses(env, sockets), own),
      log: own,
      close: sockets.remove,
    };
  if (fault !== null) throw fault;
  const isAsked = env[oneProcess] === '1';
  return { startApp: await appWithin(config, { log, isAsked }), log, close };
}

/** Not a setting: tests that are not about processes ask for one with this variable. */
const oneProcess = 'ONE_PROCESS_FOR_TESTS';

async function serveUntilSignal(config: Config, log: Logger, startApp: StartApp): Promise<void> {
  const signal = waitForSignal();
  ignoreReloadSignals(log);
  await makeWhatLasts();
  const manager = await serviceManager();
  const isCopy = config.databaseUrl !== null;
  if (isSocketPath(config.host)) await removeAbandonedSocket(config.host);
  const server = composeServer(config, { startApp, log });
  const ending = signal.then(() => null);
  let listening: Listening | null = null;
  let endWatchdog = () => {};
  try {
    const site = await Promise.race([server.ready, ending]);
    if (site === null) return;
    listening = listen(config, log, { ...server, site });
    endWatchdog = manager?.tellReady() ?? endWatchdog;
    const started = await Promise.race([server.started, ending]);
    if (started !== null) {
      const warning = localAddressWarning(config);
      if (warning !== null) log.warn(warning);
      announce(config, listening.url, started.firstLink);
    }
    await signal;
    log.info('stopping: finishing accepted requests and pending writes');
  } finally {
    endWatchdog();
    if (listening === null) await server.close();
    else await listening.stop(isCopy);
  }
}

/**
 * Makes what a process of Bun needs for ever, and makes when it is first used: stderr, and the thread of `fetch`.
 * Later, strangers may have used up the file descriptors, and other programs the threads. Bun ends the process then.
 */
async function makeWhatLasts(): Promise<void> {
  void process.stderr;
  // Fails, because there is no such socket.
  await fetch('http://app/', { unix: join(tmpdir(), `waymark-none-${process.pid}`) }).catch(
    () => {},
  );
}

/** Connects to the service manager that has started this process; null if none has. */
async function serviceManager() {
  if (Bun.env['NOTIFY_SOCKET'] === undefined) return null;
  const { connectToServiceManager } = await import('./listening/systemd.ts');
  return connectToServiceManager();
}

/**
 * Prints the listening address on stdout, as text or as log lines.
 *
 * @param firstLink creates the first account; null if there is one
 */
function announce({ log, publicUrl, shortUrl }: Config, url: string, firstLink: string | null) {
  if (log === 'json') {
    const logger = createLogger('json', Date.now, (line) => console.log(line));
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

/**
 * Ignores the signals that other servers use to reload.
 * By default, they would end the process at once.
 */
function ignoreReloadSignals(log: Logger): void {
  for (const name of ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const)
    process.on(name, () => log.warn(`${name} has no effect: settings are read at the start only`));
}

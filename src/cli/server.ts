import type { ComposedApp } from '../compose/app.ts';
import { composeServer, realClock, type Spawn } from '../compose.ts';
import { type Config, readConfig } from '../config.ts';
import { type Log, type LogDetails, makeLog } from '../core/log.ts';
import { listen } from './listen.ts';
import { refuse } from './refusals.ts';
import type { Settings } from './serve-flags.ts';
import { signalled } from './signalled.ts';

// Whoever waits for the port, such as a proxy with phones behind it, is answered before what only clients
// and account holders need is loaded, which holds up the thread for some 20 ms.
const firstAnswersMs = 50;

/**
 * `waymark serve`: serves until SIGTERM or SIGINT, then answers what was accepted, writes what is left,
 * and ends. Says on stderr why, where it refuses to.
 *
 * @param settings laid over the environment
 */
export async function runServer(settings: Settings, spawn: Spawn): Promise<void> {
  try {
    await serveUntilSignal(readConfig({ ...Bun.env, ...settings }), spawn);
  } catch (error) {
    refuse(error);
  }
}

async function serveUntilSignal(config: Config, spawn: Spawn): Promise<void> {
  const log = serverLog(config);
  // From here on, so that a signal during the start is not lost where nobody else handles it: the
  // first process of a container ignores what it has no handler for.
  const signal = signalled();
  const server = await composeServer(config, { spawn, log });
  const listening = await listen(config, server).catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  announce(
    config,
    'listening',
    { url: listening.url },
    `Waymark listens on ${listening.url}\n  Account panel:      ${config.publicUrl}/account\n  API and Swagger UI: ${config.publicUrl}/docs\n  Short links:        ${config.shortUrl}/…`,
  );

  try {
    await Bun.sleep(firstAnswersMs);
    await offerFirstAccount(config, await server.load());
  } catch (error) {
    await listening.stop();
    throw error;
  }

  await signal;
  log.info('stopping: answering what was accepted, writing what is left');
  await listening.stop();
}

/** Nobody has a password yet, so whoever reads this makes the first account. */
async function offerFirstAccount(
  config: Config,
  { firstLink }: Pick<ComposedApp, 'firstLink'>,
): Promise<void> {
  const link = await firstLink();
  if (link === null) return;
  announce(
    config,
    'open this link to make the first account',
    { link },
    `\n  There is no account yet. Open this link to make the first one; it works once:\n  ${link}`,
  );
}

/** Says on stdout what someone who starts the server waits for: in prose, or as a line of the log. */
function announce(
  { log }: Pick<Config, 'log'>,
  message: string,
  details: LogDetails,
  prose: string,
): void {
  const say = (line: string) => console.log(line);
  if (log === 'text') say(prose);
  else makeLog('json', realClock.nowMs, say).info(message, details);
}

/** The log of a server: on stderr, so that stdout stays free. */
export function serverLog(config: Pick<Config, 'log'>): Log {
  return makeLog(config.log, realClock.nowMs, (line) => process.stderr.write(`${line}\n`));
}

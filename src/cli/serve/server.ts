import { realClock, type StartRenderWorker } from '../../compose/runtime.ts';
import { composeServer } from '../../compose/server.ts';
import { type Config, options, readConfig } from '../../config.ts';
import { createLogger, type LogDetails, type Logger } from '../../lib/logger.ts';
import { refuse } from '../exit-codes.ts';
import type { Settings } from './flags.ts';
import { listen, refuseTakenPort } from './listen.ts';
import { signalled } from './signals.ts';
import { inWords, unknownSettings } from './unknown-settings.ts';

// Whoever waits for the port, such as a proxy with phones behind it, is answered before what only clients
// and account holders need is loaded, which holds up the thread for some 20 ms.
const firstAnswersMs = 50;

/**
 * `waymark serve`: serves until SIGTERM or SIGINT, then answers what was accepted, writes what is left,
 * and ends. Says on stderr why, where it refuses to, in the form of its log.
 *
 * @param settings laid over the environment
 */
export async function runServer(
  settings: Settings,
  startRenderWorker: StartRenderWorker,
): Promise<void> {
  const values = { ...Bun.env, ...settings };
  // Asked for by itself: another setting may be what is wrong.
  const isJson = values[options.log.name]?.trim() === 'json';
  const log = serverLog({ log: isJson ? 'json' : 'text' });
  // Before anything is refused: a mistyped name may be why.
  for (const unknown of unknownSettings(Bun.env)) log.warn(inWords(unknown));
  try {
    await serveUntilSignal(readConfig(values), startRenderWorker);
  } catch (error) {
    refuse(error, isJson ? log : undefined);
  }
}

async function serveUntilSignal(
  config: Config,
  startRenderWorker: StartRenderWorker,
): Promise<void> {
  const log = serverLog(config);
  // From here on, so that a signal during the start is not lost where nobody else handles it: the
  // first process of a container ignores what it has no handler for.
  const signal = signalled();
  const server = await composeServer(config, {
    startRenderWorker,
    log,
    beforeUpgrade: () => refuseTakenPort(config),
  });
  const open = async () => {
    // The link is there when the server first answers: whoever starts it looks for the link then.
    const firstLink = server.isNew ? await (await server.load()).firstLink() : null;
    return { firstLink, listening: await listen(config, server) };
  };
  const { firstLink, listening } = await open().catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  announceServer(config, listening.url, firstLink);

  try {
    await Bun.sleep(firstAnswersMs);
    await server.load();
  } catch (error) {
    await listening.stop();
    throw error;
  }

  await signal;
  log.info('stopping: answering what was accepted, writing what is left');
  await listening.stop();
}

/** @param firstLink makes the first account, or null when there is one */
function announceServer(config: Config, url: string, firstLink: string | null): void {
  announce(
    config,
    'listening',
    { url },
    `Waymark listens on ${url}\n  Account panel:      ${config.publicUrl}/account\n  API and Swagger UI: ${config.publicUrl}/docs\n  Short links:        ${config.shortUrl}/…`,
  );
  if (firstLink === null) return;
  announce(
    config,
    'open this link to make the first account',
    { link: firstLink },
    `\n  There is no account yet. Open this link to make the first one; it works once:\n  ${firstLink}`,
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
  else createLogger('json', realClock.nowMs, say).info(message, details);
}

/**
 * The log of a server: on stderr, so that stdout stays free. A line that nobody takes is lost, and nothing else
 * with it: a log on a disk that is full, or a terminal that was closed, must not end the redirects.
 */
export function serverLog(config: Pick<Config, 'log'>): Logger {
  return createLogger(config.log, realClock.nowMs, (line) => {
    const { stderr } = process;
    // A stream without a listener makes an error of its own the end of the program.
    if (stderr.listenerCount('error') === 0) stderr.on('error', () => {});
    stderr.write(`${line}\n`);
  });
}

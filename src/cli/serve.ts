import { Command } from 'commander';
import { proveTakeover } from '../compose/takeover.ts';
import { composeServer, realClock, type Spawn } from '../compose.ts';
import { type Config, options, readConfig } from '../config.ts';
import { type Log, type LogDetails, makeLog } from '../core/log.ts';
import { refuse } from './command.ts';
import { listen } from './listen.ts';
import { signalled } from './signalled.ts';
import { randomSeed } from './verify.ts';

/** `waymark serve` */
export function addServeCommand(program: Command, spawn: Spawn): void {
  const serve = new Command('serve').description(
    'start the server; every option can also be set by the environment variable of its name',
  );
  for (const option of Object.values(options))
    serve.option(`${flagOf(option.name)} <value>`, helpOf(option));
  serve.option('--json', 'the same as --log json');

  program.addCommand(
    serve.action(async (flags: Record<string, string | true>) => {
      try {
        await runServer(readConfig({ ...Bun.env, ...fromFlags(flags) }), spawn);
      } catch (error) {
        refuse(error);
      }
    }),
  );
}

/** Serves until SIGTERM or SIGINT, then answers what was accepted, writes what is left, and ends. */
async function runServer(config: Config, spawn: Spawn): Promise<void> {
  const log = serverLog(config);
  // From here on, so that a signal during the start is not lost where nobody else handles it: the
  // first process of a container ignores what it has no handler for.
  const signal = signalled();
  await proveTakeover(config, { spawn, log, seed: randomSeed() });
  const server = composeServer(config, { spawn, log });
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

  const link = await server.firstLink();
  // Nobody has a password yet, so whoever reads this makes the first account.
  if (link !== null)
    announce(
      config,
      'open this link to make the first account',
      { link },
      `\n  There is no account yet. Open this link to make the first one; it works once:\n  ${link}`,
    );

  await signal;
  log.info('stopping: answering what was accepted, writing what is left');
  await listening.stop();
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

function helpOf(option: (typeof options)[keyof typeof options]): string {
  const standard = 'default' in option ? ` (default: ${option.default})` : '';
  return `${option.help}${standard} [${option.name}]`;
}

function flagOf(name: string): string {
  return `--${name.slice('WAYMARK_'.length).toLowerCase().replaceAll('_', '-')}`;
}

function fromFlags(flags: Record<string, string | true>): Record<string, string> {
  const values: Record<string, string> = flags['json'] === true ? { WAYMARK_LOG: 'json' } : {};
  for (const { name } of Object.values(options)) {
    const value = flags[camelCase(flagOf(name).slice(2))];
    if (typeof value === 'string') values[name] = value;
  }
  return values;
}

function camelCase(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

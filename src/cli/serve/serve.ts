import { Command } from 'commander';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import { options } from '../../config.ts';
import { flagOf } from './flags.ts';
import { runServer } from './server.ts';

/** `waymark serve` */
export function addServeCommand(program: Command, startRenderWorker: StartRenderWorker): void {
  const serve = new Command('serve').description(
    'start the server; every option can also be set by the environment variable of its name',
  );
  for (const option of Object.values(options))
    serve.option(`${flagOf(option.name)} <value>`, helpOf(option));
  serve.option('--json', 'the same as --log json');

  program.addCommand(
    serve.action((flags: Record<string, string | true>) =>
      runServer(settingsOf(flags), startRenderWorker),
    ),
  );
}

function helpOf(option: (typeof options)[keyof typeof options]): string {
  const standard = 'default' in option ? ` (default: ${option.default})` : '';
  return `${option.help}${standard} [${option.name}]`;
}

/** The settings in the flags that commander has read, by the names of their variables. */
export function settingsOf(flags: Record<string, string | true>): Record<string, string> {
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

import { Command, Option } from 'commander';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import { options, secretFiles } from '../../config.ts';
import { runServer } from './server.ts';
import { flagOf, type Settings, settingsOf } from './settings.ts';

type Setting = (typeof options)[keyof typeof options] | (typeof secretFiles)[number];

/** Adds `waymark serve`. */
export function addServeCommand(program: Command, startRenderWorker: StartRenderWorker): void {
  program.addCommand(serveCommand((settings) => runServer(settings, startRenderWorker)));
}

/** Creates `waymark serve`. @param run receives the settings of the flags */
export function serveCommand(run: (settings: Settings) => Promise<void>): Command {
  const serve = new Command('serve').description(
    'start the server; the environment variable of an option sets it too',
  );
  for (const option of [...Object.values(options), ...secretFiles])
    serve.addOption(
      new Option(
        `--${flagOf(option.name)} ${'isSwitch' in option ? '[value]' : '<value>'}`,
        helpOf(option),
      ),
    );
  return serve.option('--json', 'the same as --log json').action(() => {
    // By the names of the flags, which commander changes to camel case.
    const flags = serve.options.map((option) => [
      option.name(),
      serve.getOptionValue(option.attributeName()),
    ]);
    return run(settingsOf(Object.fromEntries(flags)));
  });
}

function helpOf(option: Setting): string {
  const standard = 'default' in option ? ` (default: ${option.default})` : '';
  return `${option.help}${standard} [${option.name}]`;
}

import { Command, Option } from 'commander';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import { runServer } from '../../redirect/server.ts';
import { flagOf, type Settings, settings } from '../../redirect/settings.ts';
import { createOnDemand } from './on-demand.ts';

/** Adds `waymark serve`. */
export function addServeCommand(program: Command, startRenderWorker: StartRenderWorker): void {
  program.addCommand(serveCommand((given) => runServer(given, createOnDemand(startRenderWorker))));
}

/** Creates `waymark serve`. @param run receives the settings of the flags */
export function serveCommand(run: (settings: Settings) => Promise<void>): Command {
  const serve = new Command('serve').description(
    'start the server; the environment variable of an option sets it too',
  );
  const flags = settings.map((setting) => ({ name: setting.name, option: optionOf(setting) }));
  for (const { option } of flags) serve.addOption(option);
  return serve.option('--json', 'the same as --log json').action(() => {
    const given: Record<string, string> = serve.getOptionValue('json')
      ? { WAYMARK_LOG: 'json' }
      : {};
    for (const { name, option } of flags) {
      const value: string | true | undefined = serve.getOptionValue(option.attributeName());
      if (value !== undefined) given[name] = value === true ? 'on' : value;
    }
    return run(given);
  });
}

function optionOf(setting: (typeof settings)[number]): Option {
  const { name, help } = setting;
  const standard = 'default' in setting ? ` (default: ${setting.default})` : '';
  const flag = `--${flagOf(name)} ${'isSwitch' in setting ? '[value]' : '<value>'}`;
  return new Option(flag, `${help}${standard} [${name}]`);
}

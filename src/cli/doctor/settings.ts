import type { Command } from 'commander';
import { type Config, options, readConfig } from '../../config.ts';
import { environmentWarnings } from '../../redirect/settings.ts';
import { addCommand, type CommonFlags, type Outcome, toAction } from '../command.ts';
import { formatTable } from '../output.ts';

/** A setting as it is in effect. */
interface Effective {
  readonly name: string;
  /** Null if it has none. */
  readonly value: string | null;
  readonly source: 'flag' | 'environment' | 'file' | 'default';
}

type OptionName = keyof typeof options;

/** Adds `waymark settings`. */
export function addSettingsCommand(program: Command): void {
  addCommand(
    program,
    'settings',
    'show the settings in effect and the source of each; secrets are masked',
  ).action(toAction(async (flags: CommonFlags) => showSettings(flags, Bun.env)));
}

function showSettings(flags: CommonFlags, environment: typeof Bun.env): Outcome {
  const config = readConfig({ ...environment, ...(flags.data && { WAYMARK_DATA: flags.data }) });
  // The cast is safe: these are the keys of the constant.
  const settings = (Object.keys(options) as OptionName[]).map(
    (key): Effective => ({
      name: options[key].name,
      value: shownValue(config, key),
      source: key === 'data' && flags.data ? 'flag' : sourceOf(key, environment),
    }),
  );
  return {
    text: formatTable([
      ['SETTING', 'FROM', 'VALUE'],
      ...settings.map(({ name, value, source }) => [name, source, value ?? '']),
    ]),
    json: settings,
    warnings: environmentWarnings(environment),
  };
}

function sourceOf(key: OptionName, environment: typeof Bun.env): Effective['source'] {
  const { name } = options[key];
  if (environment[name]?.trim()) return 'environment';
  return 'isSecret' in options[key] && environment[`${name}_FILE`]?.trim() ? 'file' : 'default';
}

function shownValue(config: Config, key: OptionName): string | null {
  const value: Config[OptionName] = config[key];
  if (value === null || value === '') return null;
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  const text = typeof value === 'object' ? value.join(',') : String(value);
  return 'isSecret' in options[key] ? masked(key, text) : text || null;
}

/** Returns a secret for people: of the address of a database, what is no user, password or parameter. */
function masked(key: OptionName, text: string): string {
  const url = key === 'databaseUrl' ? URL.parse(text) : null;
  if (url === null) return '…';
  const user = url.username + url.password === '' ? '' : '…@';
  return `${url.protocol}//${user}${url.host}${url.pathname}`;
}

import { options, secretFiles } from '../../config.ts';

/** Settings by the names of their environment variables. */
export type Settings = Readonly<Record<string, string>>;

const names: readonly string[] = [...Object.values(options), ...secretFiles].map(
  ({ name }) => name,
);

/** Flags that mean `on` without a value. */
const switches: readonly string[] = Object.values(options)
  .filter((option) => 'isSwitch' in option)
  .map(({ name }) => flagOf(name));

/** Returns the flag of `serve` for a setting: `port` for `WAYMARK_PORT`. */
export function flagOf(name: string): string {
  return name.slice('WAYMARK_'.length).toLowerCase().replaceAll('_', '-');
}

/**
 * Parses `serve --port 3000 --json` without commander, which takes as long to load as the server.
 *
 * @returns null when commander must parse the arguments: other commands, `--help`, wrong usage
 */
export function parseServeArguments(args: readonly string[]): Settings | null {
  const [command, ...flags] = args;
  if (command !== 'serve') return null;
  if (flags.length === 0) return {};
  const { parseArgs } = process.getBuiltinModule('node:util');
  const flagTypes = names
    .map((name) => flagOf(name))
    .map((flag) => [flag, { type: 'string' as const }] as const);
  try {
    return settingsOf(
      parseArgs({
        args: flags.map((flag, index) =>
          isBareSwitch(flag, flags[index + 1]) ? `${flag}=on` : flag,
        ),
        options: { ...Object.fromEntries(flagTypes), json: { type: 'boolean' } },
      }).values,
    );
  } catch {
    return null;
  }
}

/** Returns whether an argument is a switch without a value behind it. */
function isBareSwitch(argument: string, next = '--'): boolean {
  return switches.includes(argument.replace(/^--/, '')) && next.startsWith('--');
}

/** Returns the settings in parsed flags; `--log` wins over `--json`. */
export function settingsOf(flags: Readonly<Record<string, unknown>>): Settings {
  const settings: Record<string, string> = flags['json'] === true ? { WAYMARK_LOG: 'json' } : {};
  for (const name of names) {
    const value = flags[flagOf(name)];
    if (typeof value === 'string') settings[name] = value;
    else if (value === true) settings[name] = 'on';
  }
  return settings;
}

/** Returns a warning for each variable that begins with WAYMARK and is not a setting, such as WAYMARK_PROT. */
export function unknownSettings(environment: object): string[] {
  return Object.keys(environment)
    .filter((name) => /^WAYMARK/i.test(name) && !names.includes(name))
    .map((name) => `${name} is not a setting of Waymark and has no effect`);
}

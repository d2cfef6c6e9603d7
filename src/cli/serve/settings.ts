import { options, secretFiles } from '../../config.ts';

/** Settings by the names of their environment variables. */
export type Settings = Readonly<Record<string, string>>;

const names: readonly string[] = [...Object.values(options), ...secretFiles].map(
  ({ name }) => name,
);

/** Returns the flag of `serve` for a setting: `port` for `WAYMARK_PORT`. */
export function flagOf(name: string): string {
  return name.slice('WAYMARK_'.length).toLowerCase().replaceAll('_', '-');
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

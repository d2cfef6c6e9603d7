import { options, secretFiles } from '../../config.ts';

/** Settings by the names of their environment variables. */
export type Settings = Readonly<Record<string, string>>;

/** All settings, and the files of the secret ones. */
export const settings = [...Object.values(options), ...secretFiles];

const names: ReadonlySet<string> = new Set(settings.map(({ name }) => name));

/** Returns the flag of `serve` for a setting: `port` for `WAYMARK_PORT`. */
export function flagOf(name: string): string {
  return name.slice('WAYMARK_'.length).toLowerCase().replaceAll('_', '-');
}

/** Returns a warning for each variable that begins with WAYMARK and is not a setting, such as WAYMARK_PROT. */
export function unknownSettings(environment: object): string[] {
  return Object.keys(environment)
    .filter((name) => /^WAYMARK/i.test(name) && !names.has(name))
    .map((name) => `${name} is not a setting of Waymark and has no effect`);
}

import { options } from '../../config.ts';

/** Settings by the names of their environment variables. */
export type Settings = Readonly<Record<string, string>>;

/** The flag of `serve` for a setting: `--port` for `WAYMARK_PORT`. */
export function flagOf(name: string): string {
  return `--${name.slice('WAYMARK_'.length).toLowerCase().replaceAll('_', '-')}`;
}

/**
 * The settings in plain words such as `serve --port 3000 --json`; null where there is anything else
 * to understand or to refuse, which is left to the whole command line. To load that takes as long
 * as the rest of a start.
 */
export function plainSettings(words: readonly string[]): Settings | null {
  const [command, ...flags] = words;
  if (command !== 'serve') return null;
  const settings: Record<string, string> = {};
  let asJson = false;
  for (let at = 0; at < flags.length; at++) {
    if (flags[at] === '--json') {
      asJson = true;
      continue;
    }
    const option = Object.values(options).find(({ name }) => flagOf(name) === flags[at]);
    const value = flags[++at];
    if (option === undefined || value === undefined || value.startsWith('-')) return null;
    settings[option.name] = value;
  }
  return { ...(asJson && { WAYMARK_LOG: 'json' }), ...settings };
}

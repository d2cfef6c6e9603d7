import { options, secretFiles } from '../../config.ts';
import { plural } from '../../lib/numbers.ts';

/** Settings by the names of their environment variables. */
export type Settings = Readonly<Record<string, string>>;

/** All settings, and the files of the secret ones. */
export const settings = [...Object.values(options), ...secretFiles];

const names: ReadonlySet<string> = new Set(settings.map(({ name }) => name));

/** Returns the flag of `serve` for a setting: `port` for `WAYMARK_PORT`. */
export function flagOf(name: string): string {
  return name.slice('WAYMARK_'.length).toLowerCase().replaceAll('_', '-');
}

/** Returns warnings about variables of the environment that begin with WAYMARK. */
export function environmentWarnings(environment: Env): string[] {
  const own = Object.entries(environment).filter(([name]) => /^WAYMARK/i.test(name));
  const unknown = own
    .filter(([name]) => !names.has(name))
    // A mistyped name, such as WAYMARK_PROT.
    .map(([name]) => `${name} is not a setting of Waymark and has no effect`);
  const returned = own.filter(([, value]) => value?.endsWith('\r')).map(([name]) => name);
  if (returned.length === 0) return unknown;
  const verb = plural(returned.length, 'ends', 'end');
  return [
    ...unknown,
    `${returned.join(', ')} ${verb} with a carriage return, which is ignored: the file of the settings has the line ends of ` +
      "Windows (CRLF). Remove them with: sed -i 's/\\r$//' FILE",
  ];
}

type Env = Readonly<Record<string, string | undefined>>;

import { type Config, options, removedSettings, secretFiles } from '../config.ts';
import { reachOf } from '../core/codes/urls/host.ts';
import { plural } from '../lib/numbers.ts';

/** Settings by the names of their environment variables. */
export type Settings = Readonly<Record<string, string>>;

/** All settings, and the files of the secret ones. */
export const settings = [...Object.values(options), ...secretFiles];

const names: ReadonlySet<string> = new Set([
  ...settings.map(({ name }) => name),
  ...Object.keys(removedSettings),
]);

/** Returns the flag of `serve` for a setting: `port` for `WAYMARK_PORT`. */
export function flagOf(name: string): string {
  return name.slice('WAYMARK_'.length).toLowerCase().replaceAll('_', '-');
}

/** Returns warnings about variables of the environment that begin with WAYMARK. */
export function environmentWarnings(environment: Env): string[] {
  // A program that reads a file of settings may take an "export" for a part of the name.
  const own = Object.entries(environment).filter(([name]) => /^(?:export\s)?WAYMARK/i.test(name));
  const unknown = own
    .filter(([name]) => !names.has(name))
    // A mistyped name, such as WAYMARK_PROT.
    .map(([name]) => `${name} is not a setting of Waymark and has no effect`);
  const warn = (
    isWrong: (value: string) => boolean,
    textOf: (count: number) => string,
  ): string[] => {
    const found = own.filter(([, value]) => isWrong(value ?? '')).map(([name]) => name);
    return found.length === 0 ? [] : [`${found.join(', ')} ${textOf(found.length)}`];
  };
  return [
    ...unknown,
    ...warn(
      (value) => value.endsWith('\r'),
      (count) =>
        `${plural(count, 'ends', 'end')} with a carriage return, which is ignored: the file of the settings has the line ends ` +
        "of Windows (CRLF). Remove them with: sed -i 's/\\r$//' FILE",
    ),
    ...warn(
      isInQuotes,
      (count) =>
        `${plural(count, 'has', 'have')} quotes around the value, which belong to it: what reads the file of the settings is no ` +
        'shell. Remove them',
    ),
  ];
}

function isInQuotes(value: string): boolean {
  const text = value.trim();
  return text.length > 1 && /^["']/.test(text) && text.endsWith(text.charAt(0));
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Returns a warning if codes of this server cannot be scanned.
 * Their links may open on its own machine only.
 */
export function localAddressWarning({ shortUrl }: Pick<Config, 'shortUrl'>): string | null {
  const url = new URL(shortUrl);
  if (reachOf(url) !== 'this machine') return null;
  return (
    `phones can't open ${url.hostname}, so a printed code leads nowhere. Set WAYMARK_PUBLIC_URL to the public ` +
    'address of the server, such as https://qr.example.com.'
  );
}

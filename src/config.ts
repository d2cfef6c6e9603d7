/** The settings of the server and of commands. */
export interface Config {
  /** Data folder. */
  readonly data: string;
  readonly host: string;
  readonly port: number;
  // URLs are `scheme://host[:port][/path]`, without a trailing slash.
  readonly publicUrl: string;
  readonly shortUrl: string;
  readonly shortUrlAliases: readonly string[];
  readonly keyPrefix: string;
  /** Requests per minute and key. */
  readonly rateLimit: number;
  readonly durability: 'power' | 'process';
  /** IP addresses and networks. */
  readonly trustProxy: readonly string[];
  readonly safeBrowsing: 'off' | 'webrisk' | 'v5' | 'http';
  readonly safeBrowsingKey: string | null;
  readonly safeBrowsingUrl: string | null;
  readonly safeBrowsingFailure: 'allow' | 'refuse';
  readonly safetyWarning: boolean;
  readonly denseLinks: boolean;
  /** Whether the server only redirects and writes nothing. */
  readonly redirectOnly: boolean;
  readonly log: 'text' | 'json';
  /** Of PostgreSQL; null for SQLite in the data folder. */
  readonly databaseUrl: string | null;
  /** Of Valkey or Redis; null for rate limits and sign-in throttles in memory. */
  readonly valkeyUrl: string | null;
  /** Folder for a backup a day; `off` for none on purpose; null when it is not set. */
  readonly backupDir: string | null;
  /** Number of backups to keep. */
  readonly backupKeep: number;
  /** Files and folders with fonts for captions on sheets; none means those of the system. */
  readonly fonts: readonly string[];
}

interface Option {
  /** Environment variable. */
  readonly name: string;
  readonly help: string;
  readonly default?: string;
  /** Whether the flag means `on` without a value. */
  readonly isSwitch?: true;
  /** Whether the value can be in a file that another variable names, see `secretFiles`. */
  readonly isSecret?: true;
}

/** All settings: environment variables and the help of the flags of `serve`. */
export const options = {
  data: { name: 'WAYMARK_DATA', help: 'data folder', default: './data' },
  host: { name: 'WAYMARK_HOST', help: 'address to listen on', default: '127.0.0.1' },
  port: { name: 'WAYMARK_PORT', help: 'port to listen on', default: '3000' },
  publicUrl: {
    name: 'WAYMARK_PUBLIC_URL',
    help: 'base URL of the API and the panel (default: http://HOST:PORT)',
  },
  shortUrl: {
    name: 'WAYMARK_SHORT_URL',
    help: 'base URL of the short links in new codes (default: the public URL)',
  },
  shortUrlAliases: {
    name: 'WAYMARK_SHORT_URL_ALIASES',
    help: 'base URLs of codes printed earlier, separated by commas',
  },
  keyPrefix: { name: 'WAYMARK_KEY_PREFIX', help: 'prefix of API keys', default: 'wmk' },
  rateLimit: {
    name: 'WAYMARK_RATE_LIMIT',
    help: 'API requests per minute and key, in a sliding window',
    default: '60',
  },
  durability: {
    name: 'WAYMARK_DURABILITY',
    help: 'what an answered write survives: a power cut (power) or a crash of the process (process)',
    default: 'power',
  },
  trustProxy: {
    name: 'WAYMARK_TRUST_PROXY',
    help: 'addresses of proxies whose X-Forwarded-For is trusted, separated by commas',
  },
  safeBrowsing: {
    name: 'WAYMARK_SAFE_BROWSING',
    help: 'remote check of destinations: off, webrisk, v5 or http',
    default: 'off',
  },
  safeBrowsingKey: {
    name: 'WAYMARK_SAFE_BROWSING_KEY',
    help: 'API key for the remote check',
    isSecret: true,
  },
  safeBrowsingUrl: { name: 'WAYMARK_SAFE_BROWSING_URL', help: 'base URL of the remote check' },
  safeBrowsingFailure: {
    name: 'WAYMARK_SAFE_BROWSING_FAILURE',
    help: 'what happens to creates and edits while the remote check is unreachable: allow or refuse',
    default: 'allow',
  },
  safetyWarning: {
    name: 'WAYMARK_SAFETY_WARNING',
    help: 'show a warning page instead of redirecting to a destination that was flagged later: on or off',
    default: 'on',
  },
  denseLinks: {
    name: 'WAYMARK_DENSE_LINKS',
    help: 'short links in capital letters, for larger modules: on or off',
    default: 'off',
  },
  redirectOnly: {
    name: 'WAYMARK_REDIRECT_ONLY',
    help: 'only redirect and write nothing, such as on a read-only file system: on or off',
    default: 'off',
    isSwitch: true,
  },
  log: { name: 'WAYMARK_LOG', help: 'log format: text or json', default: 'text' },
  databaseUrl: {
    name: 'WAYMARK_DATABASE_URL',
    help: 'PostgreSQL database for several copies of the server (default: SQLite in the data folder)',
    isSecret: true,
  },
  valkeyUrl: {
    name: 'WAYMARK_VALKEY_URL',
    help: 'Valkey or Redis for the rate limits of several copies (default: in memory)',
    isSecret: true,
  },
  backupDir: {
    name: 'WAYMARK_BACKUP_DIR',
    help: 'folder for a checked backup a day, or off (default: none, with a warning)',
  },
  backupKeep: {
    name: 'WAYMARK_BACKUP_KEEP',
    help: 'number of daily backups to keep',
    default: '14',
  },
  fonts: {
    name: 'WAYMARK_FONTS',
    help: 'font files and folders for captions on sheets, separated by commas (default: the fonts of the system)',
  },
} as const satisfies Record<keyof Config, Option>;

/** The settings that name a file with the value of a secret one, as containers and systemd hand secrets over. */
export const secretFiles: readonly Option[] = Object.values(options)
  .filter((option) => 'isSecret' in option)
  .map(({ name }) => ({ name: `${name}_FILE`, help: `file with the value of ${name}` }));

/** One or more settings are invalid. The message has a line for each, with what it must be. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the settings. An empty value counts as absent.
 *
 * @param values by environment variable; flags override them
 * @throws ConfigError that names every invalid value
 */
export function readConfig(values: Readonly<Record<string, string | undefined>>): Config {
  // Invalid values are collected, so that the error names all of them.
  const problems: string[] = [];
  const reject = (option: Option, value: string, expected: string) =>
    problems.push(`${option.name} is ${JSON.stringify(value)}, but must be ${expected}.`);

  const secrets = readSecrets(values, problems);
  const text = (option: Option) =>
    (secrets.get(option.name) ?? values[option.name])?.trim() || option.default || '';
  const list = (option: Option) =>
    text(option)
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  const matching = (option: Option, isValid: (value: string) => boolean, expected: string) => {
    if (!isValid(text(option))) reject(option, text(option), expected);
    return text(option);
  };
  const oneOf = <T extends string>(option: Option, allowed: readonly [T, ...T[]]): T => {
    const value = allowed.find((candidate) => candidate === text(option));
    if (value === undefined) reject(option, text(option), `one of ${allowed.join(', ')}`);
    return value ?? allowed[0];
  };
  const wholeNumber = (option: Option, min: number, max: number): number => {
    const value = /^\d+$/.test(text(option)) ? Number(text(option)) : Number.NaN;
    if (!(value >= min && value <= max))
      reject(option, text(option), `a whole number from ${min} to ${max}`);
    return value;
  };
  const baseUrl = (option: Option, value: string, expectedFor: (url: URL) => string | null) => {
    const url = URL.parse(value);
    const expected = url === null || !isBaseUrl(url) ? exampleAddress : expectedFor(url);
    if (expected !== null) reject(option, value, expected);
    return url === null ? value : withoutSlash(url);
  };
  const linkBaseUrl = (option: Option, fallback: string) =>
    text(option) === '' ? fallback : baseUrl(option, text(option), expectedLinkBaseUrl);

  const host = matching(options.host, isHost, 'an address such as 127.0.0.1 or ::1');
  const port = wholeNumber(options.port, 1, 65_535);
  const local = URL.parse(`http://${bracketed(host)}:${port}`);
  const isReachable = local !== null && !['0.0.0.0', '[::]', '*'].includes(local.hostname);
  const isAddressValid = problems.length === 0;
  if (text(options.publicUrl) === '' && isAddressValid && !isReachable)
    reject(
      options.publicUrl,
      '',
      `the address of this server for phones, such as https://qr.example.com: ${options.host.name} is ${host}`,
    );
  const publicUrl = linkBaseUrl(options.publicUrl, local === null ? '' : withoutSlash(local));
  const shortUrl = linkBaseUrl(options.shortUrl, publicUrl);
  const denseLinks = oneOf(options.denseLinks, ['off', 'on']) === 'on';
  const path = URL.parse(shortUrl)?.pathname ?? '';
  if (denseLinks && path !== path.toUpperCase())
    reject(
      options.denseLinks,
      'on',
      `off, because the path of ${options.shortUrl.name} (${shortUrl}) has lowercase letters`,
    );

  const safeBrowsing = oneOf(options.safeBrowsing, ['off', 'webrisk', 'v5', 'http']);
  const safeBrowsingKey = text(options.safeBrowsingKey) || null;
  const safeBrowsingUrl = text(options.safeBrowsingUrl) || null;
  if (safeBrowsingKey === null && (safeBrowsing === 'webrisk' || safeBrowsing === 'v5'))
    reject(options.safeBrowsingKey, '', `the API key for ${safeBrowsing}`);
  if (safeBrowsingUrl === null && safeBrowsing === 'http')
    reject(options.safeBrowsingUrl, '', 'the base URL of the remote check');

  const databaseUrl = text(options.databaseUrl);
  // The value is not shown, because it has a password.
  if (databaseUrl !== '' && !isDatabaseUrl(databaseUrl))
    problems.push(
      `${options.databaseUrl.name} must be the address of a PostgreSQL database, such as ` +
        'postgres://user:password@db.example.com:5432/waymark. Special characters of the password are ' +
        'percent-encoded.',
    );
  const valkeyUrl = text(options.valkeyUrl);
  if (valkeyUrl !== '' && !isValkeyUrl(valkeyUrl))
    problems.push(
      `${options.valkeyUrl.name} must be the address of Valkey or Redis, such as ` +
        'redis://:password@cache.example.com:6379 or, with TLS, rediss://cache.example.com:6380. Special ' +
        'characters of the password are percent-encoded.',
    );

  const config: Config = {
    data: text(options.data),
    host,
    port,
    publicUrl,
    shortUrl,
    shortUrlAliases: list(options.shortUrlAliases).map((alias) =>
      baseUrl(options.shortUrlAliases, alias, expectedLinkBaseUrl),
    ),
    keyPrefix: matching(
      options.keyPrefix,
      (prefix) => /^[a-z][a-z0-9]{0,15}$/i.test(prefix),
      'up to 16 letters and digits, a letter first',
    ),
    rateLimit: wholeNumber(options.rateLimit, 1, 1_000_000_000),
    durability: oneOf(options.durability, ['power', 'process']),
    trustProxy: list(options.trustProxy),
    safeBrowsing,
    safeBrowsingKey,
    safeBrowsingUrl:
      safeBrowsingUrl && baseUrl(options.safeBrowsingUrl, safeBrowsingUrl, () => null),
    safeBrowsingFailure: oneOf(options.safeBrowsingFailure, ['allow', 'refuse']),
    safetyWarning: oneOf(options.safetyWarning, ['on', 'off']) === 'on',
    denseLinks,
    redirectOnly: oneOf(options.redirectOnly, ['off', 'on']) === 'on',
    log: oneOf(options.log, ['text', 'json']),
    databaseUrl: databaseUrl || null,
    valkeyUrl: valkeyUrl || null,
    backupDir: text(options.backupDir) || null,
    backupKeep: wholeNumber(options.backupKeep, 1, maxBackups),
    fonts: list(options.fonts),
  };
  for (const path of config.fonts)
    if (!process.getBuiltinModule('node:fs').existsSync(path))
      reject(options.fonts, path, 'a file or folder that exists');
  for (const network of config.trustProxy)
    if (!isNetwork(network))
      reject(options.trustProxy, network, 'an address or network such as 10.0.0.1 or 10.0.0.0/8');
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return Object.freeze(config);
}

/** Maximum number of backups to keep. */
export const maxBackups = 10_000;

/** Reads the secrets that are in files, by the name of their setting. Adds what is wrong to `problems`. */
function readSecrets(
  values: Readonly<Record<string, string | undefined>>,
  problems: string[],
): Map<string, string> {
  const secrets = new Map<string, string>();
  for (const file of secretFiles) {
    const path = values[file.name]?.trim() ?? '';
    const name = file.name.replace(/_FILE$/, '');
    if (path === '') continue;
    if (values[name]?.trim()) {
      problems.push(`${name} and ${file.name} are both set. Remove one of them.`);
      continue;
    }
    try {
      const secret = process.getBuiltinModule('node:fs').readFileSync(path, 'utf8').trim();
      if (secret === '' || /[\p{Cc}\ufffd]/u.test(secret))
        problems.push(
          `${file.name} is ${JSON.stringify(path)}, but the file must have one line of text.`,
        );
      else secrets.set(name, secret);
    } catch (error) {
      // ENOENT: no such file or directory, open '…'
      const [, reason = error] = /^\w+: ([^,]+)/.exec(String(Object(error).message)) ?? [];
      problems.push(`${file.name} is ${JSON.stringify(path)}, which cannot be read: ${reason}.`);
    }
  }
  return secrets;
}

/** Returns whether a text is a URL of PostgreSQL with host and database. */
export function isDatabaseUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) return false;
  return url.hostname !== '' && /^\/[^/]+$/.test(url.pathname) && isPercentEncoded(url);
}

/** Returns whether a text is a URL of Valkey with a host, and a database number at most. */
function isValkeyUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^(redis|valkey)s?:$/.test(url.protocol)) return false;
  return url.hostname !== '' && /^(\/\d*)?$/.test(url.pathname) && isPercentEncoded(url);
}

function isPercentEncoded({ username, password, pathname }: URL): boolean {
  try {
    decodeURIComponent(username + password + pathname);
    return true;
  } catch {
    return false;
  }
}

const exampleAddress = 'an address such as https://qr.example.com';

function isBaseUrl({ protocol, hostname, username, password, search, hash }: URL): boolean {
  const isBare = username + password + search + hash === '';
  return /^https?:$/.test(protocol) && hostname !== '' && isBare;
}

function withoutSlash({ origin, pathname }: URL): string {
  return `${origin}${pathname}`.replace(/\/+$/, '');
}

// With a longer one, the modules of a code would be less than a pixel in the smallest PNG.
const maxLinkBaseLength = 120;

/** Returns what a base URL of short links or the API must be instead, or null if it is valid. */
function expectedLinkBaseUrl(url: URL): string | null {
  // The URL standard accepts `https://${DOMAIN}`, which systemd does not expand, and `https://https://…`.
  const isHost = /^(?:[\w-]+\.)*[\w-]+\.?$|^\[/.test(url.hostname);
  if (!isHost || /\/\/[^/]/.test(url.pathname)) return exampleAddress;
  // The server skips this path in every request: `/docs/json` would become `/json`.
  if (/^\/(?:api|docs|account|healthz)(?:\/|$)/.test(url.pathname))
    return 'an address outside /api, /docs, /account and /healthz, which the server uses itself';
  return withoutSlash(url).length > maxLinkBaseLength
    ? `at most ${maxLinkBaseLength} characters long, because codes of longer links are too dense`
    : null;
}

/** Returns whether the text is an IP address, a host name or `*`. An IPv6 address may have a zone. */
function isHost(text: string): boolean {
  const host = text === '*' ? '0.0.0.0' : bracketed(text.replace(/%\w+$/, ''));
  return /^(?:[\w.-]+|\[.*\])$/.test(host) && URL.canParse(`http://${host}`);
}

/** Returns an IPv6 address as URLs write it, any other host unchanged. */
function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/** Returns whether the text is an IP address or a network such as `10.0.0.0/8`. */
function isNetwork(text: string): boolean {
  const [address = '', bits = '0', ...rest] = text.split('/');
  // Loaded on demand, because it takes milliseconds of the start.
  const { isIPv4, isIPv6 } = process.getBuiltinModule('node:net');
  const maxBits = isIPv4(address) ? 32 : isIPv6(address) && !address.includes('%') ? 128 : -1;
  return rest.length === 0 && /^\d+$/.test(bits) && Number(bits) <= maxBits;
}

/** Returns the prefixes at which codes redirect. Codes redirect at the public URL as well. */
export function servedPrefixesOf({
  shortUrl,
  shortUrlAliases,
  publicUrl,
}: Pick<Config, 'shortUrl' | 'shortUrlAliases' | 'publicUrl'>): string[] {
  return [shortUrl, ...shortUrlAliases, publicUrl];
}

/**
 * The settings of the server: one table from which the environment is read, the flags of `serve` are
 * made and the help is printed.
 */
export interface Config {
  /** Folder of the database and everything else that is kept. */
  readonly data: string;
  readonly host: string;
  readonly port: number;
  /** Where clients reach the server, without a trailing slash. */
  readonly publicUrl: string;
  /** Base of short links, without a trailing slash. */
  readonly shortUrl: string;
  /** Bases of short links printed earlier, which this server still answers. */
  readonly shortUrlAliases: readonly string[];
  readonly keyPrefix: string;
  /** Requests per minute and key. */
  readonly rateLimit: number;
  readonly durability: 'power' | 'process';
  /** Addresses or networks of proxies whose forwarding headers are believed. */
  readonly trustProxy: readonly string[];
  readonly safeBrowsing: 'off' | 'webrisk' | 'v5' | 'http';
  readonly safeBrowsingKey: string | null;
  readonly safeBrowsingUrl: string | null;
  /** What becomes of a destination that the remote check cannot judge now. */
  readonly safeBrowsingFailure: 'allow' | 'refuse';
  /** Whether a short link whose destination was flagged later warns instead of redirecting. */
  readonly safetyWarning: boolean;
  readonly denseLinks: boolean;
  readonly log: 'text' | 'json';
}

interface Option {
  /** Environment variable. */
  readonly name: string;
  readonly help: string;
  /** Shown in the help; undefined where there is none or it follows another option. */
  readonly default?: string;
}

export const options = {
  data: {
    name: 'WAYMARK_DATA',
    help: 'folder of the database and everything else that is kept',
    default: './data',
  },
  host: { name: 'WAYMARK_HOST', help: 'address to listen on', default: '127.0.0.1' },
  port: { name: 'WAYMARK_PORT', help: 'port to listen on', default: '3000' },
  publicUrl: {
    name: 'WAYMARK_PUBLIC_URL',
    help: 'where clients reach the server (default: http://HOST:PORT)',
  },
  shortUrl: {
    name: 'WAYMARK_SHORT_URL',
    help: 'base of the short links in new codes (default: the public URL)',
  },
  shortUrlAliases: {
    name: 'WAYMARK_SHORT_URL_ALIASES',
    help: 'bases of short links printed earlier that still lead here, separated by commas',
  },
  keyPrefix: { name: 'WAYMARK_KEY_PREFIX', help: 'what API keys begin with', default: 'wmk' },
  rateLimit: { name: 'WAYMARK_RATE_LIMIT', help: 'requests per minute and key', default: '60' },
  durability: {
    name: 'WAYMARK_DURABILITY',
    help: 'what an answered write survives: a power cut (power) or a crash of the process (process)',
    default: 'power',
  },
  trustProxy: {
    name: 'WAYMARK_TRUST_PROXY',
    help: 'addresses or networks of proxies whose X-Forwarded-For is believed, separated by commas',
  },
  safeBrowsing: {
    name: 'WAYMARK_SAFE_BROWSING',
    help: 'remote check of destinations beside the local list: off, webrisk, v5 or http',
    default: 'off',
  },
  safeBrowsingKey: { name: 'WAYMARK_SAFE_BROWSING_KEY', help: 'key for the remote check' },
  safeBrowsingUrl: { name: 'WAYMARK_SAFE_BROWSING_URL', help: 'base address of the remote check' },
  safeBrowsingFailure: {
    name: 'WAYMARK_SAFE_BROWSING_FAILURE',
    help: 'a create or edit to which the remote check gives no answer: allow it for now, or refuse it',
    default: 'allow',
  },
  safetyWarning: {
    name: 'WAYMARK_SAFETY_WARNING',
    help: 'warn of a destination that was flagged after it was accepted, instead of redirecting: on or off',
    default: 'on',
  },
  denseLinks: {
    name: 'WAYMARK_DENSE_LINKS',
    help: 'write short links in capitals, which mostly makes modules larger: on or off',
    default: 'off',
  },
  log: { name: 'WAYMARK_LOG', help: 'form of log lines: text or json', default: 'text' },
} as const satisfies Record<keyof Config, Option>;

/** A setting with a wrong value; the message names it and what would be right. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Values = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings. An empty value counts as absent.
 *
 * @param values by the names of the table, from the environment with flags laid over it
 * @throws ConfigError that names every wrong value, so that one try shows them all
 */
export function readConfig(values: Values): Config {
  const problems: string[] = [];
  /**
   * Records the error and goes on with a placeholder, so that all wrong values are reported at once;
   * `readConfig` throws at its end, so no placeholder ever leaves it.
   */
  const collecting = <T>(read: () => T, placeholder: T): T => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(error.message);
      return placeholder;
    }
  };
  const text = (option: Option) => values[option.name]?.trim() || option.default;
  const list = (option: Option) =>
    (text(option) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  const oneOf = <T extends string>(option: Option, allowed: readonly [T, ...T[]]): T =>
    collecting(() => {
      const value = allowed.find((candidate) => candidate === text(option));
      if (value !== undefined) return value;
      throw wrong(option, text(option), `one of ${allowed.join(', ')}`);
    }, allowed[0]);
  const wholeNumber = (option: Option, min: number, max: number): number =>
    collecting(() => {
      const value = text(option) ?? '';
      if (/^\d+$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
      throw wrong(option, value, `a whole number from ${min} to ${max}`);
    }, min);
  const base = (option: Option, value: string) => collecting(() => parseBase(option, value), '');
  const ownBase = (option: Option): string | undefined => {
    const value = text(option);
    return value && collecting(() => parseOwnBase(option, value), '');
  };
  const needed = (option: Option, condition: boolean, right: string) =>
    collecting(() => {
      if (condition && text(option) === undefined) throw wrong(option, '', right);
    }, undefined);

  const host = collecting(() => parseHost(text(options.host) ?? ''), 'localhost');
  const port = wholeNumber(options.port, 1, 65_535);
  const publicUrl =
    ownBase(options.publicUrl) ??
    collecting(() => parseLinkBase(options.publicUrl, localUrl(host, port)), '');
  const safeBrowsing = oneOf(options.safeBrowsing, ['off', 'webrisk', 'v5', 'http']);
  const safeBrowsingUrl = text(options.safeBrowsingUrl) ?? null;
  const asksGoogle = safeBrowsing === 'webrisk' || safeBrowsing === 'v5';
  needed(options.safeBrowsingKey, asksGoogle, `the API key that ${safeBrowsing} asks for`);
  needed(options.safeBrowsingUrl, safeBrowsing === 'http', 'the address of the service to ask');

  const config: Config = {
    data: text(options.data) ?? '',
    host,
    port,
    publicUrl,
    shortUrl: ownBase(options.shortUrl) ?? publicUrl,
    shortUrlAliases: list(options.shortUrlAliases).map((alias) =>
      collecting(() => parseLinkBase(options.shortUrlAliases, alias), ''),
    ),
    keyPrefix: collecting(() => parsePrefix(text(options.keyPrefix) ?? ''), ''),
    rateLimit: wholeNumber(options.rateLimit, 1, 1_000_000_000),
    durability: oneOf(options.durability, ['power', 'process']),
    trustProxy: list(options.trustProxy).map((network) =>
      collecting(() => parseNetwork(network), ''),
    ),
    safeBrowsing,
    safeBrowsingKey: text(options.safeBrowsingKey) ?? null,
    safeBrowsingUrl: safeBrowsingUrl && base(options.safeBrowsingUrl, safeBrowsingUrl),
    safeBrowsingFailure: oneOf(options.safeBrowsingFailure, ['allow', 'refuse']),
    safetyWarning: oneOf(options.safetyWarning, ['on', 'off']) === 'on',
    denseLinks: oneOf(options.denseLinks, ['off', 'on']) === 'on',
    log: oneOf(options.log, ['text', 'json']),
  };
  collecting(() => refuseLostPath(config), undefined);
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return Object.freeze(config);
}

/** @throws ConfigError when capitals would make another path of the one that short links live below */
function refuseLostPath({ denseLinks, shortUrl }: Pick<Config, 'denseLinks' | 'shortUrl'>): void {
  const path = URL.parse(shortUrl)?.pathname ?? '';
  if (!denseLinks || path === path.toUpperCase()) return;
  const right = `off, or ${options.shortUrl.name} (${shortUrl}) without small letters in its path`;
  throw wrong(options.denseLinks, 'on', right);
}

function parsePrefix(text: string): string {
  if (/^[a-z][a-z0-9]{0,15}$/i.test(text)) return text;
  throw wrong(options.keyPrefix, text, 'up to 16 letters and digits, a letter first');
}

// A link of this length still leaves whole pixels for its modules in the smallest PNG.
const longestBase = 120;

/** An http or https address without query and fragment, as `scheme://host[:port][/path]`. */
function parseBase(option: Option, value: string): string {
  const url = URL.parse(value);
  const usable =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    url.username + url.password + url.search + url.hash === '';
  if (!usable) throw wrong(option, value, 'an address such as https://qr.example.com');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** Where the API, its documentation, the account panel and health live, with all that lies below. */
const ownPaths = /^\/(?:api|docs|account|healthz)(?:\/|$)/;

/**
 * The same, short enough to be printed, and not in front of what is ours: the path of a base is skipped in
 * every request, so that `/docs/json` would be taken for `/json`.
 */
function parseLinkBase(option: Option, value: string): string {
  const base = parseBase(option, value);
  if (ownPaths.test(new URL(base).pathname))
    throw wrong(
      option,
      value,
      'an address outside of /api, /docs, /account and /healthz, which are in use',
    );
  if (base.length > longestBase)
    throw wrong(option, value, `at most ${longestBase} characters, or its codes get too dense`);
  return base;
}

/**
 * The same, where a phone could find it. The URL standard takes `https://${DOMAIN}`, which systemd does
 * not fill in, and `https://https://…` for addresses; an alias may be one, if it has once been printed.
 */
function parseOwnBase(option: Option, value: string): string {
  const base = parseLinkBase(option, value);
  const { hostname, pathname } = new URL(base);
  if (/^(?:[\w-]+\.)*[\w-]+\.?$|^\[/.test(hostname) && !pathname.includes('//')) return base;
  throw wrong(option, value, 'an address such as https://qr.example.com');
}

/** An address of this machine, the name of one, or `*` for all. Whether it has it, shows when it listens. */
function parseHost(text: string): string {
  const host = text === '*' ? '0.0.0.0' : bracketed(text.replace(/%\w+$/, ''));
  if (/^(?:[\w.-]+|\[.*\])$/.test(host) && URL.canParse(`http://${host}`)) return text;
  throw wrong(options.host, text, 'an address such as 127.0.0.1 or ::1');
}

/** An address of IPv6 as URLs write it; anything else as it is. */
function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/** An address, or a network as `10.0.0.0/8`: what `createClientAddress` takes. */
function parseNetwork(text: string): string {
  const [address = '', bits = '0', ...rest] = text.split('/');
  // Loaded where it is needed: it takes milliseconds, while a server starts (test/start.test.ts).
  const { isIPv4, isIPv6 } = process.getBuiltinModule('node:net');
  // Node takes a zone for part of an address; packets that come in have none.
  const widest = isIPv4(address) ? 32 : isIPv6(address) && !address.includes('%') ? 128 : -1;
  if (rest.length === 0 && /^\d+$/.test(bits) && Number(bits) <= widest) return text;
  throw new ConfigError(
    `${options.trustProxy.name} names ${JSON.stringify(text)}, but must name addresses or ` +
      'networks such as 10.0.0.1 or 10.0.0.0/8, separated by commas.',
  );
}

/** Where a server on this address is reached from this machine. */
function localUrl(host: string, port: number): string {
  const url = URL.parse(`http://${bracketed(host)}:${port}`);
  if (url === null) throw wrong(options.host, host, 'an address such as 127.0.0.1 or ::1');
  if (['0.0.0.0', '[::]', '*'].includes(url.hostname))
    throw new ConfigError(
      `${options.publicUrl.name} is needed when ${options.host.name} is ${host}: links are printed, ` +
        'and nobody can follow one to an address that stands for all addresses. Set it to where ' +
        'phones reach this server, such as https://qr.example.com.',
    );
  return url.href;
}

function wrong(option: Option, value: string | undefined, right: string): ConfigError {
  return new ConfigError(`${option.name} is ${JSON.stringify(value ?? '')}, but must be ${right}.`);
}

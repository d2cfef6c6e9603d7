import { parseNewEmail } from './core/accounts/email.ts';
import { ownSegments } from './core/codes/code.ts';
import { reachOf } from './core/codes/urls/host.ts';
import {
  bracketed,
  isBaseUrl,
  isDatabaseUrl,
  isHost,
  isIssuer,
  isNetwork,
  isSocketPath,
  isWebAddress,
} from './lib/text/addresses.ts';
import { trimEndWhere } from './lib/trim.ts';

/** Says that a value is wrong, and what it must be. */
type Reject = (value: string, expected: string) => void;

/** Returns the value of a text without spaces at its ends. What it returns after `reject` is not used. */
type Read<T> = (text: string, reject: Reject) => T;

/** A setting: its environment variable, its help, and how its value is read. */
interface Setting<T> {
  readonly name: string;
  readonly help: string;
  readonly default?: string;
  /** Whether the flag means `on` without a value. */
  readonly isSwitch?: true;
  /**
   * Whether the value can be in a file that another variable names, see `secretFiles`.
   * It is never shown.
   */
  readonly isSecret?: true;
  readonly read: Read<T>;
}

/** Maximum number of backups to keep. */
export const maxBackups = 10_000;

/** Minimum length of the key that encrypts second factors. */
export const minKeyCharacters = 32;

/**
 * All settings, with the flags of `serve`.
 * URLs are read as `scheme://host[:port][/path]`, without a trailing slash.
 */
export const options = {
  data: { name: 'WAYMARK_DATA', help: 'data folder', default: './data', read: String },
  host: {
    name: 'WAYMARK_HOST',
    help: 'address to listen on, or the path of a Unix socket',
    default: '127.0.0.1',
    read: matching(
      isHost,
      'an address such as 127.0.0.1 or ::1, or the path of a socket of up to 103 bytes, such as /run/waymark/waymark.sock',
    ),
  },
  port: {
    name: 'WAYMARK_PORT',
    help: 'port to listen on',
    default: '3000',
    read: wholeNumber(1, 65_535),
  },
  publicUrl: {
    name: 'WAYMARK_PUBLIC_URL',
    help: 'base URL of the API and the panel (default: http://HOST:PORT)',
    read: linkBaseUrl,
  },
  shortUrl: {
    name: 'WAYMARK_SHORT_URL',
    help: 'base URL of the short links in new codes (default: the public URL)',
    read: linkBaseUrl,
  },
  shortUrlAliases: {
    name: 'WAYMARK_SHORT_URL_ALIASES',
    help: 'former short URLs, which become domains, separated by commas',
    read: list(linkBaseUrl),
  },
  keyPrefix: {
    name: 'WAYMARK_KEY_PREFIX',
    help: 'prefix of API keys',
    default: 'wmk',
    read: matching(
      (prefix) => /^[a-z][a-z0-9]{0,15}$/i.test(prefix),
      'up to 16 letters and digits, a letter first',
    ),
  },
  rateLimit: {
    name: 'WAYMARK_RATE_LIMIT',
    help: 'API requests per minute and key, in a sliding window',
    default: '60',
    read: wholeNumber(1, 1_000_000_000),
  },
  durability: {
    name: 'WAYMARK_DURABILITY',
    help: 'what an answered write survives: a power cut (power) or a crash of the process (process)',
    default: 'power',
    read: oneOf('power', 'process'),
  },
  trustProxy: {
    name: 'WAYMARK_TRUST_PROXY',
    help: 'addresses of proxies whose X-Forwarded-For is trusted, separated by commas',
    read: list(matching(isNetwork, 'an address or network such as 10.0.0.1 or 10.0.0.0/8')),
  },
  safeBrowsing: {
    name: 'WAYMARK_SAFE_BROWSING',
    help: 'remote check of destinations: off, webrisk, v5 or http',
    default: 'off',
    read: oneOf('off', 'webrisk', 'v5', 'http'),
  },
  safeBrowsingKey: {
    name: 'WAYMARK_SAFE_BROWSING_KEY',
    help: 'API key for the remote check',
    isSecret: true,
    read: orNull(String),
  },
  safeBrowsingUrl: {
    name: 'WAYMARK_SAFE_BROWSING_URL',
    help: 'base URL of the remote check',
    read: orNull((text, reject) => baseUrl(text, reject)),
  },
  safeBrowsingFailure: {
    name: 'WAYMARK_SAFE_BROWSING_FAILURE',
    help: 'what happens to creates and edits while the remote check is unreachable: allow or refuse',
    default: 'allow',
    read: oneOf('allow', 'refuse'),
  },
  safetyWarning: {
    name: 'WAYMARK_SAFETY_WARNING',
    help: 'show a warning page instead of redirecting to a destination that was flagged later: on or off',
    default: 'on',
    read: onOrOff,
  },
  denseLinks: {
    name: 'WAYMARK_DENSE_LINKS',
    help: 'short links in capital letters, for larger modules: on or off',
    default: 'off',
    read: onOrOff,
  },
  notFoundUrl: {
    name: 'WAYMARK_NOT_FOUND_URL',
    help: 'address that unknown codes lead to (default: a page that says so)',
    read: orNull(webAddress),
  },
  rootUrl: {
    name: 'WAYMARK_ROOT_URL',
    help: 'address that the front page leads to (default: a page of the server)',
    read: orNull(webAddress),
  },
  redirectOnly: {
    name: 'WAYMARK_REDIRECT_ONLY',
    help: 'only redirect and write nothing, such as on a read-only file system: on or off',
    default: 'off',
    isSwitch: true,
    read: onOrOff,
  },
  log: {
    name: 'WAYMARK_LOG',
    help: 'log format: text or json',
    default: 'text',
    read: oneOf('text', 'json'),
  },
  databaseUrl: {
    name: 'WAYMARK_DATABASE_URL',
    help: 'PostgreSQL database for several copies of the server (default: SQLite in the data folder)',
    isSecret: true,
    read: orNull(
      matching(
        isDatabaseUrl,
        'the address of a PostgreSQL database, such as postgres://user:password@db.example.com:5432/waymark. ' +
          'Special characters of the password are percent-encoded',
      ),
    ),
  },
  secretKey: {
    name: 'WAYMARK_SECRET_KEY',
    help: 'encrypts second factors on PostgreSQL, the same for all copies (default on SQLite: secret.key in the data folder)',
    isSecret: true,
    read: orNull(
      matching(
        (text) => text.length >= minKeyCharacters,
        `at least ${minKeyCharacters} characters that nobody can guess, such as the output of "openssl rand -hex 32"`,
      ),
    ),
  },
  backupDir: {
    name: 'WAYMARK_BACKUP_DIR',
    help: 'folder for a checked backup a day, or off (default: none, with a warning)',
    read: orNull(String),
  },
  backupKeep: {
    name: 'WAYMARK_BACKUP_KEEP',
    help: 'number of daily backups to keep',
    default: '14',
    read: wholeNumber(1, maxBackups),
  },
  fonts: {
    name: 'WAYMARK_FONTS',
    help: 'font files and folders for captions on sheets, separated by commas (default: the fonts of the system)',
    read: list(
      matching(
        (path) => process.getBuiltinModule('node:fs').existsSync(path),
        'a file or folder that exists',
      ),
    ),
  },
  oidcIssuer: {
    name: 'WAYMARK_OIDC_ISSUER',
    help: 'address of an OpenID Connect provider for signing in to the panel',
    read: orNull(
      matching(
        isIssuer,
        'the issuer of an OpenID Connect provider, such as https://login.example.com/realms/main, as its document at ' +
          '/.well-known/openid-configuration names it. http is for this machine only',
      ),
    ),
  },
  oidcClientId: {
    name: 'WAYMARK_OIDC_CLIENT_ID',
    help: 'name of this server at the provider',
    read: orNull(matching(isLine(255), 'the client ID that the provider has given, in one line')),
  },
  oidcClientSecret: {
    name: 'WAYMARK_OIDC_CLIENT_SECRET',
    help: 'secret of this server at the provider',
    isSecret: true,
    read: orNull(
      matching(isLine(1024), 'the client secret that the provider has given, in one line'),
    ),
  },
  oidcName: {
    name: 'WAYMARK_OIDC_NAME',
    help: 'what the button that signs in calls the provider (default: its host)',
    read: orNull(matching(isLine(40), 'up to 40 characters in one line, such as Osteria login')),
  },
  oidcSignUp: {
    name: 'WAYMARK_OIDC_SIGN_UP',
    help: 'give everybody who signs in with the provider an account: on or off',
    default: 'off',
    read: onOrOff,
  },
  oidcOperators: {
    name: 'WAYMARK_OIDC_OPERATORS',
    help: 'group at the provider whose members are operators, checked at each sign-in',
    read: orNull(matching(isLine(255), 'the name of a group in one line, such as qr-admins')),
  },
  passwords: {
    name: 'WAYMARK_PASSWORDS',
    help: 'sign in with passwords: on, or off for the provider and one-time links only',
    default: 'on',
    read: onOrOff,
  },
  firstAccount: {
    name: 'WAYMARK_FIRST_ACCOUNT',
    help: 'e-mail address of an operator that the first start creates, instead of a one-time link in the log',
    read: orNull(newEmail),
  },
  firstPasswordFile: {
    name: 'WAYMARK_FIRST_PASSWORD_FILE',
    help: 'file with the password of that account, which only the first start reads',
    read: orNull(String),
  },
} as const satisfies Readonly<Record<string, Setting<unknown>>>;

type Options = typeof options;

/** The settings of the server and of commands. */
export type Config = { readonly [Name in keyof Options]: ReturnType<Options[Name]['read']> } & {
  /** The file that the address of the database was read from. */
  readonly databaseUrlFile?: string;
};

/** The settings that name a file with the value of a secret, as containers and systemd provide it. */
export const secretFiles = Object.values(options)
  .filter((option) => 'isSecret' in option)
  .map(({ name }) => ({ name: `${name}_FILE`, help: `file with the value of ${name}` }));

const noValkey =
  'Valkey and Redis are not used any more: copies of the server count requests and failed sign-ins in PostgreSQL.';

/** Settings of earlier versions that are refused, and what is done instead. */
export const removedSettings: Readonly<Record<string, string>> = {
  WAYMARK_VALKEY_URL: noValkey,
  WAYMARK_VALKEY_URL_FILE: noValkey,
};

/** One or more settings are invalid. The message has a line for each, with what it must be. */
export class ConfigError extends Error {
  override readonly name: string = 'ConfigError';
}

/** The only fault is that files of secrets cannot be read which short links do not need. */
export class SecretFileError extends ConfigError {
  override readonly name = 'SecretFileError';
  /** @param config the settings for short links alone: the secrets that cannot be read are made up */
  constructor(
    message: string,
    readonly config: Config,
  ) {
    super(message);
  }
}

/**
 * Reads the settings. An empty value counts as absent.
 *
 * @param values by environment variable; flags override them
 * @throws ConfigError that names every invalid value; {@link SecretFileError} if the files of secrets are all that is
 *   wrong
 */
export function readConfig(values: Readonly<Record<string, string | undefined>>): Config {
  // Invalid values are collected, so that the error names all of them.
  const problems: string[] = [];
  const invalid = new Set<string>();
  const reject = ({ name, isSecret }: Setting<unknown>, value: string, expected: string) => {
    const given = isSecret && value !== '' ? '' : ` is ${quoted(value)}, but`;
    problems.push(`${name}${given} must be ${expected}.`);
    invalid.add(name);
  };

  for (const [name, instead] of Object.entries(removedSettings))
    if (values[name]?.trim()) problems.push(`${name} is set. ${instead} Remove it.`);
  const secretProblems: string[] = [];
  const secrets = readSecrets(values, problems, secretProblems);
  const readings = Object.entries<Setting<unknown>>(options).map(([key, option]) => {
    const text = (secrets.get(option.name) ?? values[option.name])?.trim() || option.default || '';
    return [key, option.read(text, (value, expected) => reject(option, value, expected))];
  });
  // The cast is safe: each value is what the reader of its setting returns.
  const given = Object.fromEntries(readings) as Config;

  const { host, port, safeBrowsing } = given;
  const local = isSocketPath(host) ? null : URL.parse(`http://${bracketed(host)}:${port}`);
  const isReachable = local !== null && !['0.0.0.0', '[::]', '*'].includes(local.hostname);
  const isAddressValid = !invalid.has(options.host.name) && !invalid.has(options.port.name);
  if (given.publicUrl === '' && isAddressValid && !isReachable)
    reject(
      options.publicUrl,
      '',
      `the address of this server for phones, such as https://qr.example.com: ${options.host.name} is ${host}`,
    );
  const publicUrl = given.publicUrl || (local === null ? '' : withoutSlash(local));
  const shortUrl = given.shortUrl || publicUrl;
  const path = URL.parse(shortUrl)?.pathname ?? '';
  if (given.denseLinks && path !== path.toUpperCase())
    reject(
      options.denseLinks,
      'on',
      `off, because the path of ${options.shortUrl.name} (${shortUrl}) has lowercase letters`,
    );
  if (given.safeBrowsingKey === null && (safeBrowsing === 'webrisk' || safeBrowsing === 'v5'))
    reject(options.safeBrowsingKey, '', `the API key for ${safeBrowsing}`);
  if (given.safeBrowsingUrl === null && safeBrowsing === 'http')
    reject(options.safeBrowsingUrl, '', 'the base URL of the remote check');
  requireProvider(given, invalid, reject);
  for (const key of ['notFoundUrl', 'rootUrl'] as const) {
    const url = given[key];
    if (url === null || invalid.has(options[key].name)) continue;
    if (isRedirectedAgain(url, [shortUrl, ...given.shortUrlAliases, publicUrl]))
      reject(
        options[key],
        url,
        'outside this server, or below its /account or /docs: otherwise it could lead to itself without end',
      );
  }
  if (problems.length > 0) throw new ConfigError([...secretProblems, ...problems].join('\n'));
  const databaseUrlFile = values[`${options.databaseUrl.name}_FILE`]?.trim();
  const config = Object.freeze({
    ...given,
    publicUrl,
    shortUrl,
    ...(databaseUrlFile && { databaseUrlFile }),
  });
  if (secretProblems.length > 0) throw new SecretFileError(secretProblems.join('\n'), config);
  return config;
}

/** Quotes the value of a setting for a message, without the user and password of an address. */
function quoted(value: string): string {
  const start = value.indexOf('//') + 2;
  const end = value.lastIndexOf('@');
  const hasUser = start > 1 && end >= start;
  return JSON.stringify(hasUser ? `${value.slice(0, start)}…${value.slice(end)}` : value);
}

/** Rejects settings of an OpenID Connect provider that are incomplete, or that need one. */
function requireProvider(
  given: Config,
  invalid: ReadonlySet<string>,
  reject: (setting: Setting<unknown>, value: string, expected: string) => void,
): void {
  const parts = ['oidcIssuer', 'oidcClientId', 'oidcClientSecret'] as const;
  const user =
    parts.find((key) => given[key] !== null) ??
    (given.oidcSignUp && !invalid.has(options.oidcSignUp.name) ? 'oidcSignUp' : null) ??
    (given.oidcOperators === null ? null : 'oidcOperators');
  const isWithoutPasswords = !given.passwords;
  for (const key of parts)
    if (given[key] === null && (user !== null || isWithoutPasswords))
      reject(
        options[key],
        '',
        `set too: ${options[user ?? 'passwords'].name} is ${user === null ? 'off' : 'set'}, and an OpenID Connect ` +
          `provider needs ${parts.map((part) => options[part].name).join(', ')}`,
      );
}

function newEmail(text: string, reject: Reject): string {
  try {
    return parseNewEmail(text);
  } catch {
    reject(text, 'an e-mail address such as you@example.com');
    return text;
  }
}

function orNull<T>(read: Read<T>): Read<T | null> {
  return (text, reject) => (text === '' ? null : read(text, reject));
}

/** Reads what is between commas. */
function list(read: Read<string>): Read<readonly string[]> {
  return (text, reject) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .map((item) => read(item, reject));
}

function matching(isValid: (text: string) => boolean, expected: string): Read<string> {
  return (text, reject) => {
    if (!isValid(text)) reject(text, expected);
    return text;
  };
}

function oneOf<T extends string>(...allowed: readonly [T, ...T[]]): Read<T> {
  return (text, reject) => {
    const value = allowed.find((candidate) => candidate === text);
    if (value === undefined) reject(text, `one of ${allowed.join(', ')}`);
    return value ?? allowed[0];
  };
}

function onOrOff(text: string, reject: Reject): boolean {
  return oneOf('on', 'off')(text, reject) === 'on';
}

function wholeNumber(min: number, max: number): Read<number> {
  return (text, reject) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) reject(text, `a whole number from ${min} to ${max}`);
    return value;
  };
}

/** @param expectedFor returns what an address must be instead, or null if it is valid */
function baseUrl(
  text: string,
  reject: Reject,
  expectedFor: (url: URL) => string | null = () => null,
): string {
  const url = URL.parse(text);
  const expected = url === null || !isBaseUrl(url) ? exampleAddress : expectedFor(url);
  if (expected !== null) reject(text, expected);
  return url === null ? text : withoutSlash(url);
}

/** Reads a base URL of short links or the API; empty if it is not set. */
function linkBaseUrl(text: string, reject: Reject): string {
  return text === '' ? '' : baseUrl(text, reject, expectedLinkBaseUrl);
}

/**
 * Reads the secrets that are in files, by the name of their setting.
 * Adds what is wrong to `problems`, and what is wrong with a file that short links do not need to `secretProblems`.
 * Such a secret gets a value of the right form, so that no other setting is called incomplete for it.
 */
function readSecrets(
  values: Readonly<Record<string, string | undefined>>,
  problems: string[],
  secretProblems: string[],
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
    const report = (problem: string) => {
      if (name === options.databaseUrl.name) {
        problems.push(problem);
        return;
      }
      secretProblems.push(problem);
      secrets.set(name, unknownSecret);
    };
    try {
      const secret = readSecretFile(path)?.trim();
      if (secret === undefined)
        report(
          `${file.name} is ${quoted(path)}, but must be a regular file of at most ${maxSecretBytes / 1000} kB.`,
        );
      else if (secret === '' || /[\p{Cc}\ufffd]/u.test(secret))
        report(`${file.name} is ${quoted(path)}, but the file must have one line of text.`);
      else secrets.set(name, secret);
    } catch (error) {
      // ENOENT: no such file or directory, open '…'
      const [, reason = error] = /^\w+: ([^,]+)/.exec(String(Object(error).message)) ?? [];
      report(`${file.name} is ${quoted(path)}, which cannot be read: ${reason}.`);
    }
  }
  return secrets;
}

const maxSecretBytes = 64_000;

/** Takes the place of a secret that cannot be read. Nothing uses it: the app does not start with it. */
const unknownSecret = 'unknown'.padEnd(minKeyCharacters, '-');

/** Reads the file of a secret, or returns null for one that is too long, or may have no end: a device or a pipe. */
function readSecretFile(path: string): string | null {
  const { readFileSync, statSync } = process.getBuiltinModule('node:fs');
  const stat = statSync(path);
  // The error of reading a folder says what is wrong.
  const hasEnd = stat.isFile() || stat.isDirectory();
  return hasEnd && stat.size <= maxSecretBytes ? readFileSync(path, 'utf8') : null;
}

/** Returns the password in the address of the database, whose file may have a new one since the start. */
export function databasePassword(databaseUrl: string, file: string | undefined): string {
  const current = file === undefined ? null : readSecretFile(file)?.trim();
  const { password } = URL.parse(current ?? '') ?? new URL(databaseUrl);
  return decodeURIComponent(password);
}

/** Returns a test for a text of one line. */
function isLine(maxLength: number): (text: string) => boolean {
  return (text) => text.length <= maxLength && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
}

/** Reads an address that visitors are led to. */
function webAddress(text: string, reject: Reject): string {
  const expected = 'an address such as https://example.com/hello, without a password in it';
  return matching(isWebAddress, expected)(text, reject);
}

/** Returns whether this server redirects an address: by a short link, or by a setting of the operator. */
function isRedirectedAgain(address: string, prefixes: readonly string[]): boolean {
  const { origin, pathname } = new URL(address);
  return prefixes.some((prefix) => {
    const base = URL.parse(prefix);
    if (base === null || base.origin !== origin) return false;
    const basePath = base.pathname.replace(/\/$/, '');
    if (pathname !== basePath && !pathname.startsWith(`${basePath}/`)) return false;
    return !ownSegments.has(pathname.slice(basePath.length).split('/')[1] ?? '');
  });
}

const exampleAddress = 'an address such as https://qr.example.com';

function withoutSlash({ origin, pathname }: URL): string {
  return trimEndWhere(`${origin}${pathname}`, (unit) => unit === '/');
}

// With a longer one, the modules of a code would be less than a pixel in the smallest PNG.
const maxLinkBaseLength = 120;

/** Returns what a base URL of short links or the API must be instead, or null if it is valid. */
function expectedLinkBaseUrl(url: URL): string | null {
  // The URL standard accepts `https://${DOMAIN}`, which systemd does not expand, and `https://https://…`.
  const isHost = /^(?:[\w-]+\.)*[\w-]+\.?$|^\[/.test(url.hostname);
  if (!isHost || /\/\/[^/]/.test(url.pathname)) return exampleAddress;
  // The server skips this path in every request: `/docs/json` would become `/json`.
  if (ownSegments.has(url.pathname.split('/')[1] ?? ''))
    return `an address outside ${Array.from(ownSegments, (name) => `/${name}`).join(', ')}, which the server uses itself`;
  return withoutSlash(url).length > maxLinkBaseLength
    ? `at most ${maxLinkBaseLength} characters long, because codes of longer links are too dense`
    : null;
}

/**
 * Returns the aliases that are domains of their own, without a path.
 * The others are further addresses of the main one: at its host, below a path, or by a number or name of this machine.
 */
export function aliasDomains({
  shortUrl,
  shortUrlAliases,
  publicUrl,
}: Pick<Config, 'shortUrl' | 'shortUrlAliases' | 'publicUrl'>): string[] {
  const isDomain = (url: URL) =>
    url.pathname === '/' && reachOf(url) !== 'this machine' && !isNumeric.test(url.hostname);
  const urls = shortUrlAliases.map((alias) => new URL(alias));
  const others = [new URL(shortUrl), new URL(publicUrl), ...urls.filter((url) => !isDomain(url))];
  const mainHosts = new Set(others.map(({ host }) => host));
  return urls
    .filter((url) => isDomain(url) && !mainHosts.has(url.host))
    .map(({ origin }) => origin);
}

const isNumeric = /^\[|^[\d.]+$/;

/** Returns the prefixes at which codes redirect. Codes redirect at the public URL as well. */
export function servedPrefixesOf({
  shortUrl,
  shortUrlAliases,
  publicUrl,
}: Pick<Config, 'shortUrl' | 'shortUrlAliases' | 'publicUrl'>): string[] {
  return [shortUrl, ...shortUrlAliases, publicUrl];
}

/** Returns those of the main domain. */
export function mainPrefixesOf(
  config: Pick<Config, 'shortUrl' | 'shortUrlAliases' | 'publicUrl'>,
): string[] {
  const domains = aliasDomains(config);
  return servedPrefixesOf(config).filter((prefix) => !domains.includes(prefix));
}

import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, ConfigError, options, readConfig, secretFiles } from '../src/config.ts';

const provider = {
  WAYMARK_OIDC_ISSUER: 'https://login.example.com',
  WAYMARK_OIDC_CLIENT_ID: 'waymark',
  WAYMARK_OIDC_CLIENT_SECRET: 'hush',
};

const defaults: Config = {
  data: './data',
  host: '127.0.0.1',
  port: 3000,
  publicUrl: 'http://127.0.0.1:3000',
  shortUrl: 'http://127.0.0.1:3000',
  shortUrlAliases: [],
  keyPrefix: 'wmk',
  rateLimit: 60,
  durability: 'power',
  trustProxy: [],
  safeBrowsing: 'off',
  safeBrowsingKey: null,
  safeBrowsingUrl: null,
  safeBrowsingFailure: 'allow',
  safetyWarning: true,
  notFoundUrl: null,
  rootUrl: null,
  denseLinks: false,
  redirectOnly: false,
  log: 'text',
  databaseUrl: null,
  secretKey: null,
  backupDir: null,
  backupKeep: 14,
  fonts: [],
  oidcIssuer: null,
  oidcClientId: null,
  oidcClientSecret: null,
  oidcName: null,
  oidcSignUp: false,
  oidcOperators: null,
  passwords: true,
  firstAccount: null,
  firstPasswordFile: null,
};

const publicUrl = 'https://qr.example.com';

/** Returns the error message of wrong values, a line per value. */
function errorLines(values: Record<string, string>): string[] {
  try {
    readConfig(values);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return error instanceof Error ? error.message.split('\n') : [];
  }
  throw new Error('no value was rejected');
}

test('without settings, with empty ones and with unrelated variables, the defaults apply', () => {
  const names = Object.values(options).map(({ name }) => name);
  expect(readConfig({ PATH: '/bin' })).toEqual(defaults);
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ' '])))).toEqual(defaults);
  expect(readConfig({ WAYMARK_PORT: ' 80 ' }).port).toBe(80);
});

test('the table holds the defaults that are used', () => {
  expect(Object.keys(options).sort()).toEqual(Object.keys(defaults).sort());
  for (const option of Object.values(options))
    if ('default' in option)
      expect(readConfig({ [option.name]: option.default })).toEqual(defaults);
});

describe('each setting', () => {
  test.each<[string, string, Partial<Config>]>([
    ['DATA', '/var/lib/waymark', { data: '/var/lib/waymark' }],
    ['HOST', '::1', { host: '::1', publicUrl: 'http://[::1]:3000' }],
    ['PORT', '1', { port: 1, publicUrl: 'http://127.0.0.1:1' }],
    ['PORT', '65535', { port: 65_535, publicUrl: 'http://127.0.0.1:65535' }],
    ['PUBLIC_URL', 'https://QR.example.com:443/', { publicUrl }],
    ['PUBLIC_URL', 'https://e.example/qr//', { publicUrl: 'https://e.example/qr' }],
    ['PUBLIC_URL', 'https://[2001:DB8::1]', { publicUrl: 'https://[2001:db8::1]' }],
    ['PUBLIC_URL', 'https://qr_1.example.', { publicUrl: 'https://qr_1.example.' }],
    ['PUBLIC_URL', 'https://münchen.example', { publicUrl: 'https://xn--mnchen-3ya.example' }],
    ['PUBLIC_URL', 'https://e.example/my-docs', { publicUrl: 'https://e.example/my-docs' }],
    ['SHORT_URL', 'http://s.example:81/', { shortUrl: 'http://s.example:81' }],
    [
      'SHORT_URL_ALIASES',
      'https://a.example/, ,https://b.example/q/',
      { shortUrlAliases: ['https://a.example', 'https://b.example/q'] },
    ],
    ['KEY_PREFIX', 'Acme2', { keyPrefix: 'Acme2' }],
    ['RATE_LIMIT', '1', { rateLimit: 1 }],
    ['DURABILITY', 'process', { durability: 'process' }],
    ['TRUST_PROXY', '10.0.0.1, fd00::/8', { trustProxy: ['10.0.0.1', 'fd00::/8'] }],
    ['SAFE_BROWSING_FAILURE', 'refuse', { safeBrowsingFailure: 'refuse' }],
    ['SAFETY_WARNING', 'off', { safetyWarning: false }],
    [
      'NOT_FOUND_URL',
      'https://example.com/lost?a=1',
      { notFoundUrl: 'https://example.com/lost?a=1' },
    ],
    ['ROOT_URL', 'http://127.0.0.1:3000/account', { rootUrl: 'http://127.0.0.1:3000/account' }],
    ['DENSE_LINKS', 'on', { denseLinks: true }],
    ['LOG', 'json', { log: 'json' }],
  ])('WAYMARK_%s=%s', (name, value, changed) => {
    const { shortUrl = changed.publicUrl ?? defaults.shortUrl } = changed;
    expect(readConfig({ [`WAYMARK_${name}`]: value })).toEqual({
      ...defaults,
      shortUrl,
      ...changed,
    });
  });

  test.each(['0.0.0.0', '::', '*', 'localhost', 'qr_1.local', '[::1]', 'fe80::1%eth0'])(
    'WAYMARK_HOST=%s with a public URL',
    (host) => {
      expect(readConfig({ WAYMARK_HOST: host, WAYMARK_PUBLIC_URL: publicUrl }).host).toBe(host);
    },
  );

  test('the remote check with its key or URL', () => {
    for (const safeBrowsing of ['webrisk', 'v5'] as const)
      expect(
        readConfig({ WAYMARK_SAFE_BROWSING: safeBrowsing, WAYMARK_SAFE_BROWSING_KEY: 'k' }),
      ).toEqual({ ...defaults, safeBrowsing, safeBrowsingKey: 'k' });
    // Longer than the base of a short link may be.
    const url = `https://check.example/${'a'.repeat(200)}`;
    expect(
      readConfig({ WAYMARK_SAFE_BROWSING: 'http', WAYMARK_SAFE_BROWSING_URL: `${url}/` }),
    ).toEqual({ ...defaults, safeBrowsing: 'http', safeBrowsingUrl: url });
  });
});

describe('a wrong value is named, with what would be right', () => {
  test.each([
    ['HOST', 'no host'],
    ['HOST', '1.2.3.256'],
    ['HOST', 'http://localhost'],
    ['HOST', '[::1'],
    ['HOST', '/run/waymark/'],
    ['HOST', `/run/${'a'.repeat(99)}`],
    ['HOST', `/run/${'ü'.repeat(50)}`],
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', '0x50'],
    ['PORT', '٣٠٠٠'],
    ['PUBLIC_URL', 'qr.example.com'],
    ['PUBLIC_URL', 'ftp://qr.example.com'],
    ['PUBLIC_URL', 'https://'],
    ['PUBLIC_URL', 'https://qr.example.com?x=1'],
    ['PUBLIC_URL', 'https://qr.example.com/#x'],
    ['PUBLIC_URL', 'https://me:secret@qr.example.com'],
    ['PUBLIC_URL', `https://qr.example.com/${'a'.repeat(120)}`],
    ['PUBLIC_URL', `https://\${DOMAIN}/q`],
    ['PUBLIC_URL', 'https://https://qr.example.com'],
    ['PUBLIC_URL', 'https://qr..example.com'],
    ['PUBLIC_URL', 'https://a.example/docs'],
    ['SHORT_URL', 'https://a.example,https://b.example'],
    ['SHORT_URL', 'javascript:alert(1)'],
    ['SHORT_URL_ALIASES', 'nonsense'],
    ['SHORT_URL_ALIASES', 'https://a.example/api/v1'],
    ['KEY_PREFIX', '1a'],
    ['KEY_PREFIX', 'a'.repeat(17)],
    ['RATE_LIMIT', '0'],
    ['RATE_LIMIT', '1000000001'],
    ['DURABILITY', 'POWER'],
    ['TRUST_PROXY', 'nonsense'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '::1/129'],
    ['SAFE_BROWSING', 'v4'],
    ['SAFE_BROWSING_URL', 'check.example'],
    ['SAFE_BROWSING_FAILURE', 'maybe'],
    ['SAFETY_WARNING', 'no'],
    ['NOT_FOUND_URL', 'hello'],
    ['NOT_FOUND_URL', 'javascript:alert(1)'],
    ['NOT_FOUND_URL', 'https://user:secret@example.com/'],
    ['NOT_FOUND_URL', 'http://127.0.0.1:3000/nothing'],
    ['ROOT_URL', 'ftp://example.com/'],
    ['ROOT_URL', 'http://127.0.0.1:3000'],
    ['ROOT_URL', `https://example.com/${'a'.repeat(2048)}`],
    ['LOG', 'xml'],
    ['PASSWORDS', 'no'],
    ['OIDC_SIGN_UP', 'yes'],
    ['OIDC_ISSUER', 'https://me:secret@login.example.com'],
    ['DATABASE_URL_FILE', 'postgres://me:secret@db.example.com/waymark'],
  ])('WAYMARK_%s=%s', (name, value) => {
    const [line = '', ...more] = errorLines({ ...provider, [`WAYMARK_${name}`]: value });
    expect(line).toMatch(new RegExp(`^WAYMARK_${name} is .+, (but must be|which cannot be) .`));
    expect(line).not.toContain('secret');
    expect(more).toEqual([]);
  });

  test.each<[missing: string, Record<string, string>]>([
    ['SAFE_BROWSING_KEY', { WAYMARK_SAFE_BROWSING: 'webrisk' }],
    ['SAFE_BROWSING_KEY', { WAYMARK_SAFE_BROWSING: 'v5' }],
    ['SAFE_BROWSING_URL', { WAYMARK_SAFE_BROWSING: 'http' }],
    ['OIDC_CLIENT_SECRET', { ...provider, WAYMARK_OIDC_CLIENT_SECRET: '' }],
    ['OIDC_CLIENT_ID', { ...provider, WAYMARK_OIDC_CLIENT_ID: '' }],
    ['OIDC_ISSUER', { ...provider, WAYMARK_OIDC_ISSUER: '' }],
    ['PUBLIC_URL', { WAYMARK_HOST: '0.0.0.0' }],
    ['PUBLIC_URL', { WAYMARK_HOST: '0:0::0' }],
    ['PUBLIC_URL', { WAYMARK_HOST: 'fe80::1%eth0' }],
  ])('WAYMARK_%s is missing with %j', (missing, values) => {
    expect(errorLines(values)).toEqual([
      expect.stringMatching(new RegExp(`^WAYMARK_${missing} is "", but must be .`)),
    ]);
  });

  test('dense links with lowercase letters in the path of the short URL', () => {
    const dense = { WAYMARK_DENSE_LINKS: 'on' };
    expect(errorLines({ ...dense, WAYMARK_SHORT_URL: 'https://e.example/q' })).toEqual([
      expect.stringMatching(/^WAYMARK_DENSE_LINKS is "on", but must be off/),
    ]);
    expect(readConfig({ ...dense, WAYMARK_SHORT_URL: 'https://e.example/Q' }).denseLinks).toBe(
      true,
    );
  });

  test('all at once, and no secret', () => {
    const names = ['HOST', 'PORT', 'PUBLIC_URL', 'RATE_LIMIT', 'TRUST_PROXY', 'LOG'];
    const wrong = Object.fromEntries(names.map((name) => [`WAYMARK_${name}`, 'x y']));
    const lines = errorLines({ ...wrong, WAYMARK_SAFE_BROWSING_KEY: 'hush' });
    expect(lines.map((line) => line.split(' ')[0])).toEqual(names.map((name) => `WAYMARK_${name}`));
    expect(lines.join()).not.toContain('hush');
  });
});

describe('an OpenID Connect provider', () => {
  test.each([
    'login.example.com',
    'ftp://login.example.com',
    'http://login.example.com',
    'http://localhost.example.com',
    'https://user:secret@login.example.com',
    'https://login.example.com/?realm=main',
    'https://login.example.com/#main',
  ])('has an issuer that anybody on the way could forge, or that is none: %s', (issuer) => {
    expect(errorLines({ ...provider, WAYMARK_OIDC_ISSUER: issuer })).toEqual([
      expect.stringMatching(/^WAYMARK_OIDC_ISSUER is .+, but must be the issuer/),
    ]);
  });

  test.each([
    'https://login.example.com/realms/main',
    'https://login.example.com/application/o/waymark/',
    'http://127.0.0.1:8080',
    'http://localhost:8080/x',
  ])('has an issuer, whose slash at the end counts: %s', (issuer) => {
    expect(readConfig({ ...provider, WAYMARK_OIDC_ISSUER: issuer }).oidcIssuer).toBe(issuer);
  });

  test('is complete, or a setting that needs it is refused', () => {
    for (const needing of [
      { WAYMARK_PASSWORDS: 'off' },
      { WAYMARK_OIDC_SIGN_UP: 'on' },
      { WAYMARK_OIDC_OPERATORS: 'qr-admins' },
    ]) {
      expect(errorLines(needing).map((line) => line.split(' ')[0])).toEqual([
        'WAYMARK_OIDC_ISSUER',
        'WAYMARK_OIDC_CLIENT_ID',
        'WAYMARK_OIDC_CLIENT_SECRET',
      ]);
      expect(readConfig({ ...provider, ...needing }).oidcClientId).toBe('waymark');
    }
  });

  test('has a name of one short line', () => {
    for (const name of ['x'.repeat(41), 'a\nb'])
      expect(errorLines({ ...provider, WAYMARK_OIDC_NAME: name })).toHaveLength(1);
    expect(readConfig({ ...provider, WAYMARK_OIDC_NAME: 'Osteria login' }).oidcName).toBe(
      'Osteria login',
    );
  });
});

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-secrets-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (content: string) => {
    const path = join(folder, String(Math.random()));
    writeFileSync(path, content);
    return path;
  };
  const pipe = () => {
    const path = join(folder, String(Math.random()));
    Bun.spawnSync(['mkfifo', path]);
    return path;
  };
  const secrets = [
    ['SAFE_BROWSING_KEY', 'safeBrowsingKey', 'hush'],
    ['DATABASE_URL', 'databaseUrl', 'postgres://waymark:hush@db.example.com/waymark'],
    ['SECRET_KEY', 'secretKey', 'hush hush hush hush hush hush hush'],
    ['OIDC_CLIENT_SECRET', 'oidcClientSecret', 'hush'],
  ] as const;

  test('is possible for every setting that is one', () => {
    expect(secretFiles.map(({ name }) => name)).toEqual(
      secrets.map(([name]) => `WAYMARK_${name}_FILE`),
    );
  });

  describe.each(secrets)('%s', (name, field, value) => {
    const [direct, inFile] = [`WAYMARK_${name}`, `WAYMARK_${name}_FILE`];
    const { WAYMARK_OIDC_CLIENT_SECRET: _, ...others } = provider;
    const rest = name === 'OIDC_CLIENT_SECRET' ? others : {};

    test.each(['', '\n', '\r\n', '\n\n'])('is read without the end of its line: %j', (end) => {
      expect(readConfig({ ...rest, [inFile]: ` ${file(value + end)} ` })[field]).toBe(value);
      expect(readConfig({ ...rest, [direct]: ' ', [inFile]: file(value + end) })[field]).toBe(
        value,
      );
      expect(readConfig({ ...rest, [direct]: value, [inFile]: ' ' })[field]).toBe(value);
    });

    test('is refused beside the setting itself', () => {
      expect(errorLines({ ...rest, [direct]: value, [inFile]: file(value) })).toContain(
        `${direct} and ${inFile} are both set. Remove one of them.`,
      );
    });

    test.each([
      ['a device without an end', () => '/dev/zero'],
      ['a pipe that nobody writes', () => pipe()],
      ['a long file', () => file('x'.repeat(64_001))],
    ])('is refused from %s', (_, path) => {
      const [line = ''] = errorLines({ [inFile]: path() });
      expect(line).toStartWith(`${inFile} is `);
      expect(line).toEndWith('but must be a regular file of at most 64 kB.');
    });

    test.each(['', '\n', ' \n', `${value}\n${value}`, `${value}\0`])(
      'is refused as %j',
      (content) => {
        const [line = ''] = errorLines({ [inFile]: file(content) });
        expect(line).toStartWith(`${inFile} is `);
        expect(line).toEndWith('but the file must have one line of text.');
        expect(line).not.toContain('hush');
      },
    );

    test.each([
      [join(folder, 'missing'), 'no such file'],
      [folder, 'directory'],
    ])('is refused if it cannot be read: %s', (path, reason) => {
      const [line = ''] = errorLines({ [inFile]: path });
      expect(line).toStartWith(`${inFile} is "${path}", which cannot be read: `);
      expect(line).toContain(reason);
    });

    test('is named by its setting if its value is wrong', () => {
      if (name === 'SAFE_BROWSING_KEY' || name === 'OIDC_CLIENT_SECRET') return;
      const [line = ''] = errorLines({ [inFile]: file('http://:hush@x/') });
      expect(line).toStartWith(`${direct} must be `);
      expect(line).not.toContain('hush');
    });
  });
});

describe('WAYMARK_DATABASE_URL', () => {
  test.each([
    'postgres://waymark:secret@db.example.com/waymark',
    'postgresql://waymark:p%40ss@[::1]:6432/qr?sslmode=require',
  ])('can be %s', (url) => {
    expect(readConfig({ WAYMARK_DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  test.each([
    'mysql://waymark:hunter2@db.example.com/waymark',
    'postgres://waymark:hunter2@db.example.com',
    'postgres://waymark:hunter2@db.example.com/',
    'postgres://waymark:hunter2%@db.example.com/waymark',
    'hunter2',
  ])('cannot be %s, and the message has no password', (url) => {
    const [line = ''] = errorLines({ WAYMARK_DATABASE_URL: url });
    expect(line).toStartWith('WAYMARK_DATABASE_URL must be the address of a PostgreSQL database');
    expect(line).not.toContain('hunter2');
  });
});

test.each([
  ['WAYMARK_VALKEY_URL', 'redis://:hush@cache.example.com'],
  ['WAYMARK_VALKEY_URL_FILE', '/run/secrets/valkey'],
])('%s is refused with what is used instead', (name, value) => {
  expect(errorLines({ [name]: value })).toEqual([
    `${name} is set. Valkey and Redis are not used any more: copies of the server count requests and failed sign-ins in ` +
      'PostgreSQL. Remove it.',
  ]);
  expect(readConfig({ [name]: ' ' })).toEqual(defaults);
});

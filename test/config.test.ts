import { describe, expect, test } from 'bun:test';
import { isIP } from 'node:net';
import fc from 'fast-check';
import { type Config, ConfigError, options, readConfig } from '../src/config.ts';
import { createClientAddress } from '../src/panel/routing/client-address.ts';

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
  denseLinks: false,
  log: 'text',
};

/** What a person is told about wrong values, one line each. */
function refusal(values: Record<string, string>): string[] {
  try {
    readConfig(values);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return error instanceof Error ? error.message.split('\n') : [];
  }
  throw new Error('it was accepted');
}

test('without any setting', () => {
  expect(readConfig({})).toEqual(defaults);
  expect(readConfig({ PATH: '/bin', HOME: '/root' })).toEqual(defaults);
});

test('an empty value counts as absent, and blanks around one do not count', () => {
  const names = Object.values(options).map(({ name }) => name);
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ' '])))).toEqual(defaults);
  expect(readConfig({ WAYMARK_PORT: ' 80 ' }).port).toBe(80);
});

test('the settings cannot be changed afterwards', () => {
  expect(Object.isFrozen(readConfig({}))).toBe(true);
});

describe('each setting', () => {
  test.each<[string, string, Partial<Config>]>([
    ['WAYMARK_DATA', '/var/lib/waymark', { data: '/var/lib/waymark' }],
    ['WAYMARK_HOST', '::1', { host: '::1', publicUrl: 'http://[::1]:3000' }],
    ['WAYMARK_PORT', '1', { port: 1, publicUrl: 'http://127.0.0.1:1' }],
    ['WAYMARK_PORT', '65535', { port: 65_535, publicUrl: 'http://127.0.0.1:65535' }],
    ['WAYMARK_PUBLIC_URL', 'https://qr.example.com', { publicUrl: 'https://qr.example.com' }],
    ['WAYMARK_PUBLIC_URL', 'https://QR.example.com:443/', { publicUrl: 'https://qr.example.com' }],
    ['WAYMARK_PUBLIC_URL', 'https://e.example/qr//', { publicUrl: 'https://e.example/qr' }],
    ['WAYMARK_SHORT_URL', 'http://s.example:81/', { shortUrl: 'http://s.example:81' }],
    [
      'WAYMARK_SHORT_URL_ALIASES',
      'https://a.example/, ,https://b.example/q/',
      { shortUrlAliases: ['https://a.example', 'https://b.example/q'] },
    ],
    ['WAYMARK_PUBLIC_URL', 'https://[2001:DB8::1]', { publicUrl: 'https://[2001:db8::1]' }],
    ['WAYMARK_PUBLIC_URL', 'https://qr_1.example.', { publicUrl: 'https://qr_1.example.' }],
    [
      'WAYMARK_PUBLIC_URL',
      'https://münchen.example',
      { publicUrl: 'https://xn--mnchen-3ya.example' },
    ],
    // It was printed before anybody noticed.
    ['WAYMARK_SHORT_URL_ALIASES', 'https://$domain', { shortUrlAliases: ['https://$domain'] }],
    ['WAYMARK_KEY_PREFIX', 'Acme2', { keyPrefix: 'Acme2' }],
    ['WAYMARK_RATE_LIMIT', '1', { rateLimit: 1 }],
    ['WAYMARK_DURABILITY', 'process', { durability: 'process' }],
    ['WAYMARK_TRUST_PROXY', '10.0.0.1, fd00::/8', { trustProxy: ['10.0.0.1', 'fd00::/8'] }],
    ['WAYMARK_SAFE_BROWSING_FAILURE', 'refuse', { safeBrowsingFailure: 'refuse' }],
    ['WAYMARK_SAFETY_WARNING', 'off', { safetyWarning: false }],
    ['WAYMARK_DENSE_LINKS', 'on', { denseLinks: true }],
    ['WAYMARK_LOG', 'json', { log: 'json' }],
  ])('%s=%s', (name, value, changed) => {
    const { shortUrl = changed.publicUrl ?? defaults.shortUrl } = changed;
    expect(readConfig({ [name]: value })).toEqual({ ...defaults, shortUrl, ...changed });
  });

  test('the remote check with what it needs', () => {
    for (const safeBrowsing of ['webrisk', 'v5'] as const)
      expect(
        readConfig({ WAYMARK_SAFE_BROWSING: safeBrowsing, WAYMARK_SAFE_BROWSING_KEY: 'k' }),
      ).toEqual({ ...defaults, safeBrowsing, safeBrowsingKey: 'k' });
    const url = 'https://check.example/v1';
    expect(
      readConfig({ WAYMARK_SAFE_BROWSING: 'http', WAYMARK_SAFE_BROWSING_URL: `${url}/` }),
    ).toEqual({ ...defaults, safeBrowsing: 'http', safeBrowsingUrl: url });
  });

  test('the short links follow the public address unless they have their own', () => {
    const publicUrl = 'https://api.example.com';
    expect(readConfig({ WAYMARK_PUBLIC_URL: publicUrl }).shortUrl).toBe(publicUrl);
    const own = { WAYMARK_PUBLIC_URL: publicUrl, WAYMARK_SHORT_URL: 'https://s.example' };
    expect(readConfig(own)).toMatchObject({ publicUrl, shortUrl: 'https://s.example' });
  });

  test('a server that listens on every address has to be told how it is reached', () => {
    for (const host of ['0.0.0.0', '0', '::', '0:0::0', '*']) {
      expect(refusal({ WAYMARK_HOST: host })).toEqual([
        expect.stringContaining('WAYMARK_PUBLIC_URL'),
      ]);
      const publicUrl = 'https://qr.example.com';
      const told = { WAYMARK_HOST: host, WAYMARK_PUBLIC_URL: publicUrl };
      expect(readConfig(told)).toMatchObject({ host, publicUrl });
    }
  });
});

describe('a wrong value is named, with what would be right', () => {
  test.each([
    ['WAYMARK_HOST', 'no host'],
    ['WAYMARK_HOST', '1.2.3.256'],
    // To listen on it is fine, but without a name of its own nobody could follow a link to it.
    ['WAYMARK_HOST', 'fe80::1%eth0'],
    ['WAYMARK_PORT', '0'],
    ['WAYMARK_PORT', '65536'],
    ['WAYMARK_PORT', '-1'],
    ['WAYMARK_PORT', '80.5'],
    ['WAYMARK_PORT', '0x50'],
    ['WAYMARK_PORT', '1e3'],
    ['WAYMARK_PORT', '٣٠٠٠'],
    ['WAYMARK_PORT', 'http'],
    ['WAYMARK_PUBLIC_URL', 'qr.example.com'],
    ['WAYMARK_PUBLIC_URL', 'ftp://qr.example.com'],
    ['WAYMARK_PUBLIC_URL', 'https://'],
    ['WAYMARK_PUBLIC_URL', 'https://qr.example.com?x=1'],
    ['WAYMARK_PUBLIC_URL', 'https://qr.example.com/#x'],
    ['WAYMARK_PUBLIC_URL', 'https://me:secret@qr.example.com'],
    ['WAYMARK_PUBLIC_URL', `https://qr.example.com/${'a'.repeat(120)}`],
    ['WAYMARK_PUBLIC_URL', 'https://$DOMAIN'],
    ['WAYMARK_PUBLIC_URL', `https://\${DOMAIN}/q`],
    ['WAYMARK_PUBLIC_URL', 'https://https://qr.example.com'],
    ['WAYMARK_PUBLIC_URL', "https://qr.example.com'"],
    ['WAYMARK_PUBLIC_URL', 'https://qr..example.com'],
    ['WAYMARK_SHORT_URL', 'https://a.example,https://b.example'],
    ['WAYMARK_SHORT_URL', 'https://a.example;'],
    ['WAYMARK_SHORT_URL', 'javascript:alert(1)'],
    ['WAYMARK_SHORT_URL', 'not an address'],
    ['WAYMARK_SHORT_URL_ALIASES', 'https://a.example,nonsense'],
    ['WAYMARK_KEY_PREFIX', '1a'],
    ['WAYMARK_KEY_PREFIX', 'a_b'],
    ['WAYMARK_KEY_PREFIX', 'a'.repeat(17)],
    ['WAYMARK_RATE_LIMIT', '0'],
    ['WAYMARK_RATE_LIMIT', '-60'],
    ['WAYMARK_RATE_LIMIT', 'sixty'],
    ['WAYMARK_RATE_LIMIT', '1000000001'],
    ['WAYMARK_DURABILITY', 'POWER'],
    ['WAYMARK_SAFE_BROWSING', 'v4'],
    ['WAYMARK_SAFE_BROWSING_URL', 'check.example'],
    ['WAYMARK_SAFE_BROWSING_FAILURE', 'maybe'],
    ['WAYMARK_SAFETY_WARNING', 'no'],
    ['WAYMARK_DENSE_LINKS', 'true'],
    ['WAYMARK_LOG', 'xml'],
  ])('%s=%s', (name, value) => {
    const [line = '', ...more] = refusal({ [name]: value });
    expect(more).toEqual([]);
    expect(line.startsWith(`${name} is `)).toBe(true);
    expect(line).toMatch(/, but must be ./);
  });

  test.each([
    ['webrisk', 'WAYMARK_SAFE_BROWSING_KEY'],
    ['v5', 'WAYMARK_SAFE_BROWSING_KEY'],
    ['http', 'WAYMARK_SAFE_BROWSING_URL'],
  ])('the remote check %s without %s', (safeBrowsing, missing) => {
    expect(refusal({ WAYMARK_SAFE_BROWSING: safeBrowsing })).toEqual([
      expect.stringContaining(missing),
    ]);
  });

  test.each([
    'not a host',
    'localhost:3000',
    'http://localhost',
    '1.2.3.256',
    '::g',
    '[::1',
    'a/b',
    'me@b',
  ])('a host to listen on that cannot be one, also where links do not depend on it: %s', (host) => {
    const values = { WAYMARK_HOST: host, WAYMARK_PUBLIC_URL: 'https://qr.example.com' };
    expect(refusal(values)).toEqual([
      `WAYMARK_HOST is ${JSON.stringify(host)}, but must be an address such as 127.0.0.1 or ::1.`,
    ]);
  });

  test.each([
    'nonsense',
    '10.0.0.0/33',
    '10.0.0.0/',
    '::1/129',
    '10.0.0.0/8/8',
    '10.1',
    '0x0a.0.0.1',
  ])('a proxy that is neither an address nor a network: %s', (network) => {
    expect(refusal({ WAYMARK_TRUST_PROXY: `10.0.0.1,${network}` })).toEqual([
      expect.stringContaining(`WAYMARK_TRUST_PROXY names ${JSON.stringify(network)}, but must`),
    ]);
  });

  test('all of them at once', () => {
    const lines = refusal({
      WAYMARK_TRUST_PROXY: 'x,y',
      WAYMARK_HOST: 'x y',
      WAYMARK_PORT: 'x',
      WAYMARK_PUBLIC_URL: 'x',
      WAYMARK_RATE_LIMIT: 'x',
      WAYMARK_LOG: 'x',
    });
    expect(lines.map((line) => line.split(' ')[0])).toEqual([
      'WAYMARK_HOST',
      'WAYMARK_PORT',
      'WAYMARK_PUBLIC_URL',
      'WAYMARK_RATE_LIMIT',
      'WAYMARK_TRUST_PROXY',
      'WAYMARK_TRUST_PROXY',
      'WAYMARK_LOG',
    ]);
  });

  test.each(['api', 'api/v1', 'docs', 'account', 'account/codes', 'healthz'])(
    'no base of links at /%s, where Waymark has pages of its own',
    (path) => {
      for (const name of ['PUBLIC_URL', 'SHORT_URL', 'SHORT_URL_ALIASES'])
        expect(refusal({ [`WAYMARK_${name}`]: `https://a.example/${path}` })).toEqual([
          `WAYMARK_${name} is "https://a.example/${path}", but must be an address outside of ` +
            '/api, /docs, /account and /healthz, which are in use.',
        ]);
      const beside = `https://a.example/my-${path}`;
      expect(readConfig({ WAYMARK_PUBLIC_URL: beside }).shortUrl).toBe(beside);
    },
  );

  test('no long address of a remote check, which is never printed', () => {
    const url = `https://check.example/${'a'.repeat(200)}`;
    const values = { WAYMARK_SAFE_BROWSING: 'http', WAYMARK_SAFE_BROWSING_URL: url };
    expect(readConfig(values).safeBrowsingUrl).toBe(url);
    expect(refusal({ WAYMARK_SHORT_URL: url })).toEqual([expect.stringContaining('too dense')]);
  });

  test('a secret is never repeated', () => {
    const lines = refusal({ WAYMARK_SAFE_BROWSING_KEY: 'hush', WAYMARK_PORT: 'x' });
    expect(lines.join()).not.toContain('hush');
  });

  test('capitals in short links, where they would change a path', () => {
    const dense = { WAYMARK_DENSE_LINKS: 'on' };
    expect(refusal({ ...dense, WAYMARK_SHORT_URL: 'https://e.example/q' })).toEqual([
      expect.stringMatching(/^WAYMARK_DENSE_LINKS is "on", but must be off/),
    ]);
    for (const shortUrl of ['https://e.example', 'https://e.example/Q', 'https://e.example/1'])
      expect(readConfig({ ...dense, WAYMARK_SHORT_URL: shortUrl }).denseLinks).toBe(true);
  });
});

test('exactly the proxies are taken that the panel can tell from clients', () => {
  const digits = fc.stringMatching(/^[\da-f.:]{0,20}$/);
  const addresses = fc.oneof(fc.ipV4(), fc.ipV4Extended(), fc.ipV6(), digits);
  const networks = fc.tuple(
    addresses,
    fc.oneof(
      fc.constant(''),
      fc.nat(140).map((bits) => `/${bits}`),
    ),
  );
  const isTaken = (take: () => unknown): boolean => {
    try {
      take();
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(networks, ([address, bits]) => {
      const network = address + bits;
      // Without an address there is no entry in the list.
      fc.pre(network !== '');
      const byPanel = isIP(address) !== 0 && isTaken(() => createClientAddress([network]));
      const bySettings = isTaken(() => readConfig({ WAYMARK_TRUST_PROXY: network }));
      expect([network, bySettings]).toEqual([network, byPanel]);
    }),
    { numRuns: 1000 },
  );
});

test.each(['localhost', 'qr_1.local', '[::1]', '::ffff:127.0.0.1', 'fe80::1%eth0', '*'])(
  'a server may listen on %s',
  (host) => {
    const values = { WAYMARK_HOST: host, WAYMARK_PUBLIC_URL: 'https://qr.example.com' };
    expect(readConfig(values).host).toBe(host);
  },
);

test('the table names every setting once, explains it and holds the default that is used', () => {
  const all = Object.values(options);
  expect(Object.keys(options).sort()).toEqual(Object.keys(defaults).sort());
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  for (const option of all) {
    expect(option.name).toMatch(/^WAYMARK_[A-Z_]+$/);
    expect(option.help).not.toBe('');
    if ('default' in option)
      expect(readConfig({ [option.name]: option.default })).toEqual(defaults);
  }
});

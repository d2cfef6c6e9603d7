import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { entryExpression, expressionsOf, hashOf } from '../../src/reputation/url/expressions.ts';

function hex(expression: string): string {
  return Buffer.from(hashOf(expression)).toString('hex');
}

// Published with Safe Browsing's "URLs and Hashing".
const published: Record<string, Record<string, string>> = {
  'http://a.b.c/1/2.html?param=1': {
    'a.b.c/1/2.html?param=1': '1cd5cf5ed8e6df424bdbb400f7b2a3fcb215c4c3f7fa2965a11446cde3c162f3',
    'a.b.c/1/2.html': '8b19a5a51125f023af4a26e2aef4caae352623d05ffdc859433be84823ec4053',
    'a.b.c/': 'f9c142c4c0c9e669e0924b45f5b1b8dd1fdf85d182b674a4ec415b1f58ac2667',
    'a.b.c/1/': '59e650c465d9cbded1f95322e19fb1481f9500342a240c4a18a7a5ef4b103e1c',
    'b.c/1/2.html?param=1': '9b7d85bbdfa3c8ba1796a96ea91094730350c8b12a9552028123b1cc1918cc56',
    'b.c/1/2.html': '1803dee47cc6adec025aefd26ff5b44408f14d6e250defe7d0ae2444f0f8e106',
    'b.c/': 'b225cf5dcf266f3ff0b32319a72cf23fca7c53c98cb4af1a7bbfe413415407f1',
    'b.c/1/': 'ac5f446d55d0807d211e05fd5482534b0dc99d7b9f255174f9dba30b9ebc01ac',
  },
  'http://a.b.c.d.e.f.g/1.html': {
    'a.b.c.d.e.f.g/1.html': '8c39d0c311331cfae87867aa52a98ef3c995b121c0f7bc750164996a4b3ab43f',
    'a.b.c.d.e.f.g/': 'ce385c58c19493d2e4ac23fbb1d4faccde65b73bfcc4f3b6ba62addf905fbf41',
    'c.d.e.f.g/1.html': '37a343cf5d2e00eeb103175c8e4b0adddbef6348f6c60e732a4952fc0a053d89',
    'c.d.e.f.g/': 'f1930a298cf214f0459049ad655838b080a9ba886dd0c759e21c8af005528d14',
    'd.e.f.g/1.html': '0285b5d5ad2aa12ff24d0fc9ac820725061a659fdd369857a422cfe4cbb04e4e',
    'd.e.f.g/': '4fd37f62520c129f29525fd3d1eb9b04511b632e4aef190dbc23f8519d7ccd7e',
    'e.f.g/1.html': 'a5a5563280f2da618e8a6b14060d909679446767c7d3bbcc23c9b02419b12289',
    'e.f.g/': '4e378632a186388136b13689a85bf63d2f8fcf50c93b1468c4e20cd12423f2f8',
    'f.g/1.html': 'e42d99efd820eeb6fad77109534a6af1b5cb6bd7755958fead91e0790850a303',
    'f.g/': '9401530ee6371f3f1cb82e463223e7bf5fd3ab8b85872d477509110467b4c9e1',
  },
  'http://1.2.3.4/1/': {
    '1.2.3.4/1/': '5c9f354119e8d3f82e1bc01545ec7a656da70453e6bfc053ac8b257bdd4d8ef6',
    '1.2.3.4/': '3f008b863ca6e954c31859665454f9cbcb10760acb7ebc536d6da1ccac94618d',
  },
};

test.each(Object.entries(published))(
  '%s has the published expressions and hashes',
  (url, hashes) => {
    expect(expressionsOf(url)).toEqual(expect.arrayContaining(Object.keys(hashes)));
    for (const [expression, hash] of Object.entries(hashes)) expect(hex(expression)).toBe(hash);
  },
);

const further: [url: string, expressions: string[]][] = [
  ['http://a.b/?', ['a.b/']],
  ['http://b/', ['b/']],
  // An address has no host suffixes, whichever way it is written.
  ['http://1.2.3.4/', ['1.2.3.4/']],
  ['http://[::ffff:1.2.3.4]/', ['1.2.3.4/']],
  ['http://[64:ff9b::1.2.3.4]/', ['1.2.3.4/']],
  ['http://[::1.2.3.4]/', ['[::1.2.3.4]/']],
  [
    'http://[2001:470:1:18::114]/a/b',
    ['/a/b', '/a/', '/'].map((path) => `[2001:470:1:18::114]${path}`),
  ],
  [
    'http://a.b/1/2/3/4/5/',
    ['/1/2/3/4/5/', '/1/2/3/', '/1/2/', '/1/', '/'].map((path) => `a.b${path}`),
  ],
  [
    'http://b.c/1/2/3.html?param=1/2',
    ['b.c/1/2/3.html?param=1/2', 'b.c/1/2/3.html', 'b.c/1/2/', 'b.c/1/', 'b.c/'],
  ],
];

test.each(further)('%s has the expressions of the reference client', (url, expressions) => {
  expect(expressionsOf(url).sort()).toEqual([...expressions].sort());
});

test("v5's rule is covered without the Public Suffix List", () => {
  // bbb.ccc.kawasaki.jp is a registrable domain: the public suffix is *.kawasaki.jp.
  const hosts = ['', 'z.', 'y.z.', 'x.y.z.'].map((prefix) => `${prefix}bbb.ccc.kawasaki.jp/a`);
  expect(expressionsOf('http://w.x.y.z.bbb.ccc.kawasaki.jp/a')).toEqual(
    expect.arrayContaining(hosts),
  );
});

test('a listed domain covers every name below it, and the number of expressions is bounded', () => {
  const expressions = expressionsOf(`http://${'x.'.repeat(100)}a.evil.com/1/2/3/4/5/6?q`);
  expect(expressions).toContain('evil.com/');
  expect(expressions).not.toContain('com/');
  expect(expressions.length).toBeLessThanOrEqual(9 * 6 + 100);
});

test('entries stand for a domain, a folder or a URL', () => {
  expect(entryExpression('Evil.COM')).toBe('evil.com/');
  expect(entryExpression('*.evil.com')).toBe('evil.com/');
  expect(entryExpression('.evil.com.')).toBe('evil.com/');
  expect(entryExpression('https://user@evil.com:8443/a/../b/?q=1#x')).toBe('evil.com/b/?q=1');
  expect(entryExpression('0x7f.1')).toBe('127.0.0.1/');
  expect(entryExpression('bücher.de/ä')).toBe('xn--bcher-kva.de/%C3%A4');
  for (const text of ['', 'two words', 'a<b>.com', '/path', 'mailto:a@b.c']) {
    expect(entryExpression(text)).toBeNull();
  }
});

// Spellings that browsers understand; the property below has the others.
const evasions = [
  'evil.example/bad',
  '  http://evil.example/bad  ',
  'http:evil.example/bad',
  'http:/evil.example/bad',
  'http:///evil.example/bad',
  'http://evil.example//bad',
  'http://evil.example\\bad',
  'http://evil.example/x\\..\\bad',
  'http://evil.exa\nmple/bad',
  'http://ｅｖｉｌ.example/bad',
  'http://evil。example/bad',
  'http://ev\u00adil.example/bad',
  'http://good.example@evil.example/bad',
  'http://good.example\\@evil.example/bad',
  'http://evil.example\\@good.example/../bad',
];

test.each(evasions)('the spelling %j has the expression of the URL', (url) => {
  expect(expressionsOf(url)).toContain('evil.example/bad');
});

/** Spells a character of a path or host in one of the ways that mean the same. */
const escapeOnce = (character: string) =>
  `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
const spellings: ((character: string) => string)[] = [
  (character) => character,
  escapeOnce,
  (character) => escapeOnce(character).replace('%', '%25'),
  (character) => [...escapeOnce(character)].map(escapeOnce).join(''),
  (character) => `\t${character}`,
];
const hostSpellings = [...spellings.slice(0, 2), (character: string) => character.toUpperCase()];

test('every spelling of a URL has its expression', () => {
  const host = 'evil.example';
  const path = '/bad/page.html';
  const mixed = (text: string, ways: readonly ((character: string) => string)[]) =>
    fc
      .array(fc.nat(ways.length - 1), { minLength: text.length, maxLength: text.length })
      .map((picks) =>
        [...text].map((character, index) => ways[picks[index] ?? 0]?.(character)).join(''),
      );
  const variant = fc.record({
    scheme: fc.constantFrom('http://', 'https://', 'HtTp://'),
    user: fc.constantFrom('', 'user@', 'a:b@'),
    subdomain: fc.constantFrom('', 'www.', 'a.b.c.d.e.f.'),
    host: mixed(host, hostSpellings),
    dot: fc.constantFrom('', '.'),
    port: fc.constantFrom('', ':80', ':4711', ':'),
    detour: fc.constantFrom('', '/.', '/x/..', '/x/y/../..', '/%2e', '/x/%2E%2e'),
    path: mixed(path.slice(1), spellings),
    query: fc.constantFrom('', '?', '?q=1', '?a=/../b'),
    fragment: fc.constantFrom('', '#', '#/../x'),
  });
  fc.assert(
    fc.property(variant, (parts) => {
      const { scheme, user, subdomain, dot, port, detour, query, fragment } = parts;
      const url = `${scheme}${user}${subdomain}${parts.host}${dot}${port}${detour}/${parts.path}${query}${fragment}`;
      expect(expressionsOf(url)).toContain(host + path);
    }),
    { numRuns: 500 },
  );
});

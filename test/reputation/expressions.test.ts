import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { entryExpression, expressionsOf, hashOf } from '../../src/reputation/url/expressions.ts';
import { words } from '../support/words.ts';
import published from './published.json';

function hex(expression: string): string {
  return Buffer.from(hashOf(expression)).toString('hex');
}

// Safe Browsing, "URLs and Hashing".
test.each(Object.entries(published.expressions))(
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
  ...words(`
    evil.example/bad http:evil.example/bad http:/evil.example/bad http:///evil.example/bad
    http://evil.example//bad http://evil.example\\bad http://evil.example/x\\..\\bad
    http://ｅｖｉｌ.example/bad http://evil。example/bad http://ev\u00adil.example/bad
    http://good.example@evil.example/bad http://good.example\\@evil.example/bad
    http://evil.example\\@good.example/../bad
  `),
  '  http://evil.example/bad  ',
  'http://evil.exa\nmple/bad',
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

import { describe, expect, test } from 'bun:test';
import { isIPv6 } from 'node:net';
import { domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { maxDestinationLength, parseDestination } from '../../src/core/codes/urls/destination.ts';
import { ApiError } from '../../src/core/errors.ts';
import { apiSentence } from '../../src/http/sentences/sentences.ts';
import { readableUrl, truncateUrl } from '../../src/lib/text/readable-url.ts';
import { locationHeader } from '../../src/redirect/link-outcome.ts';
import { words } from '../support/words.ts';

const prefixes = [
  'https://qr.example.com',
  'http://s.example:8080/q',
  'https://D.EXAMPLE/Q',
].concat('http://localhost:3000', 'http://192.0.2.7');

/** Returns a valid destination, or the message of its rejection. */
function parse(value: unknown): { accepted: string } | { rejected: string } {
  try {
    return { accepted: parseDestination(value, prefixes) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect([error.code, error.status]).toEqual(['invalid_url', 400]);
    if (error.reason === null) throw error;
    return { rejected: apiSentence(error.reason) };
  }
}

const directionMarks = [
  ...'\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069',
];

const padded = (length: number) => 'https://example.org/'.padEnd(length, 'a');

test.each([
  ...words(`
    http://example.org https://example.org https://example.org/ HTTP://EXAMPLE.ORG/Path
    https://example.org:8443/a/b.html?c=d&e=%20f#g https://example.org/a/../b/./c//d
    https://example.org/%7Euser/%zz/100% https://example.org/?q=a+b&u=https://other.example/@me
    https://example.org/@name:part https://example.org/"quoted"<tag> https://example.org#fragment
    https://example.org./ http://192.0.2.7/ http://intranet/ http://[2001:db8::1]/
    http://[::1]:8080/a https://münchen.example/ https://例え.テスト/道
    https://example.org/über?größe=groß#ß https://example.org/😀
    https://sub.under_score.example.org/ https://xn--mnchen-3ya.example/ https://MÜNCHEN.example/
    https://http.example.org/https://example.com https://example.org:/ https://example.org:0443?
    http://[::ffff:192.0.2.7]/ https://example.org/?next=https%3A%2F%2Fexample.com%5C
    https://example.org/a\u200db\u200cc\u200bd https://example.org/❤️ https://example.org/%E2%80%8C%e2%80%8d
    https://example.org/%25E2%2580%258E https://example.org:10/ https://example.org/:0
  `),
  "https://example.org/'()*!;,[]{}|^`",
  `https://${'a'.repeat(63)}.example/`,
  `https://${'a.'.repeat(123)}example`,
  padded(2048),
])('is valid, and kept as it is: %.60j', (url) => {
  expect(parse(url)).toEqual({ accepted: url });
});

test.each([
  ...words(`
    x example.org /path //example.org/ ftp://example.org/ file:///etc/passwd data:text/html,hello
    blob:https://example.org/1 view-source:https://example.org/ xhttp://example.org/ http
    http:example.org http:/example.org http:\\\\example.org\\ http:// http://?q http://#f
    http://:80/ http://[::1 http://[::g]/ http://256.256.256.256/ http://example.org:99999/
    http://example.org:port/ http://exa<mple.org/ http://%00.example.org/
    https://user@example.org/ https://:password@example.org/ https://@example.org/
    https://https://example.org HTTP://HTTPS://example.org http://http//example.org
    https://https:/example.org https://https:443/example.org https://http./example.org
    https://htps://example.org https://ftp://example.org https://www.https://example.org
    https:///example.org https:////example.org https://.org https://.example.org
    https://example..org https://example.org.. https://. https://-a.example/ https://a-.example/
    https://it's.example/ https://a,b.example/ https://{a}.example/ https://"a".example/
    https://xn--a.example/ https://example.org\\@evil.example https://example.org\\
    https://example.org/a\\b https://example.org?a=\\ https://example.org#\\ https://ｅxample.org/
    https://example。org/ https://exam\u00adple.org/ https://exam\u200bple.org/
    https://example.org:８０/ https://%65xample.org/ https://ex%C3%A4mple.org/ http://127.1/
    http://0x7f.0.0.1/ http://0177.0.0.1/ http://2130706433/ http://１２７.0.0.1/ http://192.0.2.7./
    http://[fe80::1%25eth0]/ http://[v1.a]/ https://example.org/\u200b https://example.org/#\u2060
    \u200bhttps://example.org/ https://example.org:0/ https://example.org:000 http://[::1]:0/
    https://example.org:0?a https://example.org/%25?a=%E2%80%AE
  `),
  ...directionMarks.map((mark) => `https://example.org/a${mark}b`),
  ...directionMarks.map((mark) => `https://example.org/?a=${encodeURIComponent(mark)}#b`),
  ...directionMarks.map((mark) => `https://example.org/#${encodeURIComponent(mark).toLowerCase()}`),
  'http://exa mple.org/',
  'https://example.org/a b',
  ' https://example.org/',
  'https://example.org/ ',
  'https://example.org/#a b',
  'https://example.org/\n',
  'https://exam\tple.org/',
  'https://example.org/\r\nSet-Cookie: a=b',
  'https://example.org/\u0000',
  'https://example.org/\u001f',
  'https://example.org/\u007f',
  'https://example.org/\u0085',
  padded(2049),
  `https://${'a'.repeat(64)}.example/`,
  `https://${'ü'.repeat(62)}.example/`,
  `https://${'a.'.repeat(124)}example`,
  'https://example.org\ufeff',
  // Half of a surrogate pair cannot be encoded in UTF-8.
  'https://example.org/\ud800',
  'https://\ud800.example/',
])('is invalid: %.60j', (url) => {
  expect(parse(url)).toEqual({ rejected: expect.any(String) });
});

describe('a rejection contains the problem', () => {
  test.each<[unknown, string]>([
    [undefined, 'no "url"'],
    [42, 'string'],
    ['', 'empty'],
    ['example.com', 'begin with http'],
    ['https://example.com/ ', 'begins or ends with a space'],
    [' https://example.com/', 'begins or ends with a space'],
    ['https://example.com/\u3000', 'begins or ends with a space'],
    ['https://example.com/\u2028', 'begins or ends with a space'],
    ['https://example.com/\n', 'begins or ends with a space'],
    ['https://exam ple.com/', 'space or a control character in the host'],
    ['https://example.com\t/a', 'space or a control character in the host'],
    ['https://example.com/a b', 'percent-encode it'],
    [' example.com', 'begin with http'],
    ['https://example.com/a\r\nb', 'control'],
    ['https://example.com/\ud800', 'surrogate'],
    ['https://', 'host'],
    ['https://example.com:99999/', 'host'],
    ['https:///@example.com/', 'no host'],
    ['https://\\@example.com/', 'backslash'],
    ['https://@/', 'user name'],
    ['https://example..com', 'dot too many'],
    ['https://example.com:0/', 'port is 0'],
    ['https://example.com/%E2%80%AEgpj.exe', 'direction of text'],
    ['https://127.1', 'IP address'],
    ['https://%65xample.com', 'percent-encoded'],
    ['https://-example.com', 'hyphen'],
    [`https://${'a'.repeat(64)}.com`, 'longer than 63'],
    [`https://${'a.'.repeat(126)}com`, 'longer than 253'],
    ['https://good.example%2f@evil.example/', 'user name'],
  ])('%j', (value, problem) => {
    expect(parse(value)).toEqual({ rejected: expect.stringContaining(problem) });
  });

  test('of a URL that is too long, in characters', () => {
    const url = `https://example.com/${'😀'.repeat(maxDestinationLength - 20)}`;
    expect(parse(url)).toEqual({ accepted: url });
    expect(parse(`${url}a`)).toEqual({ rejected: expect.stringContaining('2048') });
  });
});

describe('a rejection says what was probably meant', () => {
  test.each([
    ['https://https://example.com', 'https://example.com'],
    ['http://http//example.com/a', 'http://example.com/a'],
    ['https://http:/example.com?a=b#c', 'http://example.com?a=b#c'],
    ['https:https://https//example.com', 'https://example.com'],
    ['HTTPS://HTTPS://Example.com', 'https://Example.com'],
    ['https:///example.com', 'https://example.com'],
    ['http:example.com', 'http://example.com'],
    ['https//example.com', 'https://example.com'],
    ['//example.com/a', 'https://example.com/a'],
    ['www.example.com', 'https://www.example.com'],
    ['https://example..com', 'https://example.com'],
    ['https://.example.com..:8080/', 'https://example.com:8080/'],
    ['https://example.com\\menu', 'https://example.com/menu'],
    ['https:\\\\example.com', 'https://example.com'],
    ['https://ｅxample。com/ü', 'https://example.com/ü'],
    ['https://exam\u00adple.com', 'https://example.com'],
    [' https://example.com/\u200b', 'https://example.com/'],
  ])('%j → %s', (value, meant) => {
    expect(parse(value)).toEqual({ rejected: expect.stringContaining(` Did you mean ${meant}?`) });
  });

  test.each([
    ...words(`
      https://https:// https://.com https://example.com\\@evil.com https://htps://example.com
      htp:/example.com https://user@example.com https://example.com:99999 https://010.0.0.1/
      ftp://example.com/ javascript:alert(1) me@example.com example 7
    `),
  ])('but not where it is open: %s', (value) => {
    expect(parse(value)).toEqual({ rejected: expect.not.stringContaining('Did you mean') });
  });
});

describe('truncateUrl', () => {
  const tail = 'campaign=spring&'.repeat(20);

  test('returns null for an address that is shown in full', () => {
    expect(truncateUrl('https://example.org/menu')).toBeNull();
    expect(truncateUrl(`https://example.org/${'a'.repeat(140)}`)).toBeNull();
  });

  test.each([
    ['https://example.org/?', 'https://example.org/?campaign='],
    ['example.org/', 'example.org/campaign='],
  ])('returns the host and more of %p', (head, shown) => {
    const beginning = truncateUrl(`${head}${tail}`);
    expect(beginning).toStartWith(shown);
    expect(beginning).toHaveLength(160);
  });

  test.each(['https://', 'http:////', 'https:\\\\', ''])(
    'does not cut the host after %p',
    (scheme) => {
      const host = `${'www.example.org.'.repeat(15)}evil.example`;
      expect(truncateUrl(`${scheme}${host}/${tail}`)).toBe(`${scheme}${host}`);
      expect(truncateUrl(`${scheme}${host}\\${tail}`)).toBe(`${scheme}${host}`);
    },
  );

  test('does not cut a surrogate pair', () => {
    const beginning = truncateUrl(`https://example.org/${'a'.repeat(139)}${'😀'.repeat(50)}`);
    expect(beginning).toEndWith('a');
    expect(beginning).toHaveLength(159);
  });
});

describe('a short link of this server would redirect in a loop', () => {
  test.each([
    ...words(`
      http://qr.example.com/0123abcd HTTPS://QR.EXAMPLE.COM/0123ABCD
      https://qr.example.com:443/0123abcd https://qr.example.com./0123abcd
      https://qr.example.com/0123abcd?utm=1#x https://qr.example.com/%30123abcd
      https://qr.example.com/x/../0123abcd https://qr.example.com/./0123abcd
      https://qr.example.com//0123abcd https://qr.example.com:0443/0123abcd
      http://s.example:8080/q/0123abcd HTTPS://D.EXAMPLE/Q/0123ABCD
      https://qr.example.com/q/0123abcd http://s.example:8080/q/q/0123abcd
      https://qr.example.com/0123abcd/ https://qr.example.com/q/0123abcd//?a
      http://[::1]:3000/0123abcd http://[::ffff:127.0.0.1]:3000/0123abcd
      http://[::ffff:7f00:1]:3000/q/0123abcd/ http://127.0.0.2:3000/0123abcd
      http://0.0.0.0:3000/0123abcd http://LOCALHOST.:3000/0123abcd
      http://qr.localhost:3000/0123abcd http://[::ffff:192.0.2.7]/0123abcd
    `),
  ])('%s', (url) => {
    expect(parse(url)).toEqual({ rejected: expect.stringContaining('redirect in a loop') });
  });

  test.each([
    ...words(`
      https://qr.example.com/ https://qr.example.com/docs https://qr.example.com/0123abcd/more
      https://qr.example.com/0123abci https://other.example.com/0123abcd
      http://s.example:8080/0123abcd http://s.example:8080/qq/0123abcd http://s.example/q/0123abcd
      https://qr.example.com:8443/0123abcd https://qr.example.com/%zz23abcd
      http://localhost:3001/0123abcd http://127.0.0.1.example:3000/0123abcd
      http://[::ffff:127.0.0.1]/0123abcd
    `),
  ])('but not %s', (url) => {
    expect(parse(url)).toEqual({ accepted: url });
  });
});

// Characters that parsers read differently, and usual ones.
const hostPieces =
  'a b xn-- 0x 0 1 7 . . . 。 ． ｡ - _ % %2e : @ ü Ü ß ẞ ｅ １ ² ⅷ ﬀ İ \u00ad \u200b \u200d \ufe0f \u0301 本 😀 [ ] ; , ! \\ \t'.split(
    ' ',
  );

/** Texts that resemble URLs; most are invalid. */
const similar = fc.oneof(
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc
    .tuple(
      fc.constantFrom('http://', 'https://', 'HTTP://', 'http:/', 'https:\\\\', ''),
      fc.constantFrom('', '', '', 'a@', ':@', '/', '\\', '[', 'https:', '.'),
      fc.oneof(
        fc.domain(),
        fc.ipV4(),
        fc.ipV4Extended(),
        fc.ipV6().map((address) => `[${address}]`),
        fc.string({ unit: fc.constantFrom(...hostPieces), minLength: 1, maxLength: 8 }),
        fc.string({ unit: 'binary', maxLength: 12 }),
      ),
      fc.constantFrom('', '', '/', ':', ':80', ':0443', ':８0', '?', '#', '\\', '\t'),
      fc.string({ unit: 'binary', maxLength: 20 }),
    )
    .map((parts) => parts.join('')),
);

/** Returns a host in Unicode, in lower case. */
const spelledOut = (host: string) =>
  host
    .split('.')
    .map((label) => (label.startsWith('xn--') ? domainToUnicode(label) : label))
    .join('.')
    .normalize('NFC')
    .toLowerCase();

describe('any value', () => {
  test('is accepted unchanged or rejected as invalid_url', () => {
    fc.assert(
      fc.property(fc.oneof(similar, fc.anything(), fc.string({ unit: 'binary' })), (value) => {
        const result = parse(value);
        if ('accepted' in result) expect(result.accepted === value).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('has the same scheme, host and port by the URL standard and by RFC 3986 when it is accepted', () => {
    let accepted = 0;
    fc.assert(
      fc.property(similar, (value) => {
        if (!('accepted' in parse(value))) return;
        accepted++;
        // RFC 3986, appendix B and 3.2.
        const [, scheme = '', authority = ''] = /^([^:/?#]+):\/\/([^/?#]*)/.exec(value) ?? [];
        const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:@]*)(?::(\d*))?$/.exec(authority) ?? [];
        const url = new URL(value);
        const [protocol, defaultPort] = url.protocol === 'http:' ? ['http', 80] : ['https', 443];
        expect(scheme.toLowerCase()).toBe(protocol);
        expect(Number(port || defaultPort)).toBe(Number(url.port || defaultPort));
        expect(url.username + url.password).toBe('');
        // Addresses have several spellings, IDN two.
        if (host.startsWith('[')) expect(isIPv6(host.slice(1, -1))).toBe(true);
        else if (/^[\0-\x7f]*$/.test(host)) expect(url.hostname).toBe(host.toLowerCase());
        else expect(spelledOut(url.hostname)).toBe(spelledOut(host));
        expect(url.hostname).toMatch(/^\[|^(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}\.?$/);
      }),
      { numRuns: 2000 },
    );
    expect(accepted).toBeGreaterThan(200);
  });

  test('has an equivalent Location header in ASCII when it is accepted', () => {
    let accepted = 0;
    fc.assert(
      fc.property(similar, (value) => {
        const result = parse(value);
        if (!('accepted' in result)) return;
        accepted++;
        const location = locationHeader(result.accepted);
        expect(location).toMatch(/^https?:\/\/[\x21-\x7e]+$/i);
        expect(new URL(location).href).toBe(new URL(result.accepted).href);
        if (/^[\x21-\x7e]*$/.test(result.accepted)) expect(location).toBe(result.accepted);
      }),
      { numRuns: 1000 },
    );
    expect(accepted).toBeGreaterThan(150);
  });
});

test.each([
  ['https://p\u0430ypal.com/a', 'https://p\u0430ypal.com (xn--pypal-4ve.com)/a'],
  ['https://\u03b1pple.example:8443?b', 'https://\u03b1pple.example:8443 (xn--pple-zld.example)?b'],
  ['p\u0430ypal.com/a', 'p\u0430ypal.com (xn--pypal-4ve.com)/a'],
  ['HTTPS://www.аррlе.com', 'HTTPS://www.аррlе.com (www.xn--l-7sbq6ba.com)'],
])('the punycode of a host in several scripts is shown: %j', (url, shown) => {
  expect(readableUrl(url)).toBe(shown);
});

test.each([
  ...words(`
    https://example.org https://münchen.example/дом https://пример.испытание https://пример.com/
    https://例え.テスト/道 https://ラーメンtokyo.example https://中文abc.example https://한국어abc.example
    https://παράδειγμα.δοκιμή https://xn--pypal-4ve.com/ https://a-1.дом-2.example http://[::1]/
    https://\u0631\u0627\u0647\u200c\u0646\u0645\u0627.example
  `),
])('a host whose labels have one script each is shown as it is: %j', (url) => {
  expect(readableUrl(url)).toBe(url);
});

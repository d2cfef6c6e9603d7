import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  locationHeader,
  maxDestinationLength,
  parseDestination,
  truncateUrl,
} from '../../src/core/codes/destination.ts';
import { ApiError } from '../../src/core/errors.ts';

const prefixes = ['https://qr.example.com', 'http://s.example:8080/q', 'https://D.EXAMPLE/Q'];

/** Returns a valid destination, or the message of its rejection. */
function parse(value: unknown): { accepted: string } | { rejected: string } {
  try {
    return { accepted: parseDestination(value, prefixes) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect([error.code, error.status]).toEqual(['invalid_url', 400]);
    return { rejected: error.message };
  }
}

// test/contract/destinations.test.ts has the tables of valid and invalid URLs.
describe('a rejection contains the problem', () => {
  test.each<[unknown, string]>([
    [undefined, 'no "url"'],
    [42, 'string'],
    ['', 'empty'],
    ['example.com', 'begin with http'],
    ['https://example.com/ ', 'space'],
    ['https://example.com/\u3000', 'space'],
    ['https://example.com/\u2028', 'space'],
    ['https://example.com/a\r\nb', 'control'],
    ['https://example.com/\ud800', 'surrogate'],
    ['https://', 'host'],
    ['https://example.com:99999/', 'host'],
    ['https:///@example.com/', 'user name'],
    ['https://\\@example.com/', 'user name'],
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
    'http://qr.example.com/0123abcd',
    'HTTPS://QR.EXAMPLE.COM/0123ABCD',
    'https://qr.example.com:443/0123abcd',
    'https://qr.example.com./0123abcd',
    'https://qr.example.com/0123abcd?utm=1#x',
    'https://qr.example.com/%30123abcd',
    'https://qr.example.com/x/../0123abcd',
    'http://s.example:8080/q/0123abcd',
    'HTTPS://D.EXAMPLE/Q/0123ABCD',
    // The path of a prefix is also removed on other hosts.
    'https://qr.example.com/q/0123abcd',
    'http://s.example:8080/q/q/0123abcd',
  ])('%s', (url) => {
    expect(parse(url)).toEqual({ rejected: expect.stringContaining('redirect in a loop') });
  });

  test.each([
    'https://qr.example.com/',
    'https://qr.example.com/docs',
    'https://qr.example.com/0123abcd/more',
    'https://qr.example.com/0123abci',
    'https://other.example.com/0123abcd',
    'http://s.example:8080/0123abcd',
    'http://s.example:8080/qq/0123abcd',
    'http://s.example/q/0123abcd',
    'https://qr.example.com:8443/0123abcd',
    'https://qr.example.com/%zz23abcd',
  ])('but not %s', (url) => {
    expect(parse(url)).toEqual({ accepted: url });
  });
});

/** Texts that resemble URLs; most are invalid. */
const similar = fc.oneof(
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc
    .tuple(
      fc.constantFrom('http://', 'https://', 'HTTP://', 'http:/', 'https:\\\\', ''),
      fc.constantFrom('', 'a@', ':@', '/', '\\', '['),
      fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6(), fc.string({ unit: 'binary', maxLength: 12 })),
      fc.string({ unit: 'binary', maxLength: 20 }),
    )
    .map((parts) => parts.join('')),
);

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
      { numRuns: 2000 },
    );
    expect(accepted).toBeGreaterThan(300);
  });
});

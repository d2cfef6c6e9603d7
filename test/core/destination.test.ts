import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  locationHeader,
  maxDestinationLength,
  parseDestination,
  truncateUrl,
} from '../../src/core/codes/destination.ts';
import { ApiError } from '../../src/core/errors.ts';

const bases = ['https://qr.example.com', 'http://s.example:8080/q', 'https://D.EXAMPLE/Q'];

/** What a destination comes to: itself, or the message of its refusal. */
function parsed(value: unknown): { accepted: string } | { refused: string } {
  try {
    return { accepted: parseDestination(value, bases) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect([error.code, error.status]).toEqual(['invalid_url', 400]);
    return { refused: error.message };
  }
}

describe('a valid destination is kept as it was sent', () => {
  test.each([
    'https://example.com',
    'http://example.com/',
    'HTTPS://EXAMPLE.COM/Path?q=A#Frag',
    'https://example.com:8443/a/../b/%2e%2e/c?x=%zz&y=[1]',
    'https://example.com/?q=a+b&r=c%20d#',
    'https://example.com/#/app?x=1',
    'https://example.com/path;v=1,2/(x)!$&\'*+=:@|^`{}<>"\\',
    'https://example.com/@someone',
    'https://example.com/?mail=a@b.example',
    'https://example.com#a@b',
    'https://localhost:3000/x',
    'http://127.0.0.1/',
    'http://[::1]:8080/',
    'https://münchen.example/straße?q=ü#ß',
    'https://xn--mnchen-3ya.example/',
    'https://例え.テスト/',
    'https://example.com/😀',
    'http://0x7f.1/',
    'https://example.com./',
    'https://host_name.example/',
    'https://example.com/qr.example.com/01234567',
  ])('%s', (url) => {
    expect(parsed(url)).toEqual({ accepted: url });
  });

  test(`as long as ${maxDestinationLength} characters`, () => {
    const url = `https://example.com/${'a'.repeat(maxDestinationLength - 20)}`;
    expect(parsed(url)).toEqual({ accepted: url });
    expect(parsed(`${url}a`)).toEqual({ refused: expect.stringContaining('2048') });
    const pictures = `https://example.com/${'😀'.repeat(maxDestinationLength - 20)}`;
    expect(parsed(pictures)).toEqual({ accepted: pictures });
    expect(parsed(`${pictures}a`)).toEqual({ refused: expect.stringContaining('2048') });
  });
});

describe('what is no valid destination is refused with what is wrong', () => {
  test.each<[unknown, string]>([
    [undefined, 'no "url"'],
    [null, 'string'],
    [42, 'string'],
    [true, 'string'],
    [['https://example.com/'], 'string'],
    [{ href: 'https://example.com/' }, 'string'],
    ['', 'empty'],
    ['example.com', 'begin with http'],
    ['//example.com', 'begin with http'],
    ['/path', 'begin with http'],
    ['javascript:alert(1)', 'begin with http'],
    ['data:text/html,x', 'begin with http'],
    ['file:///etc/passwd', 'begin with http'],
    ['ftp://example.com/', 'begin with http'],
    ['mailto:a@example.com', 'begin with http'],
    ['http:example.com', 'begin with http'],
    ['http://example.com:99999/', 'host or port'],
    ['http:/example.com', 'begin with http'],
    ['http:\\\\example.com', 'begin with http'],
    ['httpx://example.com', 'begin with http'],
    ['blob:https://example.com/', 'begin with http'],
    ['view-source:https://example.com/', 'begin with http'],
    [' https://example.com/', 'begin with http'],
    ['https://example.com/ ', 'space'],
    ['https://exa mple.com/', 'space'],
    ['https://example.com/\t', 'control'],
    ['https://example.com/a\nb', 'control'],
    ['https://example.com/a\r\nSet-Cookie: a=b', 'control'],
    ['https://example.com/\0', 'control'],
    ['https://example.com/\x7f', 'control'],
    ['https://example.com/\u0085', 'control'],
    ['https://example.com/\u00a0', 'space'],
    ['https://example.com/\u2028', 'space'],
    ['https://example.com/\u3000', 'space'],
    ['https://example.com/\ud800', 'surrogate'],
    ['https://', 'host'],
    ['https:///', 'host'],
    ['https://?q', 'host'],
    ['https://#', 'host'],
    ['https://:80/', 'host'],
    ['https://example.com:99999/', 'host'],
    ['https://example.com:port/', 'host'],
    ['https://[::1', 'host'],
    ['https://1.2.3.256/', 'host'],
    ['https://exa%zzmple.com/', 'host'],
    ['https://a<b>.example/', 'host'],
    ['https://user@example.com/', 'user name'],
    ['https://user:secret@example.com/', 'user name'],
    ['https://:secret@example.com/', 'user name'],
    ['https://@example.com/', 'user name'],
    ['https://:@example.com/', 'user name'],
    ['https:///@example.com/', 'user name'],
    ['https://\\@example.com/', 'user name'],
    ['https://good.example@evil.example/', 'user name'],
    ['https://good.example%2f@evil.example/', 'user name'],
  ])('%j', (value, reason) => {
    expect(parsed(value)).toEqual({ refused: expect.stringContaining(reason) });
  });
});

describe('the beginning of an address', () => {
  const tail = 'campaign=spring&'.repeat(20);

  test('is none where the whole of it can be shown', () => {
    expect(truncateUrl('https://example.org/menu')).toBeNull();
    expect(truncateUrl(`https://example.org/${'a'.repeat(140)}`)).toBeNull();
  });

  test.each([
    ['https://example.org/?', 'https://example.org/?campaign='],
    ['example.org/', 'example.org/campaign='],
  ])('of %p holds the host and more', (head, shown) => {
    const beginning = truncateUrl(`${head}${tail}`);
    expect(beginning).toStartWith(shown);
    expect(beginning).toHaveLength(120);
  });

  test.each(['https://', 'http:////', 'https:\\\\', ''])(
    'never ends within the host, after %p',
    (scheme) => {
      const host = `${'www.example.org.'.repeat(15)}evil.example`;
      expect(truncateUrl(`${scheme}${host}/${tail}`)).toBe(`${scheme}${host}`);
      expect(truncateUrl(`${scheme}${host}\\${tail}`)).toBe(`${scheme}${host}`);
    },
  );

  test('never ends within a character', () => {
    const beginning = truncateUrl(`https://example.org/${'a'.repeat(99)}${'😀'.repeat(50)}`);
    expect(beginning).toEndWith('a');
    expect(beginning).toHaveLength(119);
  });
});

describe('a short link of this server would redirect in a loop', () => {
  test.each([
    'https://qr.example.com/0123abcd',
    'http://qr.example.com/0123abcd',
    'HTTPS://QR.EXAMPLE.COM/0123ABCD',
    'https://qr.example.com:443/0123abcd',
    'https://qr.example.com./0123abcd',
    'https://qr.example.com/0123abcd?utm=1#x',
    'https://qr.example.com/%30123abcd',
    'https://qr.example.com/x/../0123abcd',
    'https://qr.example.com/./0123abcd',
    'http://s.example:8080/q/0123abcd',
    'HTTPS://D.EXAMPLE/Q/0123ABCD',
    // A base path that belongs to another host is stripped here as well.
    'https://qr.example.com/q/0123abcd',
    'http://s.example:8080/q/q/0123abcd',
  ])('%s', (url) => {
    expect(parsed(url)).toEqual({ refused: expect.stringContaining('redirect in a loop') });
  });

  test.each([
    'https://qr.example.com/',
    'https://qr.example.com/docs',
    'https://qr.example.com/0123abcd/more',
    'https://qr.example.com/0123abcdef',
    'https://qr.example.com/0123abci',
    'https://other.example.com/0123abcd',
    'http://s.example:8080/0123abcd',
    'http://s.example:8080/qq/0123abcd',
    'http://s.example/q/0123abcd',
    'http://s.example:8081/q/0123abcd',
    'https://qr.example.com:8443/0123abcd',
    'https://qr.example.com/%zz23abcd',
  ])('%s would not', (url) => {
    expect(parsed(url)).toEqual({ accepted: url });
  });
});

/** Texts that look like URLs, most of them wrong somewhere. */
const likely = fc.oneof(
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

describe('whatever is sent', () => {
  test('it is refused as invalid_url, or accepted unchanged', () => {
    fc.assert(
      fc.property(fc.oneof(likely, fc.anything(), fc.string({ unit: 'binary' })), (value) => {
        const outcome = parsed(value);
        if ('accepted' in outcome) expect(outcome.accepted === value).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('what is accepted has a Location in ASCII that leads to the same place', () => {
    let accepted = 0;
    fc.assert(
      fc.property(likely, (value) => {
        const outcome = parsed(value);
        if (!('accepted' in outcome)) return;
        accepted++;
        const location = locationHeader(outcome.accepted);
        expect(location).toMatch(/^https?:\/\/[\x21-\x7e]+$/i);
        expect(new URL(location).href).toBe(new URL(outcome.accepted).href);
        expect(() => new Headers({ Location: location })).not.toThrow();
      }),
      { numRuns: 2000 },
    );
    expect(accepted).toBeGreaterThan(300);
  });

  test('a Location is the destination untouched wherever it is ASCII', () => {
    fc.assert(
      fc.property(fc.webUrl(), (url) => {
        expect(locationHeader(url)).toBe(url);
      }),
    );
    expect(locationHeader('https://example.com/a b'.replace(' ', 'é'))).toBe(
      'https://example.com/a%C3%A9b',
    );
  });

  test('a hostile one of 64 kB is told in no time', () => {
    for (const part of ['a', '@', '/', '%', '\\', '[', '.', '\u2028', 'ü'])
      expect(parsed(`https://${part.repeat(65_536)}`)).toHaveProperty('refused');
  });
});

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { canonicalForms, canonicalize } from '../../src/reputation/url/canonicalize.ts';
import { words } from '../support/words.ts';
import published from './published.json';

// Safe Browsing, "URLs and Hashing", as its reference clients carry them.
test.each(published.canonical)('the published vector %j becomes %j', (url, canonical) => {
  expect(canonicalize(url)).toBe(canonical);
});

const addresses: [host: string, canonical: string][] = [
  ['255.0.0.1', '255.0.0.1'],
  ['12.0x12.01234', '12.18.2.156'],
  ['276.2.3', '20.2.0.3'],
  ['012.034.01.055', '10.28.1.45'],
  ['0x12.0x43.0x44.0x01', '18.67.68.1'],
  ['0X12434401', '18.67.68.1'],
  ['167838211', '10.1.2.3'],
  ['01202001003', '10.8.2.3'],
  ['4294967295', '255.255.255.255'],
  ['0', '0.0.0.0'],
  ['1.0x', '1.0.0.0'],
  ['10.1.515', '10.1.2.3'],
  ['10.66051', '10.1.2.3'],
  ['1.2.3.4.', '1.2.3.4'],
  ['１２７。０．０｡1', '127.0.0.1'],
  ['%31%32%37.1', '127.0.0.1'],
  ['[::ffff:1.2.3.4]', '1.2.3.4'],
  ['[::FFFF:0102:0304]', '1.2.3.4'],
  ['[64:ff9b::1.2.3.4]', '1.2.3.4'],
  ['[0064:FF9B:0:0:0:0:0102:0304]', '1.2.3.4'],
  ['[2001:0db8:0000::1]', '[2001:db8::1]'],
  ['[2001:db8:0:0:0:0:0:1]', '[2001:db8::1]'],
  ['[FEDC:BA98:7654:3210:FEDC:BA98:7654:3210]:80', '[fedc:ba98:7654:3210:fedc:ba98:7654:3210]'],
  ['[::192.9.5.5]', '[::192.9.5.5]'],
  ['[::1]', '[::1]'],
  ['[fe80::1%25en0]', '[fe80::1]'],
  ['user:secret@1.2.3.4:8080', '1.2.3.4'],
];

test.each(addresses)('the address %j is %j', (host, canonical) => {
  expect(canonicalize(`http://${host}/`)).toBe(`http://${canonical}/`);
});

const noAddresses = ['123.123.0.0.1', '1.2.3.00x0', '08.1.2.3', '4294967296', '1.2.3.4x', '0xg.1'];

test.each(noAddresses)('the host %j only looks like an address', (host) => {
  expect(canonicalize(`http://${host}/`)).toBe(`http://${host}/`);
});

const hostless = [
  ...['', ':', '/blah', '#ref', '/blah#ref', '?query#ref', '/blah?query#ref', '/blah;param'],
  ...['http://#ref', 'http:///blah#ref', 'http://?query#ref', 'http:///blah;param?query#ref'],
  ...['mailto:bryner@google.com', 'http:www.google.com:8080/foo.html', 'http://', 'http://...'],
  ...['www.google.com:xxyy/foo.html:80', 'http://a:b:80/', 'http://[::1/', 'http://[evil.com]/'],
  ...['http://[1:2]/', 'http://[]/', 'http://[::1]x/'],
  ...['http://:80/', 'http://user@/', 'javascript:alert(1)'],
];

test.each(hostless)('%j has no host', (url) => {
  expect(canonicalize(url)).toBeNull();
});

test('internationalized names become punycode in any spelling', () => {
  for (const host of words('bücher.de BÜCHER.de b%C3%BCcher.de b%25C3%25BCcher.de bücher。de')) {
    expect(canonicalize(`http://${host}/`)).toBe('http://xn--bcher-kva.de/');
  }
});

test('a name that is not valid UTF-8 or not a valid name is escaped', () => {
  expect(canonicalize('http://%ff%fe.com/')).toBe('http://%FF%FE.com/');
  expect(canonicalize('http://a%C3%BC b.com/')).toBe('http://a%C3%BC%20b.com/');
});

test('a URL that browsers parse differently has two canonical forms', () => {
  const hostsOf = (url: string) => canonicalForms(url).map(({ host }) => host);
  expect(hostsOf('http://evil.com\\@good.com/')).toEqual(['good.com', 'evil.com']);
  expect(hostsOf('http://evil.com%2F@good.com/')).toEqual(['evil.com', 'good.com']);
  expect(hostsOf('http:evil.com/')).toEqual(['evil.com']);
  expect(hostsOf('http://good.com/')).toEqual(['good.com']);
});

const nearUrl = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'http:// %25 %2 %35 .. / \\ ? # @ : [ ] ::1 0x7f 1.2 %00 \t \u00ad é 。'.split(' '),
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

test('canonicalization is idempotent and never throws', () => {
  fc.assert(
    fc.property(fc.oneof(nearUrl, fc.webUrl(), fc.string({ unit: 'binary' })), (text) => {
      const canonical = canonicalize(text);
      canonicalForms(text);
      if (canonical !== null) expect(canonicalize(canonical)).toBe(canonical);
    }),
    { numRuns: 5_000 },
  );
});

test('escapes nested thousands deep are read in linear time', () => {
  const deep = `http://evil.com/${'%3'.repeat(200_000)}35`;
  expect(canonicalize(deep)).toStartWith('http://evil.com/');
  expect(canonicalize(`http://evil.com/%${'25'.repeat(200_000)}41`)).toBe('http://evil.com/A');
});

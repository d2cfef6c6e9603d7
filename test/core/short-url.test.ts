import { describe, expect, test } from 'bun:test';
import { pathPrefixes } from '../../src/core/codes/path.ts';
import {
  codeInShortLink,
  sampleShortLink,
  unservedPrefixes,
} from '../../src/core/codes/urls/short-url.ts';
import { words } from '../support/words.ts';

test('pathPrefixes returns each path once, longer ones first', () => {
  const prefixes = ['https://a.example', 'https://a.example/q', 'https://b.example/q/'];
  expect(pathPrefixes(prefixes)).toEqual(['/q']);
  const nested = ['https://a.example/q', 'https://a.example/q/s', 'https://a.example/q/s/t'];
  expect(pathPrefixes(nested)).toEqual(['/q/s/t', '/q/s', '/q']);
});

test('a dense short link is in capitals', () => {
  expect(sampleShortLink({ shortUrl: 'https://s.example', denseLinks: true })).toMatch(
    /^HTTPS:\/\/S\.EXAMPLE\/[0-9A-HJKMNP-TV-Z]{8}$/,
  );
});

describe('unservedPrefixes', () => {
  test.each([
    ['HTTPS://QR.EXAMPLE.COM/Q', 'https://qr.example.com/Q'],
    ['https://qr.example.com', 'https://qr.example.com'],
  ])('%s is served as %s', (used, served) => {
    expect(unservedPrefixes([used], ['https://other.example', served])).toEqual([]);
  });

  test.each([
    ...words('https://qr.example.com/Q https://qr.example.com http://qr.example.com/q'),
    'https://qr.example.com:8443/q',
  ])('%s is not served as https://qr.example.com/q', (used) => {
    expect(unservedPrefixes([used], ['https://qr.example.com/q'])).toEqual([used]);
  });
});

const prefixes = ['https://a.example', 'https://a.example/q', 'http://127.0.0.1:3000'];

test.each([
  ['https://a.example/abcd1234', 'abcd1234'],
  ['HTTPS://A.EXAMPLE/ABCD1234', 'abcd1234'],
  ['http://a.example/abcd1234', 'abcd1234'],
  ['a.example/Abcd1234', 'abcd1234'],
  ['https://a.example/q/abcd1234', 'abcd1234'],
  ['https://a.example/%71/%61bcd1234', 'abcd1234'],
  ['https://a.example//q//abcd1234', 'abcd1234'],
  ['127.0.0.1:3000/abcd1234', 'abcd1234'],
  ['abcd1234', null],
  ['https://b.example/abcd1234', null],
  ['https://a.example.org/abcd1234', null],
  ['https://a.example/abcd123', null],
  ['https://a.example/abcd1234/more', null],
  ['https://a.example/', null],
  ['', null],
])('codeInShortLink: %p → %p', (text, code) => {
  expect(codeInShortLink(text, prefixes)).toBe(code);
});

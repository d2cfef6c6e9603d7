import { describe, expect, test } from 'bun:test';
import { codeInShortLink, pathPrefixes, unservedPrefixes } from '../../src/core/codes/short-url.ts';

describe('paths in front of the codes', () => {
  test('each once, none where there is none', () => {
    const bases = ['https://a.example', 'https://a.example/q', 'https://b.example/q/'];
    expect(pathPrefixes(bases)).toEqual(['/q']);
  });

  test('one that lies within another comes before it, or a code would be looked for below the other', () => {
    const bases = ['https://a.example/q', 'https://a.example/q/s', 'https://a.example/q/s/t'];
    expect(pathPrefixes(bases)).toEqual(['/q/s/t', '/q/s', '/q']);
  });
});

describe('a base that the settings no longer name', () => {
  test.each([
    ['HTTPS://QR.EXAMPLE.COM/Q', 'https://qr.example.com/Q'],
    ['https://qr.example.com', 'https://qr.example.com'],
  ])('%s is %s', (used, answered) => {
    expect(unservedPrefixes([used], ['https://other.example', answered])).toEqual([]);
  });

  test.each([
    'https://qr.example.com/Q',
    'https://qr.example.com',
    'http://qr.example.com/q',
    'https://qr.example.com:8443/q',
  ])('%s is not https://qr.example.com/q: its codes would lead nowhere', (used) => {
    expect(unservedPrefixes([used], ['https://qr.example.com/q'])).toEqual([used]);
  });
});

describe('the code of a short link', () => {
  const bases = ['https://a.example', 'https://a.example/q', 'http://127.0.0.1:3000'];

  test.each([
    'https://a.example/abcd1234',
    'HTTPS://A.EXAMPLE/ABCD1234',
    'http://a.example/abcd1234',
    'a.example/Abcd1234',
    'https://a.example/q/abcd1234',
    '127.0.0.1:3000/abcd1234',
  ])('is found in %p', (text) => {
    expect(codeInShortLink(text, bases)).toBe('abcd1234');
  });

  test.each([
    'abcd1234',
    'https://b.example/abcd1234',
    'https://a.example.org/abcd1234',
    'https://a.example/abcd123',
    'https://a.example/abcd1234/more',
    'https://a.example/',
    '',
  ])('is not found in %p', (text) => {
    expect(codeInShortLink(text, bases)).toBeNull();
  });
});

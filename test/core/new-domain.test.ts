import { describe, expect, test } from 'bun:test';
import { createNewDomains, findDomain } from '../../src/core/codes/urls/new-domain.ts';

const domains = [
  'https://qr.example.com',
  'https://go.brand.example',
  'http://127.0.0.1:3000',
  'https://xn--brnde-hra.example',
  'https://shop.example/q',
];

describe('a domain is found', () => {
  test.each([
    ['https://go.brand.example', 'https://go.brand.example'],
    ['go.brand.example', 'https://go.brand.example'],
    ['go.brand.example/', 'https://go.brand.example'],
    ['HTTPS://GO.Brand.EXAMPLE/', 'https://go.brand.example'],
    ['https://go.brand.example:443', 'https://go.brand.example'],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['bründe.example', null],
    ['brände.example', 'https://xn--brnde-hra.example'],
    ['BRÄNDE.example', 'https://xn--brnde-hra.example'],
    ['shop.example/q/', 'https://shop.example/q'],
  ])('by %s', (text, url) => {
    expect(findDomain(text, domains)).toBe(url);
  });

  test.each([
    ...['', '/', 'brand.example', 'go.brand.example.', 'http://go.brand.example', 'shop.example'],
    ...['go.brand.example/menu', 'go.brand.example?', 'go.brand.example#', 'go.brand .example'],
    ...['user@go.brand.example', 'go.brand.example:8080', '127.0.0.1', 'go.brand.example\\'],
    ...['//go.brand.example', 'ftp://go.brand.example', 'go', 'go.brand.example//'],
  ])('only by its whole name, not by %j', (text) => {
    expect(findDomain(text, domains)).toBeNull();
  });
});

test('without other domains, the main one alone may be used', async () => {
  const { usable, defaultOf, require } = createNewDomains({ shortUrl: 'https://qr.example.com' });
  expect(await usable(1)).toEqual(['https://qr.example.com']);
  expect(await defaultOf(1, 'Menus')).toBe('https://qr.example.com');
  expect(await require(1, 'https://qr.example.com')).toBe('https://qr.example.com');
  await expect(require(1, 'https://go.brand.example')).rejects.toThrow();
});

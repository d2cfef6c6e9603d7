import { expect, test } from 'bun:test';
import { parseLinkFile } from '../../src/core/codes/imports/parse-file.ts';
import { bitly, bitlyAnswer, importLinks, link, parse, shortsOf, stored } from './sample-links.ts';

test('all printed addresses of a link are read, and its scans once', () => {
  const file = bitlyAnswer([bitly, { ...bitly, link: 'bit.ly/2', custom_bitlinks: [] }]);
  expect(shortsOf(file)).toEqual([
    [1, 'https://go.example.org/3SD8bAQ'],
    [1, 'https://go.example.org/menu'],
    [1, 'https://other.example/Menu'],
    [2, 'https://bit.ly/2'],
  ]);
  const all = parse(
    'bitlink,long_url,clicks,custom_bitlinks\nbit.ly/a,https://a.example,7,"bit.ly/b bit.ly/c"',
  ).links;
  expect(all.map(({ short, isFurther = false }) => [short, isFurther])).toEqual([
    ['https://bit.ly/a', false],
    ['https://bit.ly/b', true],
    ['https://bit.ly/c', true],
  ]);
});

test.each([
  [
    'bitlink,custom_bitlinks,long_url\nbit.ly/a,"bit.ly/b, bit.ly/c",https://a/',
    'bit.ly/a bit.ly/b bit.ly/c',
  ],
  [
    'bitlink,custom_bitlinks,long_url\nbit.ly/a,"[""https://bit.ly/b""]",https://a/',
    'bit.ly/a bit.ly/b',
  ],
  // There is no link without a path.
  ['Short link,Destination URL\ndub.sh,https://a/', 'dub.sh'],
])('the addresses of a row are read from each column that has one: %s', (text, shorts) => {
  expect(parse(text).links[0]?.destination).toBe('https://a/');
  expect(
    shortsOf(text)
      .map(([, one]) => String(one).replace('https://', ''))
      .join(' '),
  ).toBe(shorts);
});

test('the delimiter is the one that makes the first line a header, even if names have more of another', () => {
  const file =
    'path;destination;name\na;https://a.example/?x=1,2,3,4,5;A, b, c\nb;https://a.example;A, b, c, d';
  expect(parseLinkFile(file).links.map(({ short }) => short)).toEqual(['a', 'b']);
});

test('a row that a comma in an address has split is refused', () => {
  const file = 'path,destination,name\na,https://a.example/x,1.html,A\nb,https://a.example/b,B';
  const { links } = parseLinkFile(file);
  expect(links.map(({ problem }) => problem)).toEqual([{ kind: 'split row' }, undefined]);
});

test.each([
  ['path,destination\nqr.example.com/a,https://a.example', ['https://qr.example.com/a']],
  ['path,destination\nv1.2/menu,https://a.example', ['v1.2/menu']],
  ['path,destination\nmenu.page,https://a.example', ['menu.page']],
])('a path that begins with a host is an address: %s', (file, short) => {
  expect(parseLinkFile(file).links.map((link) => link.short)).toEqual(short);
});

test('further addresses in a form that is not known refuse the row', async () => {
  const item = { ...bitly, custom_bitlinks: [{ domain: 's.example', key: 'y' }] };
  const [read = link] = parse(bitlyAnswer([item])).links;
  const problem = { kind: 'addresses not read', name: 'custom_bitlinks' } as const;
  expect(read).toMatchObject({ short: bitly.link, problem });
  expect(await importLinks([read], async () => 1)).toMatchObject({
    created: 0,
    refused: [{ reason: problem }],
  });
});

test('an address that a row has twice is one link', async () => {
  const links = ['https://bit.ly/a', 'https://go.example/a', 'b'].map((one) => ({
    short: one,
    row: 2,
  }));
  expect((await stored(links)).map(({ path }) => path)).toEqual(['a', 'b']);
});

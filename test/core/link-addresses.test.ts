import { expect, test } from 'bun:test';
import { parseLinkFile } from '../../src/core/codes/imports/parse-file.ts';
import { bitly, bitlyAnswer, importLinks, link, parse, shortsOf, stored } from './sample-links.ts';

const { destination } = link;

test('all printed addresses of a link are read, and its scans once', () => {
  const file = bitlyAnswer([bitly, { ...bitly, link: 'bit.ly/2', custom_bitlinks: [] }]);
  expect(shortsOf(file)).toEqual([
    [1, 'https://go.example.org/3SD8bAQ'],
    [1, 'https://go.example.org/menu'],
    [1, 'https://other.example/Menu'],
    [2, 'https://bit.ly/2'],
  ]);
  const all = parse('path,destination,clicks,aliases\na,https://a.example,7,b c').links;
  expect(all.map(({ short, isFurther = false }) => [short, isFurther])).toEqual([
    ['a', false],
    ['b', true],
    ['c', true],
  ]);
});

test.each([
  [
    'bitlink,custom_bitlinks,long_url\nbit.ly/a,"bit.ly/b, bit.ly/c",https://a/',
    'bit.ly/a bit.ly/b bit.ly/c',
  ],
  ['Link,Custom back-half,Long URL\nbit.ly/a,menu,https://a/', 'bit.ly/a bit.ly/menu'],
  ['Link,Back half,Long URL\nbit.ly/a,menu,https://a/', 'bit.ly/a bit.ly/menu'],
  ['Link,Back half,Long URL\nbit.ly/menu,menu,https://a/', 'bit.ly/menu'],
  ['Short URL,Slug,Destination\ns.example/K%C3%A4se,Käse,https://a/', 's.example/K%C3%A4se'],
  ['shortUrl,domain.fullName,slashtag,destination\nr.ly/x,r.ly,x,https://a/', 'r.ly/x'],
  ['path,source,destination\nx,newsletter,https://a/', 'x'],
  ['domain,path,destination\nhttps://s.example/,/x,https://a/', 's.example/x'],
  ['domainName,slashtag,destination\ns.example,x,https://a/', 's.example/x'],
  // Of Linkly, AltumCode, Zipline, and of a program that writes a list into a cell.
  ['url,full_url,slug,domain\nhttps://a/,https://s.example/x,/x,s.example', 's.example/x'],
  ['url,location_url,full_url\nx,https://a/,https://s.example/x', 's.example/x'],
  ['code,vanity,destination\nx,menu,https://a/', 'x menu'],
  [
    'link,custom_bitlinks,long_url\nbit.ly/a,"[""https://bit.ly/b""]",https://a/',
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
  ['qr.example.com/a,https://a.example,301', ['https://qr.example.com/a']],
  ['path,destination\nv1.2/menu,https://a.example', ['v1.2/menu']],
  ['path,destination\nmenu.page,https://a.example', ['menu.page']],
  [
    'path,domain,destination\nmenu.page/a,q.example,https://a.example',
    ['https://q.example/menu.page/a'],
  ],
  ['source,target,code\n/a,https://a.example,301', ['/a']],
  ['source,target,code\nhttps://q.example/301,https://a.example,301', ['https://q.example/301']],
  ['code,target\n301,https://a.example', ['301']],
])(
  'a path that begins with a host is an address, and the status of a redirect is no path: %s',
  (file, short) => {
    expect(parseLinkFile(file).links.map((link) => link.short)).toEqual(short);
  },
);

test('further addresses in a form that is not known refuse the row', async () => {
  const item = { slug: 'x', destination, aliases: [{ domain: 's.example', key: 'y' }] };
  const [read = link] = parse(JSON.stringify([item])).links;
  const problem = { kind: 'addresses not read', name: 'aliases' } as const;
  expect(read).toMatchObject({ short: 'x', problem });
  expect(await importLinks([read], async () => 1)).toMatchObject({
    created: 0,
    refused: [{ reason: problem }],
  });
});

test.each([
  [{ slug: 'a', alias: 'menu' }, ['a', 'menu']],
  [{ shortCode: 'a', customSlug: 'menu' }, ['a', 'menu']],
  [
    { short_url: 'https://s.example/a', custom_slug: 'menu' },
    ['https://s.example/a', 'https://s.example/menu'],
  ],
  [
    { shortUrl: 'https://s.example/a', brandedUrl: 'go.example/b' },
    ['https://s.example/a', 'https://go.example/b'],
  ],
  [{ slug: 'a', previous_slugs: ['b', 'c'] }, ['a', 'b', 'c']],
  [{ shortUrl: 'https://s.example/a', slug: 'a' }, ['https://s.example/a']],
  [{ slug: 'a', custom_slug: '-' }, ['a']],
  [{ slug: 'a', custom_slug: 'None' }, ['a']],
])('each path of a link is one of its addresses: %j', (fields, short) => {
  const { links, ignoredColumns } = parse(JSON.stringify([{ ...fields, long_url: destination }]));
  expect(links.map((link) => link.short)).toEqual(short);
  expect(ignoredColumns).toEqual([]);
});

test('a row is refused if its alias has spaces, because it may be a name', () => {
  const [link, ...others] = parse(
    JSON.stringify([{ slug: 'a', alias: 'The menu', long_url: destination }]),
  ).links;
  expect(link?.problem).toEqual({ kind: 'addresses not read', name: 'alias' });
  expect(others).toEqual([]);
});

test('an address that a row has twice is one link', async () => {
  const links = ['https://bit.ly/a', 'https://go.example/a', 'b'].map((one) => ({
    short: one,
    row: 2,
  }));
  expect((await stored(links)).map(({ path }) => path)).toEqual(['a', 'b']);
});

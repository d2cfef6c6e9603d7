import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { mapLinkLabels } from '../../src/core/codes/fields.ts';
import { createLinkImports } from '../../src/core/codes/imports/link-imports.ts';
import { parseLinkFile } from '../../src/core/codes/imports/parse-file.ts';
import type { ForeignLink, LinkSource } from '../../src/core/codes/imports/sources.ts';
import type { LinkImportStore, NewLink } from '../../src/core/codes/ports.ts';
import { readSheet } from '../../src/core/codes/tables/text-file.ts';
import { Refused } from '../../src/core/errors.ts';
import { acting } from '../stores/rows.ts';
import { refusalOf } from '../support/refusal.ts';
import { rejectionOf } from '../support/rejection.ts';
import { xlsx } from '../support/spreadsheets.ts';
import { words } from '../support/words.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const parse = (text: string, source: LinkSource | null = null) =>
  parseLinkFile(bytes(text), source);

const link = {
  row: 2,
  short: 'https://qr.example.com/menu-7',
  destination: 'https://example.com/menu',
  ...mapLinkLabels(() => ''),
  scans: '120',
  created: '',
  lastScan: '',
};

const shortUrl = 'https://qr.example.com';

/** Imports links like {@link link} into a store. */
const importLinks = (
  links: readonly Partial<ForeignLink>[],
  add: LinkImportStore['add'],
  prefixes = [shortUrl],
) =>
  createLinkImports({
    store: { taken: async () => [], reserved: async () => [], add },
    checkDestination: async () => ({ destination: link.destination, needsRecheck: false }),
    shortUrl,
    prefixes,
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    sleep: async () => {},
  }).run(
    acting(1),
    {
      ...{ source: 'csv', broken: [], ignoredColumns: [], notices: [] },
      links: links.map((one, at) => ({ ...link, short: `link ${at}`, row: at + 2, ...one })),
    },
    { isDryRun: false, onlyGood: false },
  );

/** Imports links, and returns what is stored. */
async function stored(
  links: readonly Partial<ForeignLink>[],
  prefixes?: string[],
): Promise<NewLink[]> {
  const added: NewLink[] = [];
  const add = async (_: unknown, some: readonly NewLink[]) => added.push(...some);
  await importLinks(links, add, prefixes);
  return added;
}

test('a path is what the server looks up: without the longest path of a base URL', async () => {
  const expected = {
    'https://qr.example.com/q/r/one': ['one', `${shortUrl}/q/r`],
    'qr.example.com/q/two': ['two', `${shortUrl}/q`],
    'https://old.example.com/q/three': ['three', null],
    '/q/r/four': ['four', null],
    'https://qr.example.com/queue': ['queue', shortUrl],
  };
  const added = await stored(
    Object.keys(expected).map((short) => ({ short })),
    [shortUrl, `${shortUrl}/q`, `${shortUrl}/q/r`],
  );
  expect(added.map(({ path, prefix }) => [path, prefix])).toEqual(Object.values(expected));
});

test('numbers of scans are read as people of many countries write them', async () => {
  const texts = ['1234', '1,234', '1.234', '1 234', '1\u00a0234', '1\u202f234', "1'234", '1’234'];
  texts.push('1234.0');
  const added = await stored(texts.map((scans) => ({ scans })));
  expect(added.map(({ scans }) => scans)).toEqual(texts.map(() => 1234));
});

test('an import whose paths another process creates meanwhile says what it has created', async () => {
  let created = 0;
  const run = (addsBefore: number) =>
    importLinks(Array(600).fill({}), async (_, links) => {
      if (created >= addsBefore) return false;
      created += links.length;
      return 1;
    });
  const conflict = (created: number) => ({ reason: { kind: 'paths created meanwhile', created } });
  expect(await rejectionOf(run(0))).toMatchObject(conflict(0));
  expect(await rejectionOf(run(1))).toMatchObject(conflict(250));
  expect(await run(Number.POSITIVE_INFINITY)).toMatchObject({ rows: 600, created: 600 });
});

const createdAt = '2024-05-01T12:00:00.000Z';
const { short, destination } = link;

test.each<[string, LinkSource, file: string, fields: Partial<typeof link>, ignored?: string[]]>([
  [
    'shlink-web-client',
    'shlink',
    `"createdAt","domain","shortCode","shortUrl","longUrl","title","tags","visits"
"2024-05-01T12:00:00+02:00","qr.example.com","menu-7","${short}","${destination}","Menu, ""big""","a|b","120"`,
    { name: 'Menu, "big"', created: '2024-05-01T12:00:00+02:00' },
    ['tags'],
  ],
  [
    'the API of Shlink',
    'shlink',
    `{"shortUrls":{"data":[{"shortCode":"menu-7","shortUrl":"${short}","longUrl":"${destination}","dateCreated":"2024-05-01T12:00:00+02:00","visitsSummary":{"total":120,"nonBots":100,"bots":20},"tags":[],"meta":{"validSince":null},"domain":null,"title":null}],"pagination":{"currentPage":1}}}`,
    { row: 1, created: '2024-05-01T12:00:00+02:00' },
    ['visitsSummary.nonBots', 'visitsSummary.bots', 'tags', 'meta'],
  ],
  [
    'the API of Kutt',
    'kutt',
    `{"limit":10,"skip":0,"total":1,"data":[{"address":"menu-7","banned":false,"created_at":"${createdAt}","id":"7d1","link":"${short}","target":"${destination}","description":"at the door","visit_count":120}]}`,
    { row: 1, note: 'at the door', created: createdAt },
    ['id'],
  ],
  [
    'the table of Kutt',
    'kutt',
    `id;domain_id;address;target;visit_count;created_at
7;;menu-7;${destination};120;2024-05-01 12:00:00`,
    { short: 'menu-7', created: '2024-05-01 12:00:00' },
    ['id', 'domain_id'],
  ],
  [
    'the table of YOURLS',
    'yourls',
    `keyword,url,title,timestamp,ip,clicks
menu-7,${destination},The menu,2024-05-01 12:00:00,127.0.0.1,120`,
    { short: 'menu-7', name: 'The menu', created: '2024-05-01 12:00:00' },
    ['ip'],
  ],
  [
    'the API of YOURLS',
    'yourls',
    `{"links":{"link_1":{"shorturl":"${short}","url":"${destination}","title":"Menu","timestamp":"2024-05-01 12:00:00","ip":"::1","clicks":"120"}},"stats":{"total_links":"1"}}`,
    { row: 1, name: 'Menu', created: '2024-05-01 12:00:00' },
    ['ip'],
  ],
  [
    'Dub',
    'dub',
    `Short link,Destination URL,Clicks,Created at,Tags
${short},${destination},120,${createdAt},`,
    { created: createdAt },
    ['Tags'],
  ],
  [
    'the API of Dub',
    'dub',
    `[{"domain":"qr.example.com","key":"menu-7","url":"${destination}","clicks":120,"createdAt":"${createdAt}","lastClicked":"2024-06-01T12:00:00.000Z","title":"Menu","comments":"door"}]`,
    {
      row: 1,
      name: 'Menu',
      note: 'door',
      created: createdAt,
      lastScan: '2024-06-01T12:00:00.000Z',
    },
  ],
  [
    'Bitly',
    'csv',
    `bitlink,long_url,title,created,clicks
bit.ly/3abcDEF,${destination},"B",${createdAt},10`,
    { short: 'https://bit.ly/3abcDEF', name: 'B', created: createdAt, scans: '10' },
  ],
  [
    'the API of Bitly',
    'csv',
    `{"links":[{"created_at":"${createdAt}","id":"bit.ly/3abcDEF","link":"https://bit.ly/3abcDEF","long_url":"${destination}","title":"B","tags":[]}]}`,
    { row: 1, short: 'https://bit.ly/3abcDEF', name: 'B', created: createdAt, scans: '' },
    ['id', 'tags'],
  ],
  [
    'Rebrandly',
    'csv',
    `id,title,slashtag,destination,createdAt,shortUrl,domain.fullName,clicks,lastClickAt
1,B,x,${destination},${createdAt},rebrand.ly/x,rebrand.ly,7,2023-06-05T10:00:00.000Z`,
    {
      short: 'https://rebrand.ly/x',
      name: 'B',
      created: createdAt,
      scans: '7',
      lastScan: '2023-06-05T10:00:00.000Z',
    },
    ['id'],
  ],
  [
    'Short.io',
    'csv',
    `{"links":[{"originalURL":"${destination}","path":"x","shortURL":"https://go.example/x","title":"B","createdAt":"${createdAt}"}]}`,
    { row: 1, short: 'https://go.example/x', name: 'B', created: createdAt, scans: '' },
  ],
  [
    'TinyURL',
    'csv',
    `{"data":[{"domain":"tinyurl.com","alias":"x","tiny_url":"https://tinyurl.com/x","url":"${destination}","created_at":"${createdAt}","hits":7}]}`,
    { row: 1, short: 'https://tinyurl.com/x', created: createdAt, scans: '7' },
  ],
])('the export of %s is read', (_, source, file, fields, ignoredColumns = []) => {
  expect(parse(file)).toEqual({
    source,
    links: [{ ...link, ...fields }],
    broken: [],
    ignoredColumns,
    notices: [],
  });
});

/** Returns the printed addresses of the links of a file. */
const shortsOf = (file: string) => parse(file).links.map((one) => [one.row, one.short]);

const bitly = {
  created_at: '2020-10-26T17:20:40+0000',
  id: 'go.example.org/3SD8bAQ',
  link: 'https://go.example.org/3SD8bAQ',
  custom_bitlinks: ['https://go.example.org/menu', 'https://other.example/Menu'],
  long_url: destination,
  title: 'Menu',
  archived: false,
  created_by: 'someone',
  client_id: '0000',
  tags: ['print'],
  deeplinks: [],
  references: { group: 'https://api-ssl.bitly.com/v4/groups/Bk0' },
};
const bitlyAnswer = (links: object[], total = links.length) =>
  JSON.stringify({ links, pagination: { prev: '', next: '', size: 50, page: 1, total } });

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
  expect(parseLinkFile(file, null).links.map(({ short }) => short)).toEqual(['a', 'b']);
});

test('a row that a comma in an address has split is refused', () => {
  const file = 'path,destination,name\na,https://a.example/x,1.html,A\nb,https://a.example/b,B';
  const { links } = parseLinkFile(file, null);
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
    expect(parseLinkFile(file, null).links.map((link) => link.short)).toEqual(short);
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

test('every field of a document that is not read is named', () => {
  expect(parse(bitlyAnswer([bitly])).ignoredColumns).toEqual([
    'id',
    'created_by',
    'client_id',
    'tags',
    'deeplinks',
    'references',
  ]);
  const shortIo = {
    ...{ originalURL: destination, path: 'x', shortURL: 'https://go.example/x', DomainId: 7 },
    ...{ cloaking: null, redirectType: 302, androidURL: null, expiresAt: null, archived: false },
  };
  expect(parse(JSON.stringify({ links: [shortIo], count: 1 })).ignoredColumns).toEqual([
    'DomainId',
    'cloaking',
    'redirectType',
    'androidURL',
    'expiresAt',
  ]);
});

test.each<[string, object, string | undefined]>([
  ['archived', { archived: true }, 'archived'],
  ['archived', { archived: 1 }, 'archived'],
  ['archived', { isArchived: 'true' }, 'archived'],
  ['archived', { archived: false }, undefined],
  ['banned', { banned: true }, 'banned'],
  ['banned', { banned: false, password: false }, undefined],
  ['disabledAt', { disabledAt: '2024-01-01T00:00:00Z' }, 'disabled'],
  ['disabledAt', { disabledAt: null, password: null }, undefined],
  ['status', { status: 'disabled' }, 'disabled'],
  ['status', { status: 'active' }, undefined],
  ['status', { status: 301 }, undefined],
  ['deleted', { deleted: true, archived: true }, 'deleted'],
  ['isActive', { isActive: false }, 'disabled'],
  ['isActive', { isActive: true }, undefined],
  ['is_disabled', { is_disabled: '1' }, 'disabled'],
  ['password', { password: 'secret' }, 'password'],
  ['password', { password: true }, 'password'],
  ['hasPassword', { hasPassword: true }, 'password'],
  ['password', { password: 'NULL' }, undefined],
  ['secret_key', { secret_key: 'x9Kf' }, 'password'],
  ['password', { password: 'no-entry' }, 'password'],
  ['passwordProtected', { passwordProtected: 'Not set' }, undefined],
  ['suspended_at', { suspended_at: 1700000000 }, 'banned'],
  ['deleted_at', { deleted_at: '0001-01-01T00:00:00Z' }, undefined],
  ['hidden', { hidden: 'TRUE' }, 'archived'],
  ['archived', { archived: 'FALSCH' }, undefined],
  ['active', { active: 'WAHR' }, undefined],
  ['active', { active: 'FAUX' }, 'disabled'],
  ['locked', { locked: true }, 'disabled'],
  ['enabled', { enabled: 'disabled' }, 'disabled'],
  ['activated_at', { activated_at: '2024-01-01' }, undefined],
  ['settings', { settings: { password: 'x' } }, 'password'],
  ['status', { status: { value: 'blocked', label: 'Blocked' } }, 'banned'],
  ['domain', { domain: { active: false } }, undefined],
  ['status', { status: 0 }, 'disabled'],
  ['status', { status: 'not active' }, 'disabled'],
  ['status', { status: 'limit reached' }, 'unknown'],
  ['status', { status: 'Live' }, undefined],
  ['rowStatus', { rowStatus: 'ARCHIVED' }, 'archived'],
  ['Status', { 'Current status (QR code)': 'Paused' }, 'disabled'],
  // It may be that of an address.
  ['state', { state: 'Ohio' }, undefined],
  ['state', { state: 'DEACTIVATED' }, 'disabled'],
  ['Estado', { Estado: 'Sonora' }, undefined],
  ['Estado', { Estado: 'Inactivo' }, 'disabled'],
  ['Aktiv', { Aktiv: 'Nein' }, 'disabled'],
  ['Archiviert', { Archiviert: 'Ja' }, 'archived'],
  ['Statut', { Statut: 'Actif' }, undefined],
  ['Statut', { Statut: 'Désactivé' }, 'disabled'],
  ['Статус', { Статус: 'активна' }, undefined],
  ['Passwort', { Passwort: 'geheim' }, 'password'],
  ['draft', { draft: true }, 'disabled'],
])('the state of a link is read from %s: %j', (_, fields, inactive) => {
  const item = { link: 'https://s.example/x', long_url: destination, ...fields };
  expect(parse(JSON.stringify([item])).links[0]?.inactive).toBe(inactive as undefined);
  const [name = '', value] = Object.entries(fields)[0] ?? [];
  const table = `path,destination,${name}\nx,${destination},${value ?? ''}`;
  if (Object.keys(fields).length === 1 && typeof value !== 'object')
    expect(parse(table).links[0]?.inactive).toBe(inactive as undefined);
});

test('a link that is over or has not begun is imported paused', async () => {
  // The clock of the test stands at 1970.
  const [past, future] = ['1960-01-01', '1980-01-01T00:00:00Z'];
  const cases: [Partial<ForeignLink>, 'active' | 'paused'][] = [
    [{ expires: '1970-01-01' }, 'paused'],
    [{ expires: future }, 'active'],
    [{ starts: future }, 'paused'],
    [{ starts: past }, 'active'],
    [{ maxScans: '120' }, 'paused'],
    [{ maxScans: '121' }, 'active'],
    [{ inactive: 'banned' }, 'paused'],
    [{ expires: 'soon' }, 'paused'],
    [{ maxScans: '120', isFurther: true }, 'paused'],
    [{}, 'active'],
  ];
  const links = await stored(cases.map(([fields]) => fields));
  expect(links.map(({ status }) => status)).toEqual(cases.map(([, status]) => status));
  const meta = { validSince: '2030-01-01', validUntil: '2031-01-01', maxVisits: 9 };
  const shlink = { shortCode: 'x', shortUrl: 'https://s.example/x', longUrl: destination, meta };
  expect(parse(JSON.stringify({ shortUrls: { data: [shlink] } })).links).toMatchObject([
    { starts: '2030-01-01', expires: '2031-01-01', maxScans: '9' },
  ]);
});

test.each([
  ...['expiry_time', 'expire_at_datetime', 'expiresAt', 'expiredAt', 'Expiration date', 'End date'],
  ...[
    'Ablaufdatum',
    'Gültig bis',
    'Date d’expiration',
    'valid_to',
    'expire_in',
    'settings.expires_on',
    'Link expiration date and time (UTC)',
  ],
])('the end of a link is read from %s', (name) => {
  const endOf = (value: string) =>
    parse(`path,destination,${name}\nx,${destination},${value}`).links[0]?.expires;
  expect(endOf('2024-01-01')).toBe('2024-01-01');
  for (const none of ['', '0', '-1', 'Never', 'No expiry', '0001-01-01T00:00:00Z'])
    expect([none, endOf(none)]).toEqual([none, undefined]);
});

test.each([
  'expire_at_views',
  'clicksLimit',
  'maxViews',
  'Max hits',
  'scan limit',
  'expireAfterVisits',
])('the maximum of scans is read from %s', (name) => {
  const table = `path,destination,${name}\nx,${destination},5`;
  expect(parse(table).links).toMatchObject([{ maxScans: '5' }]);
});

test('what a link does at the other service alone is named by its rows', async () => {
  const url = 'https://apps.example/x';
  const cases: [object, string[] | undefined][] = [
    [{ ios: url, geo: { US: url } }, ['targeted']],
    [{ ios: null, geo: null, deviceLongUrls: { android: null }, rules: [] }, undefined],
    [{ deviceLongUrls: { android: url } }, ['targeted']],
    [{ hasRedirectRules: true }, ['targeted']],
    [{ meta: { smart_urls: [{ type: 'US', url }] } }, ['targeted']],
    [{ iphoneURL: url, utmSource: 'flyer' }, ['targeted', 'parameters']],
    [{ splitPercent: 30 }, ['targeted']],
    [{ redirects: [{ country: 'US', url }] }, ['targeted']],
    [{ redirects: 7 }, undefined],
    [{ cloaking: false, utm_source: 'a', utm_id: '' }, undefined],
    [{ android: true, country: 'DE' }, undefined],
  ];
  const items = cases.map(([fields], at) => ({
    ...{ slug: `x${at}`, destination: 'https://example.com/?utm_source=a', ...fields },
    ...('utmSource' in fields && { destination }),
  }));
  const links = parse(JSON.stringify(items)).links;
  expect(links.map(({ differences }) => differences as unknown)).toEqual(cases.map(([, is]) => is));
  const differing = await importLinks(
    [{ differences: ['targeted'] }, { expires: '1980-01-01' }, { expires: '1960-01-01' }],
    async () => 1,
  );
  expect(differing).toMatchObject({
    differing: [
      { row: 2, difference: 'targeted' },
      { row: 3, difference: 'ends' },
    ],
    paused: [{ row: 4, reason: 'expired' }],
  });
});

test.each<[string, (list: object[]) => object, ReturnType<typeof pagesOf>]>([
  ['Bitly', (links) => ({ links, pagination: { next: '', total: 2 } }), {}],
  [
    'Bitly, of pages',
    (links) => ({ links, pagination: { next: 'x', total: 172 } }),
    { total: 172, more: 'said' },
  ],
  [
    'Bitly today',
    (links) => ({ links, pagination: { next: '', search_after: 'x' } }),
    { more: 'said' },
  ],
  ['Kutt', (data) => ({ limit: 2, skip: 0, total: 3, data }), { total: 3 }],
  ['YOURLS', (links) => ({ links, stats: { total_links: '1,234' } }), { total: 1234 }],
  [
    'Shlink',
    (data) => ({ shortUrls: { data, pagination: { pagesCount: 2, totalItems: 4 } } }),
    { total: 4, more: 'said' },
  ],
  [
    'Shlink, the only page',
    (data) => ({ shortUrls: { data, pagination: { pagesCount: 1, totalItems: 2 } } }),
    {},
  ],
  ['Short.io', (links) => ({ links, count: 2, nextPageToken: null }), {}],
  [
    'T.LY',
    (data) => ({ current_page: 1, data, last_page: 9, next_page_url: 'x', total: 18 }),
    { total: 18, more: 'said' },
  ],
  ['Sink', (links) => ({ links, list_complete: false, cursor: 'x' }), { more: 'said' }],
  ['Sink, the last page', (links) => ({ links, list_complete: true, cursor: 'x' }), {}],
  [
    'all pages of Bitly',
    (links) =>
      links.map((one, at) => ({
        links: [one],
        pagination: { next: at === 0 ? 'x' : '', total: 2 },
      })),
    {},
  ],
  ['all pages of Dub', (links) => links.map((one) => [one]), {}],
])('the pages of %s are known', (_, answerOf, pages) => {
  const list = ['a', 'b'].map((slug) => ({ slug, destination }));
  expect(pagesOf(JSON.stringify(answerOf(list)))).toEqual(pages);
});

test('a bare list that is as long as a page may be one', () => {
  const listOf = (length: number) =>
    Array.from({ length }, (_, at) => ({ slug: `x${at}`, destination }));
  const moreOf = (document: object) => parse(JSON.stringify(document)).more;
  const expected: (string | undefined)[] = ['likely', undefined, 'likely', 'likely'];
  expect<typeof expected>([25, 26, 50, 100].map((length) => moreOf(listOf(length)))).toEqual(
    expected,
  );
  expect(moreOf({ links: listOf(100), total: 100 })).toBeUndefined();
  expect(moreOf([listOf(100), listOf(25)])).toBeUndefined();
});

/** Returns what the answer with two links says of its pages. */
function pagesOf(file: string): { total?: number; more?: 'said' | 'likely' } {
  const { links, total, more } = parse(file);
  expect(links.map(({ row, short }) => [row, short])).toEqual([
    [1, 'a'],
    [2, 'b'],
  ]);
  return { ...(total !== undefined && { total }), ...(more !== undefined && { more }) };
}

test('JSON never fails otherwise than in words, whatever its values are', () => {
  const names = fc.constantFrom(
    ...words(
      'link long_url url full_url path destination domain status archived expires_at password',
    ),
    ...words('aliases geo utm_source max_visits total next last total_pages data link_1'),
    ...words('constructor __proto__ toString valueOf'),
  );
  const values = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue({ maxDepth: 0 }),
      fc.constantFrom('https://a.example/x', 'paused', '2020-01-01', '[{"a":1}]'),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(names, tie('value'), { maxKeys: 7 }),
    ),
  })).value;
  const items = fc.array(fc.dictionary(names, values, { minKeys: 2 }), {
    minLength: 1,
    maxLength: 4,
  });
  let read = 0;
  fc.assert(
    fc.property(items, values, (list, total) => {
      try {
        for (const one of parse(JSON.stringify({ list, total })).links) {
          read++;
          for (const text of [one.short, one.destination, one.scans])
            expect(typeof text).toBe('string');
        }
      } catch (error) {
        expect(error).toBeInstanceOf(Refused);
      }
    }),
    { numRuns: 500 },
  );
  expect(read).toBeGreaterThan(20);
});

test('a list of links is found behind another list', () => {
  const file = JSON.stringify({ tags: [{ id: 1, name: 'print' }], links: [bitly] });
  expect(shortsOf(file)).toHaveLength(3);
});

test('the other columns of a table are named', () => {
  const text = 'path,ID,destination,,Tags\na,1,https://a.example,,x';
  expect(parse(text).ignoredColumns).toEqual(['ID', 'Tags']);
});

describe('a table', () => {
  test.each([
    ['path,destination,name\nmenu-7,https://example.com/menu,Table 7', 'menu-7'],
    ['\ufeffPfad;path;Destination;Name\r\n1;menu-7;https://example.com/menu;Table 7\r\n', 'menu-7'],
    [
      'short_url\turl\ttitle\nhttps://qr.example.com/menu-7\thttps://example.com/menu\tTable 7',
      link.short,
    ],
    [
      'url,destination,name\nhttps://qr.example.com/menu-7,https://example.com/menu,Table 7',
      link.short,
    ],
    ['sep=;\nslug;target;label\nmenu-7;https://example.com/menu;Table 7', 'menu-7'],
    ['menu-7,https://example.com/menu,Table 7', 'menu-7'],
  ])('%j is read', (text, short) => {
    expect(parse(text)).toMatchObject({
      source: 'csv',
      links: [{ short, destination: link.destination, name: 'Table 7' }],
      broken: [],
    });
  });

  test('rows count from the first one, and broken and empty ones are told apart', () => {
    const { links, broken } = parse(
      'path,destination\na,https://a.example\n\n"b,https://b.example\nc,https://c.example',
    );
    expect(links.map(({ row }) => row)).toEqual([2, 5]);
    expect(broken).toEqual([4]);
  });

  test('the chosen service decides which columns are read', async () => {
    const text = 'keyword,url,title\na,https://a.example,T';
    expect(parse(text).source).toBe('yourls');
    expect(parse(text, 'csv').links[0]).toMatchObject({ short: 'a', name: 'T' });
    const { said } = await refusalOf(() => parse(text, 'kutt'));
    expect(said).toContain('does not name the columns');
  });
});

test.each([
  ['', 'no link'],
  ['path,destination\n', 'no link'],
  ['just some text\nin lines', 'does not name the columns'],
  ['name,note\na,b', 'does not name the columns'],
  ['{"links": []}', 'no list of links'],
  ['[1, 2]', 'no list of links'],
  ['[{"a": 1}]', 'no short address or no destination, but "a". Rename'],
  ['{"menu": {"url": "https://a/"}}', 'no list of links'],
  // More lists than pages, each of which would be tried.
  [JSON.stringify(Array.from({ length: 100_000 }, () => [{ a: 1 }])), 'no list of links'],
  ['{"path": "a", "destination": "https://a/"}\n{"path": "b"}', 'several answers'],
  [
    '{"live":[{"path":"a","url":"b"}],"old":[{"path":"a","url":"b"}]}',
    'several lists of links: "live", "old"',
  ],
  ['{"broken', 'broken'],
  ['PK\u0003\u0004zip', 'another ZIP file'],
  ['path,destination\na\0b,c', 'file is not text'],
  [`path${',x'.repeat(100_000)}`, 'columns'],
  [`path,destination\n${'a,https://a.example\n'.repeat(50_001)}`, 'more than 50,000 links'],
])('%.30j is refused in words', async (text, reason) => {
  expect((await refusalOf(() => parse(text))).said).toContain(reason);
});

test.each([
  '-- MySQL dump 10.13\n\nDROP TABLE IF EXISTS `yourls_url`;\nCREATE TABLE `yourls_url` (\n  `keyword` varchar(100)\n);',
  "-- phpMyAdmin SQL Dump\nINSERT INTO `yourls_url` (`keyword`, `url`) VALUES\n('a', 'https://a.example');",
  "insert ignore into yourls_url values ('a', 'https://a.example');",
  '--\n-- PostgreSQL database dump\n--\nSET statement_timeout = 0;\nCOPY public.links (id, address) FROM stdin;\n1\ta',
  'PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE links (id integer);',
])('the dump %.30j is refused with how to export CSV', async (text) => {
  for (const source of [null, 'yourls', 'csv'] as const)
    expect((await refusalOf(() => parse(text, source))).said).toMatch(
      /SQL dump.*as CSV with a header row.*Moving in/,
    );
});

test.each([
  ['Bitly', 'Created Date,Title,Link,Long URL,Engagements\n2023-05-05,Menu,bit.ly/m,https://a/,7'],
  ['Cuttly', 'Short link,Full link,Title,Clicks,Date\ncutt.ly/m,https://a/,Menu,7,2023-05-05'],
  [
    'a QR service',
    'QR Name,QR URL,Target URL,Scans,Created\nMenu,https://q.co/m,https://a/,7,2023-05-05',
  ],
  ['phpMyAdmin', 'keyword;url;title;timestamp;clicks\nm;https://a/;NULL;2023-05-05;7'],
  ['a plugin of YOURLS', 'Keyword,URL,Title,Date,Clicks\nm,https://a/,Menu,2023-05-05,7'],
  ['German', 'Pfad;Ziel;Name;Aufrufe;Erstellt\nm;https://a/;Menu;7;2023-05-05'],
])('the columns of %s are known', (_, text) => {
  const [row] = parse(text).links;
  expect(row).toMatchObject({ destination: 'https://a/', scans: '7', created: '2023-05-05' });
  expect(row?.short).toMatch(/(^|\/)m$/);
  expect(row?.name.replace('Menu', '')).toBe('');
  expect(parse(text).ignoredColumns).toEqual([]);
});

test('NULL is an empty cell, but a path as good as any', () => {
  expect(parse('path,destination,name\nNULL,https://a/,NULL').links).toMatchObject([
    { short: 'NULL', destination: 'https://a/', name: '' },
  ]);
});

test('fields are read that only a late link of a list has', () => {
  const links = Array.from({ length: 150 }, (_, at) => ({
    address: `m${at}`,
    target: 'https://a/',
    description: at === 149 ? 'by the window' : null,
  }));
  expect(parse(JSON.stringify({ data: links })).links.at(-1)).toMatchObject({
    short: 'm149',
    note: 'by the window',
  });
});

test('a row of spaces in a sheet is empty', () => {
  const cells = (...texts: string[]) => texts.map((text) => ({ text, link: null }));
  const rows = [
    { row: 1, cells: cells('path', 'destination') },
    { row: 2, cells: cells(' ', '\u00a0') },
    { row: 3, cells: cells('m', 'https://a/') },
  ];
  expect(parseLinkFile({ sheet: 'Links', otherSheets: [], rows }, null).links).toMatchObject([
    { row: 3, short: 'm' },
  ]);
});

test('a sheet of a spreadsheet is read, with the links of its cells', async () => {
  const rows = [
    ['Short link', 'Long URL', 'Title', 'Created', 'Clicks'],
    ['bit.ly/abc', 'https://example.com/a', 'A', '<c s="1"><v>45051.5</v></c>', '<c><v>12</v></c>'],
    ['bit.ly/d', '<c t="str"><f>HYPERLINK("https://example.com/d","here")</f><v>here</v></c>', 'D'],
  ];
  const sheets = [
    { name: 'Links', rows },
    { name: 'Other', rows: [] },
  ];
  const formats = '<cellXfs><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs>';
  const file = xlsx(sheets, { 'xl/styles.xml': `<styleSheet>${formats}</styleSheet>` });
  expect(
    parseLinkFile(await readSheet(file, undefined, { maxBytes: 1_000_000, maxRows: 100 }), null),
  ).toMatchObject({
    source: 'csv',
    links: [
      {
        short: 'https://bit.ly/abc',
        destination: 'https://example.com/a',
        name: 'A',
        created: '2023-05-05T12:00:00',
        scans: '12',
      },
      { short: 'https://bit.ly/d', destination: 'https://example.com/d', name: 'D' },
    ],
    notices: [{ kind: 'sheet read', sheet: 'Links', others: 1 }],
  });
});

test('other encodings are read', () => {
  const text = 'path,destination,name\nmenu-7,https://example.com/menu,Käse';
  for (const [encoding, file] of [
    ['Windows-1252', Buffer.from(text, 'latin1')],
    ['UTF-16LE', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16LE', Buffer.from(text, 'utf16le')],
    ['UTF-16BE', Buffer.from(text, 'utf16le').swap16()],
  ] as const)
    expect(parseLinkFile(new Uint8Array(file), null)).toMatchObject({
      notices: [{ kind: 'encoding', encoding }],
      links: [{ short: 'menu-7', name: 'Käse' }],
    });
  expect(() => parseLinkFile(new Uint8Array(20_000_001).fill(97), null)).toThrow('file too large');
});

test.each([
  ['commas', ','.repeat(9_000_000), 'columns'],
  ['line breaks', '\n'.repeat(9_000_000), 'more than 50,000 links'],
  ['objects', `[${'{},'.repeat(3_000_000)}{}]`, 'more than 50,000 links'],
  ['tuples', `INSERT INTO yourls_url VALUES ${'(1),'.repeat(2_000_000)}`, 'SQL dump'],
  ['half a statement', `INSERT${' '.repeat(9_000_000)}`, 'does not name the columns'],
])('megabytes of %s are refused soon', async (_, text, reason) => {
  const content = bytes(text);
  const before = process.cpuUsage();
  const { said } = await refusalOf(() => parseLinkFile(content, null));
  expect(said).toContain(reason);
  const { user, system } = process.cpuUsage(before);
  // CPU time, because the machine may be busy.
  expect((user + system) / 1e6).toBeLessThan(2);
});

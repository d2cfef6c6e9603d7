import { describe, expect, test } from 'bun:test';
import { parseLinkFile } from '../../src/core/codes/imports/parse-file.ts';
import type { LinkSource } from '../../src/core/codes/imports/sources.ts';
import { readSheet } from '../../src/core/codes/tables/text-file.ts';
import { refusalOf } from '../support/refusal.ts';
import { rejectionOf } from '../support/rejection.ts';
import { isCompleteRun } from '../support/sample.ts';
import { xlsx } from '../support/spreadsheets.ts';
import { bytes, importLinks, link, parse, shortUrl, stored } from './sample-links.ts';

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
    ['visitsSummary.nonBots', 'visitsSummary.bots', 'tags'],
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
    'bitly',
    `bitlink,long_url,title,created,clicks
bit.ly/3abcDEF,${destination},"B",${createdAt},10`,
    { short: 'https://bit.ly/3abcDEF', name: 'B', created: createdAt, scans: '10' },
  ],
  [
    'the API of Bitly',
    'bitly',
    `{"links":[{"created_at":"${createdAt}","id":"bit.ly/3abcDEF","link":"https://bit.ly/3abcDEF","long_url":"${destination}","title":"B","tags":[]}]}`,
    { row: 1, short: 'https://bit.ly/3abcDEF', name: 'B', created: createdAt, scans: '' },
    ['id', 'tags'],
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

test('the other columns of a table are named', () => {
  const text = 'path,ID,destination,,Tags\na,1,https://a.example,,x';
  const linkColumns = [{ role: 'active', of: 'none' }] as const;
  expect(parseLinkFile(bytes(text), { linkColumns }).ignoredColumns).toEqual(['ID', 'Tags']);
});

describe('a table', () => {
  test.each([
    ['path,destination,name\nmenu-7,https://example.com/menu,Table 7', 'menu-7'],
    ['\ufeffPath;Destination;Name\r\nmenu-7;https://example.com/menu;Table 7\r\n', 'menu-7'],
    [
      'address\tdestination\tname\nhttps://qr.example.com/menu-7\thttps://example.com/menu\tTable 7',
      link.short,
    ],
    ['sep=;\npath;destination;name\nmenu-7;https://example.com/menu;Table 7', 'menu-7'],
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
    expect(parse(text, 'yourls').links[0]).toMatchObject({ short: 'a', name: 'T' });
    expect(parse(text).source).toBe('yourls');
    expect((await refusalOf(() => parse(text, 'csv'))).reason).toMatchObject({
      kind: 'columns of links not known',
      missing: ['address', 'destination', 'active'],
    });
    const { said } = await refusalOf(() => parse(text, 'kutt'));
    expect(said).toBe(
      'The file is not exactly as this service writes it. It lacks: "link", "target". Not known: "keyword", "url", "title". Name its columns instead of the service.',
    );
  });
});

test.each([
  ['', 'no link'],
  ['path,destination\n', 'no link'],
  ['just some text\nin lines', 'does not say plainly'],
  ['name,note\na,b', 'does not say plainly'],
  ['"path,destination\na,b', 'does not name the columns'],
  ['{"links": []}', 'no list of links'],
  ['[1, 2]', 'no list of links'],
  ['[{"a": 1}]', 'does not say plainly'],
  ['{"menu": {"url": "https://a/"}}', 'no list of links'],
  // More lists than pages, each of which would be tried.
  [JSON.stringify(Array.from({ length: 100_000 }, () => [{ a: 1 }])), 'no list of links'],
  ['{"path": "a", "destination": "https://a/"}\n{"path": "b"}', 'several answers'],
  [
    '{"live":[{"path":"a","destination":"b"}],"old":[{"path":"a","destination":"b"}]}',
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
  ['phpMyAdmin', 'keyword;url;title;timestamp;clicks\nm;https://a/;NULL;2023-05-05;7'],
  ['a plugin of YOURLS', 'Keyword,URL,Title,Date,Clicks\nm,https://a/,Menu,2023-05-05,7'],
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
    ...{ address: `m${at}`, visit_count: 7, created_at: createdAt },
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
  expect(
    parseLinkFile({ sheet: 'Links', otherSheets: [], sheetsWithRows: ['Links'], rows }).links,
  ).toMatchObject([{ row: 3, short: 'm' }]);
});

test('a sheet of a spreadsheet is read, with the links of its cells', async () => {
  const rows = [
    ['bitlink', 'long_url', 'title', 'created', 'clicks'],
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
    parseLinkFile(await readSheet(file, undefined, { maxBytes: 1_000_000, maxRows: 100 })),
  ).toMatchObject({
    source: 'bitly',
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

test('other encodings are read if somebody names them', async () => {
  const text = 'path,destination,name\nmenu-7,https://example.com/menu,Käse';
  const latin1 = new Uint8Array(Buffer.from(text, 'latin1'));
  const utf16 = new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));
  for (const [file, encoding, named] of [
    [latin1, 'windows-1252', { encoding: 'windows-1252' }],
    [utf16, 'UTF-16LE', {}],
  ] as const)
    expect(parseLinkFile(file, named)).toMatchObject({
      notices: [{ kind: 'encoding', encoding }],
      links: [{ short: 'menu-7', name: 'Käse' }],
    });
  expect((await refusalOf(() => parseLinkFile(latin1))).reason).toMatchObject({
    kind: 'letters not known',
    readings: expect.arrayContaining([{ encoding: 'windows-1252', words: ['Käse'] }]),
  });
  expect(() => parseLinkFile(new Uint8Array(20_000_001).fill(97))).toThrow('file too large');
});

test.skipIf(!isCompleteRun).each([
  ['commas', ','.repeat(9_000_000), 'columns'],
  ['line breaks', '\n'.repeat(9_000_000), 'more than 50,000 links'],
  ['objects', `[${'{},'.repeat(3_000_000)}{}]`, 'more than 50,000 links'],
  ['tuples', `INSERT INTO yourls_url VALUES ${'(1),'.repeat(2_000_000)}`, 'SQL dump'],
  ['half a statement', `INSERT${' '.repeat(9_000_000)}`, 'does not say plainly'],
])('megabytes of %s are refused soon', async (_, text, reason) => {
  const content = bytes(text);
  const before = process.cpuUsage();
  const { said } = await refusalOf(() => parseLinkFile(content));
  expect(said).toContain(reason);
  const { user, system } = process.cpuUsage(before);
  // CPU time, because the machine may be busy.
  expect((user + system) / 1e6).toBeLessThan(2);
});

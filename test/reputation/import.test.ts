import { describe, expect, test } from 'bun:test';
import { gzipSync } from 'bun';
import type { ImportOptions } from '../../src/reputation/lists/import.ts';
import { words } from '../support/words.ts';
import { createStores } from './stores.ts';

const { openStores } = createStores();

/** Imports a text; returns the report, and those of the URLs that are flagged afterwards. */
async function imported(text: string, urls: readonly string[], options?: Partial<ImportOptions>) {
  const { importText, decidedBy } = openStores();
  const report = await importText('test', text, options);
  const flagged: string[] = [];
  for (const url of urls) if ((await decidedBy(url)) !== null) flagged.push(url);
  return { report, flagged };
}

test('a hosts file', async () => {
  const listed = words(
    'http://evil.example/x http://a.two.example http://three.example http://lonely.example',
  );
  const local = ['http://localhost/', 'http://127.0.0.1/', 'http://0.0.0.0/', 'http://[::1]/'];
  const { report, flagged } = await imported(
    '﻿# Title: some hosts\r\n127.0.0.1 localhost 127.0.0.1\r\n::1 ip6-localhost\r\n0.0.0.0 0.0.0.0\r\n' +
      '0.0.0.0 evil.example# a comment\r\n0.0.0.0\tTwo.example three.example\r\n\r\n' +
      '0.0.0.0 not/a host name\r\nlonely.example\r\nnonsense line here',
    [...listed, ...local],
  );
  expect(report).toMatchObject({ format: 'text', entries: 4 });
  const why = 'neither a domain nor a URL';
  expect(report.unreadable).toEqual({
    count: 2,
    first: [
      { line: 8, text: '0.0.0.0 not/a host name', why },
      { line: 10, text: 'nonsense line here', why },
    ],
  });
  expect(flagged).toEqual(listed);
});

test('one domain or URL per line', async () => {
  const listed = words(`
    http://evil.example http://a.wild.example http://shop.example/login.php?id=1#top
    http://shop.example/folder/deep/x http://203.0.113.7/any http://198.51.100.1/x
    http://xn--bcher-kva.example http://[2001:db8::7]/
  `);
  const others = ['http://shop.example/', 'http://shop.example/login.php', 'http://198.51.100.1/'];
  const { report, flagged } = await imported(
    '# phishing\n; also a comment\n// and this\nevil.example\n*.wild.example\nEVIL.example.\n' +
      'http://shop.example/login.php?id=1\nhttps://shop.example/folder/\n203.0.113.7\nhttp://198.51.100.1:8080/x\n' +
      'bücher.example   # umlaut\n[2001:db8::7]\n<html>\nword\n12345\n1.5\nhttp://\ntwo words.example',
    [...listed, ...others],
  );
  expect(report).toMatchObject({ format: 'text', entries: 8 });
  expect(report.unreadable.first.map(({ line }) => line)).toEqual([13, 14, 15, 16, 17, 18]);
  expect(flagged).toEqual(listed);
});

test.each([
  ['a URL with a comma', 'http://evil.example/a,b\n'],
  ['a hosts file with tabs', '0.0.0.0\tevil.example\n0.0.0.0\tbad.example\n'],
  ['adblock rules with paths', '||evil.example/a/\n||bad.example/b/\n'],
])('%s is no CSV file', async (_, text) => {
  const { report } = await imported(text, []);
  expect(report).toMatchObject({ format: 'text', entries: text.split('\n').length - 1 });
});

describe('CSV', () => {
  test('with a heading, quoted fields and broken rows', async () => {
    const listed = ['http://evil.example/a,b', 'http://bad.example/x'];
    const { report, flagged } = await imported(
      'phish_id,url,phish_detail_url,verified\n1,"http://evil.example/a,b","http://info.example/1",yes\n' +
        '2,http://bad.example/x,http://info.example/2,yes\n3,"http://open.example/,http://info.example/3,yes\n4\n',
      [...listed, 'http://info.example/1', 'http://open.example/'],
    );
    expect(report).toMatchObject({ format: 'csv', entries: 2 });
    expect(report.unreadable.first.map(({ line, why }) => [line, why])).toEqual([
      [4, 'a quotation mark is not closed'],
      [5, 'has no column 2'],
    ]);
    expect(flagged).toEqual(listed);
  });

  test('whose heading is a comment', async () => {
    const listed = ['http://evil.example/a.exe', 'http://bad.example/b'];
    const { report, flagged } = await imported(
      '################\r\n# id,dateadded,url,status,link\r\n"1","2026-11-01 10:00:00","http://evil.example/a.exe","online","https://tracker.example/1/"\r\n' +
        '"2","2026-11-01 10:00:01","http://bad.example:8080/b","offline","https://tracker.example/2/"\r\n',
      [...listed, 'https://tracker.example/1/'],
    );
    expect(report).toMatchObject({ format: 'csv', entries: 2, unreadable: { count: 0 } });
    expect(flagged).toEqual(listed);
  });

  const text = 'rank;name;seen\n1;evil.example;a.example\n2;bad.example;b.example\n';
  test.each([
    [{ column: 'Seen' }, 'http://a.example'],
    [{ column: 2 }, 'http://evil.example'],
    [{ format: 'csv', column: 3 }, 'http://a.example'],
  ] as const)('with the options %j and semicolons', async (options, listed) => {
    const { flagged } = await imported(text, ['http://evil.example', 'http://a.example'], options);
    expect(flagged).toEqual([listed]);
  });

  test('without the named column, or one that holds entries, is rejected', async () => {
    await expect(imported(text, [], { column: 'url' })).rejects.toThrow('has no column "url"');
    await expect(imported('a,b\n1,2\n', [], { format: 'csv' })).rejects.toThrow('No column of');
  });
});

const exception = 'an exception; add it as an allow rule instead';
const cosmetic = 'hides parts of pages, blocks no address';
const pattern = 'a pattern, not an address';
const unreadableRules = {
  '@@||good.example^': exception,
  '@@good.example': exception,
  'site.example##.ad': cosmetic,
  'site.example#@#.ad': cosmetic,
  '||part.example^$domain=a.example': 'applies only under the options "domain=a.example"',
  '||pat*ern.example^': pattern,
  '||evil.example/*/x': pattern,
  '/banner[0-9]+/': 'neither a domain nor a URL',
};

test('adblock rules; those that block no address are reported', async () => {
  const listed = words(`
    http://www.evil.example http://bad.example http://a.wild.example http://path.example/x/1
    https://exact.example/y http://plain.example
  `);
  const others = ['good', 'site', 'part', 'pattern'].map((name) => `http://${name}.example`);
  const { report, flagged } = await imported(
    '[Adblock Plus 2.0]\n! Title: rules\n||evil.example^\n||bad.example^$all\n||*.wild.example^\n||path.example/x/\n' +
      `|https://exact.example/y|\nplain.example\n${Object.keys(unreadableRules).join('\n')}`,
    [...listed, ...others],
  );
  expect(report).toMatchObject({ format: 'text', entries: 6 });
  expect(report.unreadable.first.map(({ text, why }) => [text, why])).toEqual(
    Object.entries(unreadableRules),
  );
  expect(flagged).toEqual(listed);
});

const mixedLines = [
  '0.0.0.0 one.example',
  '||two.example^',
  'three.example',
  'http://four.example/x',
];
test.each(mixedLines)(
  'a list of mixed formats, most lines like %j, is read completely',
  async (line) => {
    const urls = ['one.example', 'two.example', 'three.example', 'four.example/x', 'five.example'];
    const { report, flagged } = await imported(
      [line, line, line, ...mixedLines, '@@||five.example^'].join('\n'),
      urls.map((url) => `http://${url}`),
    );
    expect(report).toMatchObject({ entries: 4, unreadable: { count: 1 } });
    expect(flagged).toHaveLength(4);
  },
);

test('networks are reported as unreadable', async () => {
  const listed = ['http://198.51.100.1/24', 'http://198.51.100.2/240'];
  const { report, flagged } = await imported(
    '203.0.113.0/24\n10.0.0.0/8\nhttp://198.51.100.1/24\n198.51.100.2/240\n',
    ['http://203.0.113.0/24', ...listed],
  );
  expect(report.unreadable.first.map(({ why }) => why)).toEqual([
    'a network, not an address',
    'a network, not an address',
  ]);
  expect(flagged).toEqual(listed);
});

// Quadratic regular expressions would take 0.3 s for each line.
test.each([
  ['entries', `a${' '.repeat(16_000)}x`, 'evil.example   # a comment'],
  ['hosts', `0.0.0.0 ${'#'.repeat(16_000)}\u2028`, '0.0.0.0 evil.example# a comment'],
  ['adblock rules', `||a${'|'.repeat(16_000)}x`, '||evil.example^|'],
])('%s are read in linear time', async (_, slow, next) => {
  const { report } = await imported(`${`${slow}\n`.repeat(200)}${next}\n`, []);
  expect(report.entries).toBe(1);
});

test('a list that ends within a character has no shorter entry for its last line', async () => {
  const { importText, decidedBy } = openStores();
  await importText('test', Buffer.from('http://evil.example/ü').subarray(0, -1));
  expect(await decidedBy('http://evil.example/')).toBeNull();
});

test.each<[string | Uint8Array, string]>([
  ['word\n<body>', 'nothing was changed. Line 1 ("word"): neither a domain nor a URL.'],
  ['\ufeff\n <html>\n<p>\nstatus.example\n', 'This is a web page or XML, not a list.'],
  ['', 'No entry could be read'],
  [gzipSync(Buffer.from('evil.example\n')), 'If it is compressed, unpack it'],
  [Buffer.from('evil.example\n', 'utf16le'), 'not text in UTF-8'],
])('the file %# is rejected', async (content, reason) => {
  const { importText, lists } = openStores();
  await expect(importText('x', content)).rejects.toThrow(reason);
  expect(await lists.all()).toEqual([]);
});

test.each(['', '../x', 'a/b', '.hidden', 'operator', 'V5', 'a'.repeat(65)])(
  '%j is no name for a list',
  async (name) => {
    await expect(openStores().importText(name, 'evil.example')).rejects.toThrow(
      /can't be the name of a list|Choose another name/,
    );
  },
);

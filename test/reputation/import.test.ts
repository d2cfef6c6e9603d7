import { expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'bun';
import fc from 'fast-check';
import { type ImportOptions, importFile, importList } from '../../src/reputation/lists/import.ts';
import { chunks, createStores, nowMs } from './stores.ts';

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
  const { report, flagged } = await imported(
    '﻿# Title: some hosts\r\n127.0.0.1 localhost\r\n::1 ip6-localhost\r\n255.255.255.255 broadcasthost\r\n' +
      '0.0.0.0 evil.example # a comment\r\n0.0.0.0\tTwo.example three.example\r\n\r\n' +
      '0.0.0.0 not/a host name\r\nlonely.example\r\nnonsense line here',
    [
      'http://evil.example/x',
      'http://a.two.example',
      'http://three.example',
      'http://localhost/',
      'http://lonely.example',
    ],
  );
  expect(report).toMatchObject({
    format: 'hosts',
    entries: 4,
    repeated: 0,
    lines: 10,
    replaced: null,
  });
  expect(report.unreadable).toEqual({
    count: 2,
    first: [
      { line: 8, text: '0.0.0.0 not/a host name', why: 'neither a domain nor a URL' },
      { line: 10, text: 'nonsense line here', why: 'does not begin with an address' },
    ],
  });
  expect(flagged).toEqual([
    'http://evil.example/x',
    'http://a.two.example',
    'http://three.example',
    'http://lonely.example',
  ]);
});

test('loopback names of a hosts file are no entries', async () => {
  const own = '127.0.0.1 localhost 127.0.0.1\n0.0.0.0 0.0.0.0\n::1 localhost.localdomain ::1\n';
  const { report, flagged } = await imported(`${own}0.0.0.0 evil.example\n`, [
    ...['http://127.0.0.1/', 'http://0.0.0.0/', 'http://[::1]/', 'http://evil.example/'],
  ]);
  expect(report).toMatchObject({ format: 'hosts', entries: 1, unreadable: { count: 0 } });
  expect(flagged).toEqual(['http://evil.example/']);
});

test('one domain or URL per line', async () => {
  const { report, flagged } = await imported(
    '# phishing\n; also a comment\n// and this\nevil.example\n*.wild.example\nEVIL.example.\n' +
      'http://shop.example/login.php?id=1\nhttps://shop.example/folder/\n203.0.113.7\nhttp://198.51.100.1:8080/x\n' +
      'bücher.example   # umlaut\n[2001:db8::7]\n<html>\nword\n12345\n1.5\nhttp://\ntwo words.example',
    [
      ...[
        'http://evil.example',
        'http://a.wild.example',
        'http://shop.example/',
        'http://shop.example/login.php?id=1#top',
      ],
      ...[
        'http://shop.example/login.php',
        'http://shop.example/folder/deep/x',
        'http://203.0.113.7/any',
      ],
      ...[
        'http://198.51.100.1/x',
        'http://198.51.100.1/',
        'http://xn--bcher-kva.example',
        'http://[2001:db8::7]/',
      ],
    ],
  );
  expect(report).toMatchObject({ format: 'lines', entries: 8, repeated: 1, lines: 18 });
  expect(report.unreadable.count).toBe(6);
  expect(report.unreadable.first.map(({ line }) => line)).toEqual([13, 14, 15, 16, 17, 18]);
  expect(flagged).toEqual([
    ...['http://evil.example', 'http://a.wild.example', 'http://shop.example/login.php?id=1#top'],
    ...['http://shop.example/folder/deep/x', 'http://203.0.113.7/any', 'http://198.51.100.1/x'],
    ...['http://xn--bcher-kva.example', 'http://[2001:db8::7]/'],
  ]);
});

test('CSV with a heading, quoted fields and a broken row', async () => {
  const { report, flagged } = await imported(
    'phish_id,url,phish_detail_url,verified\n1,"http://evil.example/a,b","http://info.example/1",yes\n' +
      '2,http://bad.example/x,http://info.example/2,yes\n3,"http://open.example/,http://info.example/3,yes\n4\n',
    [
      'http://evil.example/a,b',
      'http://bad.example/x',
      'http://info.example/1',
      'http://open.example/',
    ],
  );
  expect(report).toMatchObject({ format: 'csv', entries: 2 });
  expect(report.unreadable.first).toEqual([
    {
      line: 4,
      text: '3,"http://open.example/,http://info.example/3,yes',
      why: 'a quotation mark is not closed',
    },
    { line: 5, text: '4', why: 'has no column 2' },
  ]);
  expect(flagged).toEqual(['http://evil.example/a,b', 'http://bad.example/x']);
});

test('CSV whose heading is a comment, as abuse trackers write it', async () => {
  const { report, flagged } = await imported(
    '################\r\n# id,dateadded,url,status,link\r\n"1","2026-11-01 10:00:00","http://evil.example/a.exe","online","https://tracker.example/1/"\r\n' +
      '"2","2026-11-01 10:00:01","http://bad.example:8080/b","offline","https://tracker.example/2/"\r\n',
    ['http://evil.example/a.exe', 'http://bad.example/b', 'https://tracker.example/1/'],
  );
  expect(report).toMatchObject({ format: 'csv', entries: 2, unreadable: { count: 0 } });
  expect(flagged).toEqual(['http://evil.example/a.exe', 'http://bad.example/b']);
});

test('CSV with a given column, by heading or position, and another delimiter', async () => {
  const text = 'rank;name;seen\n1;evil.example;a.example\n2;bad.example;b.example\n';
  const urls = ['http://evil.example', 'http://a.example'];
  expect((await imported(text, urls, { column: 'Seen' })).flagged).toEqual(['http://a.example']);
  expect((await imported(text, urls, { column: 2 })).flagged).toEqual(['http://evil.example']);
  await expect((await imported(text, urls, { format: 'csv', column: 3 })).flagged).toEqual([
    'http://a.example',
  ]);
  await expect(imported(text, urls, { column: 'url' })).rejects.toThrow('has no column "url"');
  await expect(imported('a,b\n1,2\n', urls, { format: 'csv' })).rejects.toThrow(
    'No column of this CSV file',
  );
});

test('adblock-style rules', async () => {
  const { report, flagged } = await imported(
    '[Adblock Plus 2.0]\n! Title: rules\n||evil.example^\n||bad.example^$all\n||*.wild.example^\n||path.example/x/\n' +
      '|https://exact.example/y|\nplain.example\n@@||good.example^\n||part.example^$domain=a.example\n' +
      'site.example##.ad\n/banner[0-9]+/\n||pat*ern.example^\n',
    [
      ...[
        'http://www.evil.example',
        'http://bad.example',
        'http://a.wild.example',
        'http://path.example/x/1',
      ],
      ...[
        'https://exact.example/y',
        'http://plain.example',
        'http://good.example',
        'http://part.example',
        'http://site.example',
      ],
    ],
  );
  expect(report).toMatchObject({ format: 'adblock', entries: 6, unreadable: { count: 5 } });
  expect(report.unreadable.first.map(({ line }) => line)).toEqual([9, 10, 11, 12, 13]);
  expect(flagged).toEqual([
    ...[
      'http://www.evil.example',
      'http://bad.example',
      'http://a.wild.example',
      'http://path.example/x/1',
    ],
    ...['https://exact.example/y', 'http://plain.example'],
  ]);
});

test('adblock-style rules that block no address are reported with the cause', async () => {
  const rules = {
    '@@||good.example^': 'an exception; add it as an allow rule instead',
    '@@good.example': 'an exception; add it as an allow rule instead',
    'site.example##.ad': 'hides parts of pages, blocks no address',
    'site.example#@#.ad': 'hides parts of pages, blocks no address',
    '||part.example^$domain=a.example': 'applies only under the options "domain=a.example"',
    '||pat*ern.example^': 'a pattern, not an address',
    '||evil.example/*/x': 'a pattern, not an address',
  };
  const lines = Object.keys(rules);
  const { report } = await imported(['||evil.example^', ...lines].join('\n'), [], {
    format: 'adblock',
  });
  expect(report.entries).toBe(1);
  expect(report.unreadable.first.map(({ text, why }) => [text, why])).toEqual(
    Object.entries(rules),
  );
  expect(report.unreadable.count).toBe(lines.length);
});

test('lines of other formats in a mixed list are read as well', async () => {
  const lines = ['0.0.0.0 one.example', '||two.example^', 'three.example', 'http://four.example/x'];
  const exception = '@@||five.example^';
  for (let first = 0; first < lines.length; first++) {
    // Whatever the file begins with, and is mostly made of, the other lines count as well.
    const usual = lines[first] ?? '';
    const mixed = [usual, usual, usual, ...lines, exception].join('\n');
    const urls = ['one', 'two', 'three', 'five'].map((name) => `http://${name}.example/`);
    const { report, flagged } = await imported(mixed, [...urls, 'http://four.example/x']);
    expect(report.entries).toBe(4);
    expect(report.unreadable.count).toBe(1);
    expect(flagged).toEqual(
      expect.arrayContaining(['http://four.example/x', urls[0], urls[1], urls[2]]),
    );
    expect(flagged).toHaveLength(4);
  }
});

test('URLs with commas are no table', async () => {
  const { report } = await imported('http://evil.example/a,b\n', []);
  expect(report).toMatchObject({ format: 'lines', entries: 1 });
});

test('chunks of any size give the same list', async () => {
  const text = '# c\n0.0.0.0 bücher.example\r\n0.0.0.0 zwei.example\n\n0.0.0.0 drei.example';
  const whole = await imported(text, []);
  const bytes = Buffer.from(text);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 20 }), async (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      async function* pieces() {
        for (const [index, end] of at.entries()) yield bytes.subarray(at[index - 1] ?? 0, end);
      }
      const report = await importList(openStores().lists, pieces(), 'test', { nowMs });
      expect(report).toEqual(whole.report);
    }),
    { numRuns: 20 },
  );
});

/** Imports a list that arrives in these chunks. */
function importedChunks(...parts: readonly (string | Uint8Array)[]) {
  return importList(openStores().lists, chunks(...parts), 'test', { nowMs });
}

test('only a file that begins like an archive is rejected as one', async () => {
  await expect(importedChunks('PK\u0003\u0004list.txt')).rejects.toThrow('an archive (zip)');
  for (const list of [['Pk.example\n'], ['aK.example\n'], ['one.example\n', 'PK.example\n']])
    expect(await importedChunks(...list)).toMatchObject({ entries: list.length });
});

test('a list that ends within a character has no shorter entry for its last line', async () => {
  const { importText, decidedBy } = openStores();
  await importText('test', Buffer.from('http://evil.example/ü').subarray(0, -1));
  expect(await decidedBy('http://evil.example/')).toBeNull();
});

test('a line that is too long is dropped, and the next one is read', async () => {
  const { report } = await imported(
    `${'a'.repeat(200_000)}\nevil.example\n${'b'.repeat(17_000)}`,
    [],
  );
  expect(report).toMatchObject({ entries: 1, lines: 3, unreadable: { count: 2 } });
  expect(report.unreadable.first[0]).toEqual({
    line: 1,
    text: '',
    why: 'longer than 16,384 characters',
  });
  await expect(imported('a'.repeat(200_000), [])).rejects.toThrow(
    'nothing was changed. Line 1: longer than 16,384 characters.',
  );
});

// Each of them took 0.3 s while an expression looked for the end of a line from every place of it.
test.each([
  ['lines', `a${' '.repeat(16_000)}x`, 'evil.example   # a comment'],
  ['hosts', `${'#'.repeat(16_000)}\u2028`, '0.0.0.0 evil.example# a comment'],
  ['adblock', `||a${'|'.repeat(16_000)}x`, '||evil.example^|'],
] as const)(
  '%s with lines that make regular expressions slow are read in linear time',
  async (format, slow, next) => {
    const text = `${`${slow}\n`.repeat(200)}${next}\n`;
    const { report, flagged } = await imported(text, ['http://evil.example/'], { format });
    expect(report.entries).toBe(1);
    expect(flagged).toHaveLength(1);
  },
  20_000,
);

test('networks are reported as unreadable', async () => {
  const { report, flagged } = await imported(
    '203.0.113.0/24\n10.0.0.0/8\nhttp://198.51.100.1/24\n198.51.100.2/240\n',
    ['http://203.0.113.0/24', 'http://198.51.100.1/24', 'http://198.51.100.2/240'],
  );
  const why = 'a network, not an address';
  expect(report.unreadable).toEqual({
    count: 2,
    first: [
      { line: 1, text: '203.0.113.0/24', why },
      { line: 2, text: '10.0.0.0/8', why },
    ],
  });
  expect(flagged).toEqual(['http://198.51.100.1/24', 'http://198.51.100.2/240']);
});

test('a file without entries, or that is no text, is rejected with the cause', async () => {
  const { importText, lists, folder } = openStores();
  const rejected: [string | Uint8Array, string][] = [
    ['word\n<body>', 'nothing was changed. Line 1 ("word"): neither a domain nor a URL.'],
    ['\ufeff\n <html>\n<p>\nstatus.example\n', 'This is a web page or XML, not a list.'],
    ['', 'No entry could be read'],
    [gzipSync(Buffer.from('evil.example\n')), 'compressed (gzip)'],
    [Buffer.from('evil.example\n', 'utf16le'), 'not text in UTF-8'],
  ];
  for (const [text, cause] of rejected) await expect(importText('x', text)).rejects.toThrow(cause);
  const importOf = (...names: string[]) =>
    importFile(lists, join(folder, ...names), 'x', { nowMs });
  await expect(importOf('none')).rejects.toThrow('(ENOENT)');
  writeFileSync(join(folder, 'file'), '');
  await expect(importOf('file', 'list.txt')).rejects.toThrow('is a file, not a folder (ENOTDIR)');
  mkdirSync(join(folder, 'sub'));
  await expect(importOf('sub')).rejects.toThrow('is a folder');
  for (const name of ['', '../x', 'a/b', '.hidden', 'operator', 'V5', 'a'.repeat(65)])
    await expect(importText(name, 'evil.example')).rejects.toThrow(
      /can't be the name of a list|Choose another name/,
    );
  expect(await lists.all()).toEqual([]);
});

test('every entry of a list matches, and nothing else', async () => {
  const domain = fc.stringMatching(/^[a-z]{1,8}[0-9]{0,3}\.(?:example|test)$/);
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(domain, { minLength: 2, maxLength: 60 }), async (domains) => {
      const listed = domains.slice(0, -1);
      const { report, flagged } = await imported(
        listed.join('\n'),
        domains.map((name) => `http://${name}/p`),
      );
      expect(report.entries).toBe(listed.length);
      expect(flagged).toEqual(listed.map((name) => `http://${name}/p`));
    }),
    { numRuns: 20 },
  );
});

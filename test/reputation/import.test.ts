import { afterAll, expect, test } from 'bun:test';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'bun';
import fc from 'fast-check';
import { type ImportOptions, importList, importPieces } from '../../src/reputation/lists/import.ts';
import { openLocalList } from '../../src/reputation/lists/local-list.ts';
import { localExpressions } from '../../src/reputation/url/expressions.ts';
import { freshFolder, importText, nowMs, removeFolders } from './folder.ts';

afterAll(removeFolders);

/** Imports a text; tells the report, and which of some URLs are on the list then. */
async function imported(text: string, urls: readonly string[], options?: Partial<ImportOptions>) {
  const folder = await freshFolder();
  const report = await importText(folder, 'test', text, options);
  const local = openLocalList(folder);
  await local.refresh();
  const flagged = urls.filter((url) => local.match(localExpressions(url)).length > 0);
  local.close();
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

test('what a hosts file maps to the machine itself is no entry', async () => {
  const own = '127.0.0.1 localhost 127.0.0.1\n0.0.0.0 0.0.0.0\n::1 localhost.localdomain ::1\n';
  const { report, flagged } = await imported(`${own}0.0.0.0 evil.example\n`, [
    ...['http://127.0.0.1/', 'http://0.0.0.0/', 'http://[::1]/', 'http://evil.example/'],
  ]);
  expect(report).toMatchObject({ format: 'hosts', entries: 1, unreadable: { count: 0 } });
  expect(flagged).toEqual(['http://evil.example/']);
});

test('one domain or URL a line', async () => {
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

test('CSV by the column that the operator names, by heading, by place, with another delimiter', async () => {
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

test('adblock-style rules that are none for an address are said to be what they are', async () => {
  const rules = {
    '@@||good.example^': 'an exception; add it as an allow entry instead',
    '@@good.example': 'an exception; add it as an allow entry instead',
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

test('adblock-style rules without their heading', async () => {
  const { report } = await imported(
    '! rules\n||evil.example^\n||bad.example^\nplain.example\n',
    [],
  );
  expect(report).toMatchObject({ format: 'adblock', entries: 3, unreadable: { count: 0 } });
});

test('a list collected from many places: each line is read as what it can only be', async () => {
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

test('a format that the operator names is kept to', async () => {
  const text = 'one.example\n||two.example^';
  const { report } = await imported(text, [], { format: 'lines' });
  expect(report).toMatchObject({ entries: 1, unreadable: { count: 1 } });
});

test('a list whose URLs hold commas is no table', async () => {
  const { report } = await imported('http://evil.example/a,b\n', []);
  expect(report).toMatchObject({ format: 'lines', entries: 1 });
});

test('pieces of any size give the same list', async () => {
  const text = '# c\n0.0.0.0 bücher.example\r\n0.0.0.0 zwei.example\n\n0.0.0.0 drei.example';
  const whole = await imported(text, []);
  const bytes = Buffer.from(text);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 20 }), async (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      async function* pieces() {
        for (const [index, end] of at.entries()) yield bytes.subarray(at[index - 1] ?? 0, end);
      }
      const folder = await freshFolder();
      const report = await importPieces(folder, pieces(), 'test', { nowMs, origin: null });
      expect(report).toEqual(whole.report);
    }),
    { numRuns: 20 },
  );
});

/** Imports what comes in these pieces. */
async function importedPieces(...parts: readonly (string | Uint8Array)[]) {
  async function* pieces() {
    for (const part of parts) yield Buffer.from(part);
  }
  return importPieces(await freshFolder(), pieces(), 'test', { nowMs, origin: null });
}

test('only what begins like an archive is taken for one', async () => {
  await expect(importedPieces('PK\u0003\u0004list.txt')).rejects.toThrow('an archive (zip)');
  for (const list of [['Pk.example\n'], ['aK.example\n'], ['one.example\n', 'PK.example\n']])
    expect(await importedPieces(...list)).toMatchObject({ entries: list.length });
});

test('a list that is cut off within a character has no shorter address for its last one', async () => {
  const cut = Buffer.from('http://evil.example/ü').subarray(0, -1);
  const folder = await freshFolder();
  await importText(folder, 'test', cut);
  const local = openLocalList(folder);
  await local.refresh();
  expect(local.match(localExpressions('http://evil.example/'))).toEqual([]);
  local.close();
});

test('whoever imports may pause after each piece', async () => {
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
  };
  async function* pieces() {
    for (const host of ['a', 'b', 'c']) yield Buffer.from(`${host}.example\n`);
  }
  await importPieces(await freshFolder(), pieces(), 'test', { nowMs, origin: null, pause });
  expect(pauses).toBeGreaterThanOrEqual(3);
});

test('a line without end is dropped, not kept in memory, and the next one is read', async () => {
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
  '%s made to be slow are soon read, and the next ones too',
  async (format, slow, next) => {
    const text = `${`${slow}\n`.repeat(200)}${next}\n`;
    const { report, flagged } = await imported(text, ['http://evil.example/'], { format });
    expect(report.entries).toBe(1);
    expect(flagged).toHaveLength(1);
  },
  20_000,
);

test('networks are told, not taken for a page of an address', async () => {
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

test('what holds no entry is refused with an example, and what is no text with its kind', async () => {
  await expect(imported('word\n<body>', [])).rejects.toThrow(
    'There is no entry in it that could be read; nothing was changed. Line 1 ("word"): neither a domain nor a URL.',
  );
  await expect(imported('\ufeff\n <html>\n<p>\nstatus.example\n', [])).rejects.toThrow(
    'This is a web page or XML, not a list.',
  );
  await expect(imported('', [])).rejects.toThrow('There is no entry');
  const folder = await freshFolder();
  await expect(importText(folder, 'x', gzipSync(Buffer.from('evil.example\n')))).rejects.toThrow(
    'compressed (gzip)',
  );
  await expect(importText(folder, 'x', Buffer.from('evil.example\n', 'utf16le'))).rejects.toThrow(
    'not a text in UTF-8',
  );
  await expect(importList(folder, join(folder, 'none'), 'x', { nowMs })).rejects.toThrow(
    'There is no such file',
  );
  const wrongly = join(folder, 'file', 'list.txt');
  await writeFile(join(folder, 'file'), '');
  await expect(importList(folder, wrongly, 'x', { nowMs })).rejects.toThrow(
    `${wrongly} cannot be read: part of the path is a file, not a folder (ENOTDIR)`,
  );
  await mkdir(join(folder, 'sub'));
  await expect(importList(folder, join(folder, 'sub'), 'x', { nowMs })).rejects.toThrow(
    'This is a folder',
  );
  for (const name of ['', '../x', 'a/b', '.hidden', 'operator', 'V5', 'x.list', 'a'.repeat(65)]) {
    await expect(importText(folder, name, 'evil.example')).rejects.toThrow(
      /cannot name a source|Choose another name/,
    );
  }
});

test('every entry of any list is found again, and no other', async () => {
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

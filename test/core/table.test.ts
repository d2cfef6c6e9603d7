import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { cliNotice } from '../../src/cli/sentences/sentences.ts';
import { parseTable } from '../../src/core/batches/table.ts';
import { Refused } from '../../src/core/errors.ts';
import type { RowReason } from '../../src/core/reasons.ts';
import { csvLine, csvRecords, splitCsvRow, withoutFormulaGuard } from '../../src/lib/csv.ts';
import { encodeIn } from '../support/encode.ts';
import { refusalOf } from '../support/refusal.ts';
import { openIn, parsedTable, questionOf } from '../support/tables.ts';
import { words } from '../support/words.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const textsOf = (table: string | Uint8Array) =>
  parsedTable(table).rows.map(({ name, destination, note }) => [name, destination, note]);
const menu = ['Table 7', 'https://example.com/7', 'by the window'];

const ole = (stream: string) =>
  new Uint8Array(
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from(stream, 'utf16le')]),
  );

const noticesOf = (table: string | Uint8Array) => parsedTable(table).notices.map(cliNotice);

describe('a table', () => {
  test.each([
    ['CSV', 'name,destination,note\nTable 7,https://example.com/7,by the window\n'],
    ['CSV of Windows', 'name,destination,note\r\nTable 7,https://example.com/7,by the window\r\n'],
    ['CSV with a BOM', '\uFEFFName,Destination,Note\nTable 7,https://example.com/7,by the window'],
    ["Excel's semicolons", 'Name;URL;Note\nTable 7;https://example.com/7;by the window'],
    ['a delimiter line', 'sep=;\r\nname;url;note\r\nTable 7;https://example.com/7;by the window'],
    ['tabs', 'Name\tLink\tNote\nTable 7\thttps://example.com/7\tby the window'],
    ['quotes', '"name","destination","note"\n"Table 7","https://example.com/7","by the window"'],
    [
      'all columns',
      'name,destination,note,folder,path\nTable 7,https://example.com/7,by the window,,',
    ],
    ['another order', 'note,code,destination,name\nby the window,x,https://example.com/7,Table 7'],
    [
      'other separators in names',
      'name,destination,note\nTable 7,https://example.com/7,by the window\n"A\tb; c; d",https://a/,',
    ],
    [
      'invisible characters',
      '\u200bname,\ufeffdestination,note\n\u200eTable 7,\u200bhttps://example.com/7\u2060\u00a0,by the window\u200d',
    ],
    [
      'empty rows',
      '\n\nname,destination,note\n,,\nTable 7,https://example.com/7,by the window\n\n',
    ],
  ])('is read from %s', (_, text) => {
    expect(textsOf(text)[0]).toEqual(menu);
    expect(textsOf(utf8(text))[0]).toEqual(menu);
  });

  test.each([
    ['addresses', 'https://example.com/a\nhttps://example.com/b?c=d|e&x=1'],
    [
      'a header and addresses',
      'destination\nhttps://example.com/a\nhttps://example.com/b,c;d|e?x=1,2',
    ],
    ['an unknown header and addresses', 'Webseite\nhttps://example.com/a\nhttps://example.com/b'],
    ['quoted addresses', 'destination\n"https://example.com/a"\n"https://example.com/b,c;d"'],
  ])('is read from a single column of %s', (_, text) => {
    const [, second = ''] = text.split('\n').slice(-2);
    expect(textsOf(text)).toEqual([
      [null, 'https://example.com/a', null],
      [null, second.replaceAll('"', ''), null],
    ]);
  });

  test.each([
    ['Titel;URL;Kommentar', ['Titel', 'Kommentar'], [null, null]],
    ['名前;URL;備考', ['名前', '備考'], [null, null]],
    ['Name;Adresse;Notizen', ['Notizen'], ['Table 7', null]],
    ['Tisch;Wohin;Note', ['Tisch'], [null, 'by the window']],
    ['NAME ;Ｄｅｓｔｉｎａｔｉｏｎ; note', [], ['Table 7', 'by the window']],
  ])(
    'has the columns that the words of the product name, and the only one of addresses: %s',
    (header, ignored, [name, note]) => {
      const table = parsedTable(`${header}\nTable 7;https://example.com/7;by the window\n`);
      expect(table.rows).toMatchObject([{ name, destination: 'https://example.com/7', note }]);
      expect(table.ignoredColumns).toEqual(ignored);
    },
  );

  test.each([
    ['Table 7,https://example.com/7', [], 'The column "A" is ignored.'],
    [
      'Artikel,Wohin\nTable 7,https://example.com/7',
      [
        'Row 1, "Artikel", is read as the names of the columns.',
        'The column "Wohin" is taken as the destination, because it has the addresses.',
      ],
      'The column "Artikel" is ignored.',
    ],
    [
      'name,Wohin\nTable 7,https://example.com/7',
      ['The column "Wohin" is taken as the destination, because it has the addresses.'],
      null,
    ],
    ['name,destination\nTable 7,https://example.com/7', [], null],
  ])('says what was not said: %s', (table, notices, ignored) => {
    expect(noticesOf(table)).toEqual([...notices, ...(ignored === null ? [] : [ignored])]);
  });

  test.each([
    [
      'two columns of addresses',
      'Name,Page,Website\nA,https://a.example,https://b.example',
      ['destination'],
    ],
    ['a picture', 'Handle,Title,Image Src\na,A,https://cdn.example.com/7.jpg?v=1', ['destination']],
    [
      'pictures and pages',
      'Product,Photo,Product page\nA,https://a.example/1.jpg,https://a.example',
      ['destination'],
    ],
    [
      'the former address',
      'Name,Old link,Link\nA,https://old.example,https://a.example',
      ['destination'],
    ],
    [
      'two destinations',
      'destination,destination\nhttps://a.example,https://b.example',
      ['destination'],
    ],
    [
      'an address in a note',
      'Was,Wo\nsee below,https://a.example\nhttps://c.example,https://b.example',
      ['destination'],
    ],
    ['a cell that is no address', 'Was,Wo\nA,https://a.example\nB,soon', ['header', 'destination']],
    ['domains', 'Was,Wo\nA,a.example\nB,b.example', ['header', 'destination']],
    ['domains alone', 'a.example\nb.example', ['header']],
    ['names like domains', 'Company,Town\nBooking.com,A\nAmazon.de,B', ['header', 'destination']],
    ['names of programs', 'HB.name,HB.url\nA,https://a.example', ['header', 'destination']],
    [
      'a title',
      'Inventory 2026;;\n;;\nname;destination;note\nA;https://a.example;',
      ['header', 'destination'],
    ],
    ['no addresses', 'Foo,Bar\nTable 7,soon', ['header', 'destination']],
    ['names behind addresses', 'https://a.example/1,Menu\nhttps://a.example/2,Card', ['separator']],
    ['names behind an address', 'https://a.example/1;Menu', ['separator']],
    ['a comma in an address', 'https://a.example/1\nhttps://a.example/2,3', ['separator']],
    [
      'a comma in an address below a header',
      'Link\nhttps://a.example/1\nhttps://a.example/2,3',
      ['separator'],
    ],
    ['letters', encodeIn('windows-1252', 'name;destination\nKäse;https://a.example'), ['encoding']],
    [
      'UTF-16 without a mark',
      new Uint8Array(Buffer.from('name;destination\nKäse;https://a.example', 'utf16le')),
      ['encoding'],
    ],
  ] as const)('with %s is asked about', (_, table, open) => {
    expect(openIn(questionOf(table))).toEqual([...open]);
  });

  const choice = (role: 'destination' | 'name' | 'note' | 'ignore', of: string | number) => ({
    role,
    of,
  });

  test('has the columns that somebody names, by header, number or letter', async () => {
    const table = 'Was,Wo,B\nA,https://a.example,https://b.example';
    for (const of of ['Wo', 'wo', ' WO', '2', 1])
      expect(parsedTable(table, { columns: [choice('destination', of)] }).rows).toMatchObject([
        { name: null, destination: 'https://a.example' },
      ]);
    const both = [choice('destination', 'b'), choice('name', 'A')];
    expect(parsedTable(table, { columns: both })).toMatchObject({
      rows: [{ name: 'A', destination: 'https://b.example' }],
      ignoredColumns: ['Wo'],
    });
    const said = { columns: [choice('destination', 'Nowhere')] };
    expect((await refusalOf(() => parseTable(table, said))).said).toBe(
      'The table has no column "Nowhere". It has "Was", "Wo", "B".',
    );
    const twice = 'Wo,Wo\nhttps://a.example,https://b.example';
    const wo = { columns: [choice('destination', 'Wo')] };
    expect((await refusalOf(() => parseTable(twice, wo))).reason.kind).toBe('several such columns');
    const second = { columns: [choice('destination', 2 - 1)] };
    expect(parsedTable(twice, second).rows).toMatchObject([{ destination: 'https://b.example' }]);
  });

  test('has a column that is ignored though its header is known', () => {
    const table = 'name,path,destination\nA,/home/a,https://a.example';
    expect(parsedTable(table).rows[0]?.path).toBe('home/a');
    const { rows, ignoredColumns } = parsedTable(table, { columns: [choice('ignore', 'path')] });
    expect(rows).toMatchObject([{ name: 'A', path: null, problem: null }]);
    expect(ignoredColumns).toEqual(['path']);
  });

  test('has a header if somebody says so', () => {
    const table = 'Booking.com,a.example\nAmazon.de,b.example';
    const columns = [choice('name', 0), choice('destination', 1)];
    const names = (header: boolean) =>
      parsedTable(table, { header, columns }).rows.map(({ name }) => name);
    expect(names(false)).toEqual(['Booking.com', 'Amazon.de']);
    expect(names(true)).toEqual(['Amazon.de']);
  });

  test('is split as somebody says', () => {
    const table = 'https://a.example/1,Menu\nhttps://a.example/2,Card';
    expect(parsedTable(table, { separator: 'none' }).rows).toMatchObject([
      { destination: 'https://a.example/1,Menu' },
      { destination: 'https://a.example/2,Card' },
    ]);
    const columns = [choice('name', '2')];
    expect(parsedTable(table, { separator: 'comma', columns }).rows).toMatchObject([
      { name: 'Menu', destination: 'https://a.example/1' },
      { name: 'Card', destination: 'https://a.example/2' },
    ]);
  });

  test('is shown with its first cells, and with what is known of its columns', () => {
    const rows = Array.from({ length: 7 }, (_, at) => `T${at},https://a.example/${at},x`);
    expect(questionOf(['Tisch,Link,Note', ...rows].join('\n'), { isLook: true })).toMatchObject({
      rows: 7,
      hasHeader: true,
      separator: 'comma',
      isDestinationOpen: false,
      columns: [
        { header: 'Tisch', role: null, by: null, hasAddresses: false, values: { length: 5 } },
        { header: 'Link', role: 'destination', by: 'addresses', hasAddresses: true },
        { header: 'Note', role: 'note', by: 'header' },
      ],
    });
  });

  test.each([
    ['destination', 'soon'],
    ['destination', ''],
  ])('does not take another column where the named one has no addresses: %s %j', (header, cell) => {
    const { rows } = parsedTable(`Name,Photo,${header}\nA,https://a.example/1.jpg,${cell}\n`);
    expect(rows.map(({ destination }) => destination)).toEqual([cell]);
  });

  const noDomains = [
    'menu.pdf',
    'J.Smith',
    'v1.beta',
    'photo.jpeg',
    'Nr.7',
    '1.5',
    'table.xlsx',
    'flyer.zip',
    'a.mov',
    'report.md',
    'app.sh',
    'J.Kim',
    'Dr.Li',
  ];
  test.each(noDomains)('does not take %s for an address', (text) => {
    for (const table of [
      `name,destination\nA,${text}\nB,example.com`,
      `destination\n${text}\nexample.com`,
    ]) {
      const { rows } = parsedTable(table);
      expect(rows.map(({ destination }) => destination.slice(0, 19))).toEqual([
        text,
        'https://example.com',
      ]);
      expect(rows[0]?.problem).toEqual({ kind: 'resembles a domain', text });
    }
  });

  test.each([
    'example.com',
    'example.co.uk',
    'example.museum',
    'пример.рф',
    'münchen.example.de',
    'example.app/a.zip',
    'EXAMPLE.COM',
  ])('takes %s for an address', (text) => {
    const [row] = parsedTable(`name,destination\nA,${text}\n`).rows;
    expect(row).toMatchObject({ destination: `https://${text}`, problem: null });
  });

  test('keeps a first row with an address as data', () => {
    const said = { columns: [{ role: 'name', of: 'A' }] } as const;
    const table = 'Booking.com,https://a.example\nAmazon.de,https://b.example';
    expect(parsedTable(table, said).rows.map(({ name }) => name)).toEqual([
      'Booking.com',
      'Amazon.de',
    ]);
  });

  test('of JSON is refused as a whole', async () => {
    const table = '[{"url": "https://example.com/7"}]';
    expect((await refusalOf(() => parseTable(table))).said).toMatch(/The file is JSON/);
  });

  test('with bare domains gets https://, and says in which rows', () => {
    const table = parsedTable(
      'name,destination\nA,example.com/a\nB,www.example.com\nC,mailto:a@example.com\nD,HTTP://EXAMPLE.com/Path\nE,example.com:8080',
    );
    expect(table.rows.map(({ destination }) => destination)).toEqual([
      'https://example.com/a',
      'https://www.example.com',
      'mailto:a@example.com',
      'HTTP://EXAMPLE.com/Path',
      'https://example.com:8080',
    ]);
    expect(table.notices.map(cliNotice)).toEqual([
      'https:// was put before the addresses of rows 2, 3, 6.',
    ]);
    expect(textsOf('destination\nexample.com\nexample.org/a')).toEqual([
      [null, 'https://example.com', null],
      [null, 'https://example.org/a', null],
    ]);
  });

  test.each([
    [11, '1 other'],
    [1011, '1,001 others'],
  ])('counts the rows with bare domains that it does not name: %d', (rows, others) => {
    const addresses = Array.from({ length: rows }, (_, at) => `example.com/${at}`);
    expect(noticesOf(['destination', ...addresses].join('\n'))).toEqual([
      `https:// was put before the addresses of rows 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and ${others}.`,
    ]);
  });

  const cafe = 'name;destination\r\nKäse & Brötchen;https://example.com/süd';
  const rowsOfCafe = [{ name: 'Käse & Brötchen', destination: 'https://example.com/süd' }];

  test('is read in UTF-16 with its mark', () => {
    const bytes = Buffer.from(`\ufeff${cafe}`, 'utf16le');
    for (const encoding of ['UTF-16LE', 'UTF-16BE']) {
      const table = parsedTable(new Uint8Array(bytes));
      expect(table.notices.map(cliNotice)).toEqual([`The file was read as ${encoding}.`]);
      expect(table.rows).toMatchObject(rowsOfCafe);
      bytes.swap16();
    }
  });

  test('is read in the encoding that somebody names, and refused in one that it is not in', async () => {
    const latin1 = new Uint8Array(Buffer.from(cafe, 'latin1'));
    const table = parsedTable(latin1, { encoding: 'windows-1252' });
    expect(table.notices.map(cliNotice)).toEqual(['The file was read as windows-1252.']);
    expect(table.rows).toMatchObject(rowsOfCafe);
    const utf16 = new Uint8Array(Buffer.from(cafe, 'utf16le'));
    expect(parsedTable(utf16, { encoding: 'utf-16le' }).rows).toMatchObject(rowsOfCafe);
    const { said } = await refusalOf(() => parseTable(latin1, { encoding: 'utf-8' }));
    expect(said).toBe('The file is not in the encoding utf-8.');
  });

  test('of a sheet takes the link of a cell, unless its text is an address', () => {
    const cell = (text: string, link: string | null = null) => ({ text, link });
    const sheet = (rows: (readonly ReturnType<typeof cell>[])[]) => ({
      sheet: 'A',
      otherSheets: [],
      sheetsWithRows: ['A'],
      rows: rows.map((cells, at) => ({ row: at + 1, cells })),
    });
    const link = 'https://example.com/link';
    const table = parsedTable(
      sheet([
        [cell('Name'), cell('Destination')],
        [cell('A'), cell('Menu', link)],
        [cell('B'), cell('https://example.com/text', link)],
        [cell('C'), cell('example.com', 'http://www.example.com/')],
        [cell('D'), cell('https://example.com/l…', link)],
      ]),
    );
    expect(table.rows.map(({ name, destination }) => [name, destination])).toEqual([
      ['A', link],
      ['B', 'https://example.com/text'],
      ['C', 'https://example.com'],
      ['D', link],
    ]);
    expect(table.notices.map(cliNotice)).toContain(
      'The address of row 3 is linked to another address in the spreadsheet. The one that is shown is taken.',
    );
    const [linked] = parsedTable(sheet([[cell('Table')], [cell('Table 7', link)]]), {
      columns: [
        { role: 'destination', of: '1' },
        { role: 'name', of: '1' },
      ],
    }).rows;
    expect(linked).toMatchObject({ name: 'Table 7', destination: link });
  });

  test('keeps line breaks, quotation marks and delimiters of quoted cells', () => {
    const text = 'name;destination;note\n"A ""b""; c";https://example.com/;"one\r\ntwo"\n';
    expect(textsOf(text)).toEqual([['A "b"; c', 'https://example.com/', 'one\ntwo']]);
  });

  test('refuses what a spreadsheet has written in place of a name', () => {
    const names = words('#REF! #WAARDE! #BAŞV! #HIÁNYZIK #SAKNAS! #N/B #### Err:508 Loading...');
    const { rows } = parsedTable(
      ['name,destination', ...names.map((name, at) => `${name},https://a/${at}`)].join('\n'),
    );
    expect(rows.map(({ problem }) => problem)).toEqual(
      names.map((text) => ({ kind: 'error in a cell', noun: 'name', text })),
    );
    expect(textsOf('name,url\n#1 Hit!,https://a/')).toEqual([['#1 Hit!', 'https://a/', null]]);
  });

  test('reads a text that a formula keeps as it is', () => {
    expect(textsOf('name,url\n"=""007""",https://example.com/\n')).toEqual([
      ['007', 'https://example.com/', null],
    ]);
  });

  test.each([
    [
      'a comma in an address',
      'name,url\nA,https://a.example/title,123.html\nB,https://a.example/b',
    ],
    [
      'a semicolon in an address',
      'name;url;note\nA;https://a.example/a;s=1;x\nB;https://a.example/b',
    ],
    [
      'coordinates',
      'name,url,note\nA,https://a.example/@52.520,13.405,15z\nB,https://a.example/b,',
    ],
    [
      'coordinates at the end',
      'url,a,b\nhttps://a.example/?q=52.52,13.40,A\nhttps://a.example/b,,',
    ],
    ['coordinates and no header', 'A,https://a.example/@-52.52,-3.405,15z\nB,https://a.example/b'],
  ])('refuses a row that %s has split', (_, text) => {
    const problems = parsedTable(text).rows.map(({ problem }) => problem);
    expect(problems).toEqual([{ kind: 'split row' }, null]);
  });

  test.each([
    [
      'a separator at the end of each row',
      'name,url\nA,https://a.example/1,\nB,https://a.example/2,',
    ],
    ['a note beside a header that is empty', 'name,url,\nA,https://a.example/1,note'],
    ['quotation marks', 'name,url\nA,"https://a.example/@52.52,13.40,15z"'],
    ['numbers beside an address', 'url,price\nhttps://a.example/v1.2,3.50'],
    ['a column of latitudes', 'name,url,lat,lon\nA,https://a.example/1,52.52,13.40'],
  ])('with %s is not split', (_, text) => {
    for (const { problem } of parsedTable(text).rows) expect(problem).toBeNull();
  });

  test.each<[string, RowReason | null]>([
    ['https://a.example/long…', { kind: 'shortened destination', text: '…' }],
    ['a.example/long/...', { kind: 'shortened destination', text: '...' }],
    [
      'https://a.example/?a=1&amp;b=2',
      { kind: 'destination from HTML', meant: 'https://a.example/?a=1&b=2' },
    ],
    [
      'https://a.example/?a=1&#038;b=2',
      { kind: 'destination from HTML', meant: 'https://a.example/?a=1&b=2' },
    ],
    ['https://a.example/?a=1&amplitude=2', null],
    ['https://a.example/...', { kind: 'shortened destination', text: '...' }],
    ['https://a.example/a...b', null],
  ])('refuses an address only if it was shortened or copied from HTML: %s', (address, problem) => {
    expect(parsedTable(`name,destination\nA,${address}`).rows[0]?.problem).toEqual(problem);
  });

  test.each([
    ['Fish &amp; Chips', '&amp;'],
    ['K&auml;se', '&auml;'],
    ['Joe&#8217;s', '&#8217;'],
    ['Joe&#x2019;s', '&#x2019;'],
    ['Fish & Chips', null],
    ['R&D; B&Bs;', null],
  ])('refuses a name only if it was copied from HTML: %s', (name, text) => {
    const problem = text === null ? null : { kind: 'label from HTML', noun: 'name', text };
    expect<unknown>(parsedTable(`name\turl\n${name}\thttps://a.example`).rows[0]?.problem).toEqual(
      problem,
    );
  });

  test('says when all of three or more rows lead to one address', () => {
    const rows = (paths: string) =>
      [...paths].map((path, at) => `T${at},https://a.example/${path}`).join('\n');
    expect(noticesOf(`name,destination\n${rows('aaa')}`)).toEqual([
      'All 3 rows lead to https://a.example/a.',
    ]);
    expect(noticesOf(`name,destination\n${rows('aab')}`)).toEqual([]);
    expect(noticesOf(`name,destination\n${rows('aa')}`)).toEqual([]);
  });

  test('keeps a first row of data that begins with a header word or formula', () => {
    const { rows } = parsedTable('name,url\nWebsite,\nA,https://a.example/1');
    expect(rows.map(({ name }) => name)).toEqual(['Website', 'A']);
    const formula = '"=HYPERLINK(""https://a.example/1"")"';
    expect(parsedTable(`name,url\nA,${formula}`).rows).toMatchObject([
      { name: 'A', problem: { kind: 'computed link' } },
    ]);
  });

  test('numbers rows as a spreadsheet does, and says what is wrong with each', () => {
    const long = 'x'.repeat(121);
    const { rows } = parsedTable(
      [
        'name,destination,note',
        'A,https://example.com/1,',
        '',
        'B,,',
        `${long},https://example.com/2,`,
        'A,https://example.com/1,other note',
        `C,https://example.com/${'y'.repeat(5000)},`,
        '"D" d,https://example.com/3,',
        `E,https://example.com/4,${'z'.repeat(1001)}`,
        'F,https://example.com/1,',
      ].join('\n'),
    );
    expect(rows.map(({ row, problem }) => [row, problem])).toEqual([
      [2, null],
      [4, { kind: 'no destination in the row' }],
      [5, { kind: 'label too long', noun: 'name', maxLength: 120 }],
      [6, { kind: 'same as an earlier row', row: 2 }],
      [7, { kind: 'wrong destination', problem: 'too long', text: '', meant: null }],
      [8, { kind: 'row not closed' }],
      [9, { kind: 'label too long', noun: 'note', maxLength: 1000 }],
      [10, null],
    ]);
    for (const { destination } of rows) expect(destination.length).toBeLessThan(250);
  });

  test.each([
    ['NUL bytes', utf8('http\0s://example.com\n'), 'file is no text'],
    ['a picture', new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16]), 'file is a picture'],
    ['an old workbook', ole(''), 'old spreadsheet'],
    ['an encrypted workbook', ole('EncryptedPackage'), 'encrypted spreadsheet'],
    ['a PDF', utf8('%PDF-1.7\n'), 'file is a PDF'],
    ['a web page', utf8('<html><table><tr><td>https://example.com'), 'file is markup'],
    ['XML of Excel 2003', utf8('<?xml version="1.0"?>\n<Workbook>'), 'file is markup'],
    ['control characters', 'https://example.com/\u0007', 'control characters in the file'],
    ['half a surrogate pair', 'https://example.com/\ud800', 'control characters in the file'],
    ['nothing', '', /no row/],
    ['only a header', 'name,destination\n', /no row/],
    ['5,001 rows', 'https://example.com/\n'.repeat(5001), /more than 5,000 rows/],
    ['100,000 columns', 'a,'.repeat(100_000), /more than 100 columns/],
    ['9 MB of commas', new Uint8Array(9_000_000).fill(0x2c), /more than 100 columns/],
    ['9 MB of line feeds', new Uint8Array(9_000_000).fill(0x0a), /more than 5,000 rows/],
    ['50 MB', new Uint8Array(50_000_000).fill(0x61), 'file too large'],
  ])('is refused in words: %s', async (_, table, message) => {
    const { reason, said } = await refusalOf(() => parseTable(table));
    expect(typeof message === 'string' ? reason.kind : said).toMatch(message);
  });

  test('with a row of 1 MB or a quotation mark that stays open is read', () => {
    const [row] = parsedTable(
      `name,destination\nA,https://example.com/${'x'.repeat(1_000_000)}`,
    ).rows;
    expect(row?.problem).toMatchObject({ kind: 'wrong destination', problem: 'too long' });
    const open = `name,destination\n${'"a,https://example.com/\n'.repeat(4000)}`;
    expect(parsedTable(open).rows.every(({ problem }) => problem !== null)).toBe(true);
    expect(() => parseTable('"\n'.repeat(2_000_000))).toThrow(Refused);
  });

  test('never fails otherwise than in words, whatever the bytes are', () => {
    const piece = fc.constantFrom(...words('name url , ; " https://a.b/ ='), '\t', '\n', '\r');
    const text = fc.array(fc.oneof(piece, fc.string({ unit: 'binary' })), { maxLength: 60 });
    fc.assert(
      fc.property(
        fc.oneof(
          text.map((all) => all.join('')),
          fc.uint8Array(),
        ),
        (table) => {
          try {
            const reading = parseTable(table);
            for (const { row, problem } of reading.kind === 'read' ? reading.rows : []) {
              expect(row).toBeGreaterThan(0);
              expect(problem).not.toBe('');
            }
          } catch (error) {
            expect(error).toBeInstanceOf(Refused);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test('of any names and notes that were exported is read again', () => {
    const label = (maxLength: number) =>
      fc
        .string({ unit: 'grapheme', minLength: 1, maxLength })
        .map((text) => text.replaceAll(/\p{Cc}|\p{Z}/gu, '').trim())
        .filter((text) => text !== '' && !/^'[=+\-@]/.test(text));
    const start = fc.constantFrom('', '=', '+', '-', '@', '"', ',', ';');
    const rows = fc.array(fc.tuple(start, label(30), start, label(200)), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(rows, (all) => {
        const labels = all.map(([a, name, b, note], at) => [a + name, `https://a/${at}`, b + note]);
        const text = [['name', 'destination', 'note'], ...labels]
          .map((cells) => csvLine(cells))
          .join('');
        expect(textsOf(`\uFEFF${text}`)).toEqual(labels);
      }),
    );
  });
});

describe('CSV', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ' ', ';', '=', 'é') });

  test('records are what csvLine wrote', () => {
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 1 }), { minLength: 1 }), (rows) => {
        const text = rows.map(csvLine).join('').replaceAll('\r\n', '\n');
        const read = [...csvRecords(text, ',')].map((row) => row?.map(withoutFormulaGuard));
        expect(read).toEqual(rows);
      }),
    );
  });

  test('rows are split like records', () => {
    fc.assert(
      fc.property(cell, (text) => {
        const line = text.replaceAll('\n', '');
        fc.pre(line !== '');
        expect([...csvRecords(line, ',')][0] ?? null).toEqual(splitCsvRow(line, ','));
      }),
    );
  });

  test('cells that a spreadsheet would run are neutralized', () => {
    const cells = words('=1+1 +1 -1 @a ＝1 ＋1 －1 ＠a ﹦1 \u200b=1');
    for (const cell of [...cells, '\t=1', '\r=1', '\n=1']) {
      const [read = ''] = splitCsvRow(csvLine([cell]).slice(0, -2), ',') ?? [];
      expect(read).toBe(`'${cell}`);
      expect(withoutFormulaGuard(read)).toBe(cell);
    }
    expect(csvLine(['a=1', "'x", '', 'é＝'])).toBe("a=1,'x,,é＝\r\n");
  });

  test('cells are quoted where a spreadsheet would split them', () => {
    expect(csvLine(['a;b', 'a\tb', 'a,b', 'a"b', 'a b'])).toBe('"a;b","a\tb","a,b","a""b",a b\r\n');
  });
});

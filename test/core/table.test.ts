import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseTable } from '../../src/core/batches/table.ts';
import { labelFields, labelNames } from '../../src/core/codes/fields.ts';
import { headerKey, headerWords } from '../../src/core/codes/imports/header-words.ts';
import { Refused } from '../../src/core/errors.ts';
import type { RowReason } from '../../src/core/reasons.ts';
import { csvLine, csvRecords, splitCsvRow, withoutFormulaGuard } from '../../src/lib/csv.ts';
import { noticeSentence } from '../../src/sentences/tables.ts';
import { refusalOf } from '../support/refusal.ts';
import { words } from '../support/words.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const textsOf = (table: string | Uint8Array) =>
  parseTable(table).rows.map(({ name, destination, note }) => [name, destination, note]);
const menu = ['Table 7', 'https://example.com/7', 'by the window'];

const ole = (stream: string) =>
  new Uint8Array(
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from(stream, 'utf16le')]),
  );

const noticesOf = (table: string | Uint8Array) => parseTable(table).notices.map(noticeSentence);

describe('a table', () => {
  test.each([
    ['CSV', 'name,destination,note\nTable 7,https://example.com/7,by the window\n'],
    ['CSV of Windows', 'name,destination,note\r\nTable 7,https://example.com/7,by the window\r\n'],
    ['CSV with a BOM', '\uFEFFName,Destination,Note\nTable 7,https://example.com/7,by the window'],
    ["Excel's semicolons", 'Name;URL;Notes\nTable 7;https://example.com/7;by the window'],
    ['a delimiter line', 'sep=;\r\nname;url;note\r\nTable 7;https://example.com/7;by the window'],
    ['tabs', 'Name\tLink\tComment\nTable 7\thttps://example.com/7\tby the window'],
    ['quotes', '"name","destination","note"\n"Table 7","https://example.com/7","by the window"'],
    ['another order', 'note,code,destination,name\nby the window,x,https://example.com/7,Table 7'],
    [
      'invisible characters',
      '\u200bname,\ufeffurl,note\n\u200eTable 7,\u200bhttps://example.com/7\u2060\u00a0,by the window\u200d',
    ],
    [
      'no header and invisible characters',
      'Table 7,\u2066https://example.com/7\u2069,by the window',
    ],
    ['no header', 'Table 7,https://example.com/7,by the window'],
    ['no header and tabs', 'Table 7\thttps://example.com/7\tby the window'],
    ['addresses first', 'https://example.com/7\tTable 7\tby the window'],
    [
      'empty rows',
      '\n\nname,destination,note\n,,\nTable 7,https://example.com/7,by the window\n\n',
    ],
  ])('is read from %s', (_, text) => {
    expect(textsOf(text)).toEqual([menu]);
    expect(textsOf(utf8(text))).toEqual([menu]);
  });

  test.each([
    ['addresses', 'https://example.com/a\nhttps://example.com/b,c;d|e?x=1,2'],
    ['a header and addresses', 'url\nhttps://example.com/a\nhttps://example.com/b,c;d|e?x=1,2'],
    [
      'quoted addresses',
      'destination\n"https://example.com/a"\n"https://example.com/b,c;d|e?x=1,2"',
    ],
  ])('is read from a single column of %s', (_, text) => {
    expect(textsOf(text)).toEqual([
      [null, 'https://example.com/a', null],
      [null, 'https://example.com/b,c;d|e?x=1,2', null],
    ]);
  });

  test.each([
    ['Titel;URL;Kommentar', 'German'],
    ['Bezeichnung;Ziel-URL;Bemerkung', 'German'],
    ['Nom;Lien;Remarques', 'French'],
    ['Nombre;Enlace;Descripción', 'Spanish'],
    ['名前;リンク先;備考', 'Japanese'],
    ['ﾀｲﾄﾙ;ＵＲＬ;メモ', 'Japanese of other widths'],
    ['Название;Ссылка;Примечание', 'Russian'],
    ['Título;Endereço;Observações', 'Portuguese'],
    ['Titolo;Collegamento;Descrizione', 'Italian'],
    ['İSİM;BAĞLANTI;AÇIKLAMA', 'Turkish in capitals'],
    ['Naam;Webadres;Opmerking', 'Dutch'],
    ['نام;نشانی;یادداشت', 'Persian'],
    ['Nazwa;Odnośnik;Uwagi', 'Polish'],
    ['名称;网址;备注', 'Chinese'],
    ['名稱;網址;備註', 'Chinese of Taiwan'],
    ['Tên;Đường dẫn;Ghi chú', 'Vietnamese'],
    ['Judul;Tautan;Keterangan', 'Indonesian'],
    ['이름;링크;메모', 'Korean'],
    ['الاسم;الرابط;ملاحظات', 'Arabic'],
    ['Název;Odkaz;Poznámka', 'Czech'],
    ['Назва;Посилання;Примітка', 'Ukrainian'],
    ['Item;Web address;Remarks', 'English'],
    ['Name *;Link (required):;NOTES', 'English with punctuation'],
    ['display_name;Destination-URL;comment', 'names of programs'],
    ['Product name;Web page;Remarks', 'English words of shops'],
    ['お名前;ウェブページ;備考', 'Japanese words of forms'],
    ['Table;Destination URL;Note', 'one other column, which is the name'],
    ['Table;Where to;Note', 'an unknown header, above the addresses'],
  ])('has the columns that %s names in %s', (header) => {
    const table = `${header}\nTable 7;https://example.com/7;by the window\n`;
    expect(textsOf(table)).toEqual([menu]);
    expect(parseTable(table).ignoredColumns).toEqual([]);
  });

  test.each([
    [
      'a title',
      'Inventory 2026;;\n;;\nname;destination;note',
      ['Row 1, "Inventory 2026", is no data and is left out.'],
    ],
    [
      'a title and no header',
      'Inventory 2026;;',
      ['Row 1, "Inventory 2026", is no data and is left out.'],
    ],
    ['other columns', 'name;destination;note;Price;', ['The column "Price" is ignored.']],
    [
      'an unknown header',
      'Foo;Bar;Note',
      [
        'The column "Bar" is taken as the destination, because it has the addresses.',
        'The column "Foo" is taken as the name.',
      ],
    ],
  ])('with %s says so', (_, head, notices) => {
    const table = `${head}\nTable 7;https://example.com/7;by the window\n`;
    expect(textsOf(table)).toEqual([menu]);
    expect(noticesOf(table)).toEqual(notices);
  });

  test.each([
    ['HB.import_ref,HB.location,HB.url,HB.name,HB.description', 'x,Garage,U,Table 7,by the window'],
    ['item.name,item.link,item.note', 'Table 7,U,by the window'],
    ['Item name,Product page,Internal note', 'Table 7,U,by the window'],
    ['name,new link,old link,note', 'Table 7,U,https://old.example/7,by the window'],
    ['Name,external url,Note', 'Table 7,U,by the window'],
    ['productName,productUrl,productNotes', 'Table 7,U,by the window'],
    ['Produktname,Produktseite,Bemerkung', 'Table 7,U,by the window'],
    ['Nom du produit,Page du produit,Remarque', 'Table 7,U,by the window'],
    ['商品名,商品ページ,備考', 'Table 7,U,by the window'],
  ])('has the columns that a part of the header names: %s', (header, row) => {
    for (const url of ['https://example.com/7', 'example.com/7'])
      expect(textsOf(`${header}\n${row.replace('U', url)}\n`)).toEqual([
        ['Table 7', 'https://example.com/7', 'by the window'],
      ]);
  });

  test.each([
    ['Product,Photo,Product page', 'Table 7,https://example.com/7.jpg,U'],
    ['Foto,Wohin,Name', 'https://example.com/photo?7,U,Table 7'],
    ['Unknown,Where,Name', 'https://example.com/7.PNG?v=1,U,Table 7'],
    ['Page,QR,Name', 'U,https://api.qrserver.com/v1/create-qr-code/?data=7,Table 7'],
    ['QR link,Page,Name', 'https://chart.example.com/7.svg,U,Table 7'],
    ['Handle,Title,URL,Image Src', 'table-7,Table 7,U,https://cdn.example.com/7.webp?v=2'],
    ['ID,SKU,Name,External URL,Images', '1,x,Table 7,U,https://example.com/7.jpg'],
    ['id,title,link,image_link', '7,Table 7,U,https://example.com/7.jpg'],
    ['Name,Old link,Link', 'Table 7,https://old.example/7,U'],
    ['Image1,Image 2,Product URL,Name', 'https://a.example/1,https://a.example/2,U,Table 7'],
    ['产品,图片链接,产品链接', 'Table 7,https://a.example/1,U'],
    ['商品名,画像URL,商品URL', 'Table 7,https://a.example/1,U'],
    ['Produkt,Produktbild,Produktseite', 'Table 7,https://a.example/1,U'],
    ['Товар,Фото,Ссылка на товар', 'Table 7,https://a.example/1,U'],
    [
      'Produit,Photo,Lien du produit,Ancien lien',
      'Table 7,https://a.example/1,U,https://old.example',
    ],
    ['Pavadinimas,Nuotrauka,Prekės nuoroda', 'Table 7,https://a.example/1,U'],
    ['Ürün,Resim,Ürün bağlantısı', 'Table 7,https://a.example/1,U'],
    ['Name,Website,Destination', 'Table 7,https://example.com,U'],
    ['Name,Ticket,Website', 'Table 7,https://tickets.example/7,U'],
    ['Name,URL,Website', 'Table 7,U,U'],
    ['Name,Address,Find us', 'Table 7,1 Example Street,U'],
    ['Name,Vendor,Page', 'Table 7,vendor.example.com,U'],
    ['name,imageurl,goes', 'Table 7,https://a.example/1,U'],
    ['Naam,Afbeeldingslink,Productlink', 'Table 7,https://a.example/1,U'],
    ['Namn,Bildlänk,Produktlänk', 'Table 7,https://a.example/1,U'],
    ['Name,Short URL,Original', 'Table 7,https://s.example/1,U'],
    ['Name,Kurzlink,Wohin', 'Table 7,https://s.example/1,U'],
    ['商品名,短縮URL,商品ページ', 'Table 7,https://s.example/1,U'],
  ])(
    'with several columns of addresses takes what the header names, and pictures last: %s',
    (header, row) => {
      const [read] = parseTable(
        `${header}\n${row.replaceAll('U', 'https://example.com/7')}\n`,
      ).rows;
      expect(read).toMatchObject({ name: 'Table 7', destination: 'https://example.com/7' });
    },
  );

  test('of photos and pages without a header is not named by the photos', () => {
    const rows = [1, 2].map(
      (at) => `https://a.example/${at}.jpg;https://a.example/${at};Table ${at}`,
    );
    expect(textsOf(rows.join('\n'))).toEqual([
      ['Table 1', 'https://a.example/1', null],
      ['Table 2', 'https://a.example/2', null],
    ]);
    expect(textsOf('https://a.example/1.jpg;https://a.example/1\n')).toEqual([
      [null, 'https://a.example/1', null],
    ]);
  });

  test.each([
    ['Name,Page,Website', 'A,https://a.example,https://b.example', ['Page', 'Website']],
    [
      'Name,Public URL,Admin URL',
      'A,https://a.example,https://b.example',
      ['Public URL', 'Admin URL'],
    ],
    ['Name,Where,Ticket', 'A,https://a.example,https://b.example', ['Where', 'Ticket']],
    ['Name,URL,URL', 'A,https://a.example,https://b.example', ['B', 'C']],
    ['Photo,Logo', 'https://a.example/1.jpg,https://a.example/2.jpg', ['Photo', 'Logo']],
    ['A', 'https://a.example,https://b.example', ['A', 'B']],
  ])(
    'asks for the column where several may be the destination: %s',
    async (header, row, columns) => {
      const text = header === 'A' ? row : `${header}\n${row}\n`;
      const { reason } = await refusalOf(() => parseTable(text));
      expect(reason).toEqual({ kind: 'several columns', columns });
      const last = columns.at(-1) ?? '';
      const wanted = row.split(',').at(-1);
      for (const column of [last, last.toLowerCase(), 'ABC'.charAt(row.split(',').length - 1)])
        expect(parseTable(text, column).rows.map(({ destination }) => destination)).toEqual([
          wanted ?? '',
        ]);
      const { said } = await refusalOf(() => parseTable(text, 'Other'));
      expect(said).toContain('no column "Other"');
    },
  );

  test('does not take another column where the named one has no addresses', () => {
    for (const [header, cell] of [
      ['destination', 'soon'],
      ['destination', ''],
      ['Website', ''],
      ['Page', 'Home'],
    ]) {
      const { rows } = parseTable(`Name,Photo,${header}\nA,https://a.example/1.jpg,${cell}\n`);
      expect(rows.map(({ destination }) => destination)).toEqual([cell ?? '']);
    }
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
      `item.name,item.link\nA,${text}\nB,example.com/b`,
      `destination\n${text}\nexample.com`,
    ]) {
      const { rows } = parseTable(table);
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
    const [row] = parseTable(`name,destination\nA,${text}\n`).rows;
    expect(row).toMatchObject({ destination: `https://${text}`, problem: null });
  });

  test.each([
    ['Booking.com,https://a.example\nAmazon.de,https://b.example', ['Booking.com', 'Amazon.de']],
    ['Chair,example.com\nTable,https://example.com/2', ['Chair', 'Table']],
  ])('keeps a first row with a domain as data: %s', (text, names) => {
    expect(parseTable(text).rows.map(({ name }) => name)).toEqual(names);
  });

  test.each([
    ['no addresses', 'Foo,Bar\nTable 7,soon', /No column of the table has addresses/],
    [
      'names like domains',
      'Company,Town\nBooking.com,A\nAmazon.de,B',
      /No column of the table has/,
    ],
    ['JSON', '[{"url": "https://example.com/7"}]', /The file is JSON/],
  ])('with %s is refused as a whole', async (_, text, message) => {
    expect((await refusalOf(() => parseTable(text))).said).toMatch(message);
  });

  test('with bare domains gets https://, and says in which rows', () => {
    const table = parseTable(
      'name,destination\nA,example.com/a\nB,www.example.com\nC,mailto:a@example.com\nD,HTTP://EXAMPLE.com/Path\nE,example.com:8080',
    );
    expect(table.rows.map(({ destination }) => destination)).toEqual([
      'https://example.com/a',
      'https://www.example.com',
      'mailto:a@example.com',
      'HTTP://EXAMPLE.com/Path',
      'https://example.com:8080',
    ]);
    expect(table.notices.map(noticeSentence)).toEqual([
      'https:// was put before the addresses of rows 2, 3, 6.',
    ]);
    expect(textsOf('example.com\nexample.org/a')).toEqual([
      [null, 'https://example.com', null],
      [null, 'https://example.org/a', null],
    ]);
  });

  test.each([
    [11, '1 other'],
    [1011, '1,001 others'],
  ])('counts the rows with bare domains that it does not name: %d', (rows, others) => {
    const addresses = Array.from({ length: rows }, (_, at) => `example.com/${at}`);
    expect(noticesOf(addresses.join('\n'))).toEqual([
      `https:// was put before the addresses of rows 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and ${others}.`,
    ]);
  });

  test.each([
    ['Windows-1252', 'latin1', ''],
    ['UTF-16LE', 'utf16le', '\ufeff'],
    ['UTF-16LE', 'utf16le', ''],
  ] as const)('is read in %s', (encoding, name, mark) => {
    const text = 'name;destination\r\nKäse & Brötchen;https://example.com/süd';
    const bytes = Buffer.from(mark + text, name);
    const table = parseTable(new Uint8Array(bytes));
    expect(table.notices.map(noticeSentence)).toEqual([`The file was read as ${encoding}.`]);
    expect(table.rows).toMatchObject([
      { name: 'Käse & Brötchen', destination: 'https://example.com/süd' },
    ]);
    if (name === 'utf16le')
      expect(noticesOf(new Uint8Array(bytes.swap16()))).toEqual(['The file was read as UTF-16BE.']);
  });

  test('of a sheet takes the link of a cell, unless its text is an address', () => {
    const cell = (text: string, link: string | null = null) => ({ text, link });
    const sheet = (rows: (readonly ReturnType<typeof cell>[])[]) => ({
      sheet: 'A',
      otherSheets: [],
      rows: rows.map((cells, at) => ({ row: at + 1, cells })),
    });
    const link = 'https://example.com/link';
    const table = parseTable(
      sheet([
        [cell('Name'), cell('Link')],
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
    expect(table.notices.map(noticeSentence)).toContain(
      'The address of row 3 is linked to another address in the spreadsheet. The one that is shown is taken.',
    );
    const [linked] = parseTable(sheet([[cell('Table')], [cell('Table 7', link)]])).rows;
    expect(linked).toMatchObject({ name: 'Table 7', destination: link });
  });

  test('keeps line breaks, quotation marks and delimiters of quoted cells', () => {
    const text = 'name;destination;note\n"A ""b""; c";https://example.com/;"one\r\ntwo"\n';
    expect(textsOf(text)).toEqual([['A "b"; c', 'https://example.com/', 'one\ntwo']]);
  });

  test('refuses what a spreadsheet has written in place of a name', () => {
    const names = words('#REF! #WAARDE! #BAŞV! #HIÁNYZIK #SAKNAS! #N/B #### Err:508 Loading...');
    const { rows } = parseTable(
      ['name,url', ...names.map((name, at) => `${name},https://a/${at}`)].join('\n'),
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
    const problems = parseTable(text).rows.map(({ problem }) => problem);
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
    for (const { problem } of parseTable(text).rows) expect(problem).toBeNull();
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
    expect(parseTable(`name,url\nA,${address}`).rows[0]?.problem).toEqual(problem);
  });

  test.each([
    'https://a.example/1,Menu\nhttps://a.example/2,Card',
    'https://a.example/1;Menu',
    'https://a.example/1, Menu\nhttps://a.example/2, Card, small',
    'https://a.example/1|"Menu"',
  ])('of addresses that may have names behind them is refused: %j', async (text) => {
    const { reason, said } = await refusalOf(() => parseTable(text));
    expect(reason).toEqual({ kind: 'addresses or columns' });
    expect(said).toContain('Put a header above: "destination"');
    const lines = text.split('\n');
    expect(textsOf(`destination\n${text}`).map(([, address]) => address)).toEqual(lines);
    const delimiter = /[,;|]/.exec(text)?.[0] ?? '';
    const [row] = parseTable(`destination${delimiter}name${delimiter}note\n${text}`).rows;
    expect(row).toMatchObject({ name: 'Menu', destination: 'https://a.example/1', problem: null });
  });

  test.each([
    [
      'Table 1, left, back, door;https://a.example/1',
      'Table 1, left, back, door',
      'https://a.example/1',
    ],
    ['A,https://a.example/1;b=2;c=3;d=4', 'A', 'https://a.example/1;b=2;c=3;d=4'],
    ['A | Shop | X;https://a.example/1', 'A | Shop | X', 'https://a.example/1'],
  ])('is split at the delimiter beside the addresses: %s', (line, name, destination) => {
    expect(parseTable(line).rows).toMatchObject([{ name, destination, problem: null }]);
    const [, row] = parseTable(`Thing${line.includes(';h') ? ';' : ','}Where\n${line}`).rows;
    expect(row).toBeUndefined();
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
    expect<unknown>(parseTable(`name\turl\n${name}\thttps://a.example`).rows[0]?.problem).toEqual(
      problem,
    );
  });

  test('says when all of three or more rows lead to one address', () => {
    const rows = (paths: string) =>
      [...paths].map((path, at) => `T${at},https://a.example/${path}`).join('\n');
    expect(noticesOf(`name,url\n${rows('aaa')}`)).toEqual([
      'All 3 rows lead to https://a.example/a.',
    ]);
    expect(noticesOf(`name,url\n${rows('aab')}`)).toEqual([]);
    expect(noticesOf(`name,url\n${rows('aa')}`)).toEqual([]);
  });

  test.each([
    ['groups', 'Contact,,Internet\nName,No.,Link\nA,1,https://a.example/1'],
    ['two languages', 'Bezeichnung,Nr.,Ziel\nName,No.,Destination\nA,1,https://a.example/1'],
  ])('with a header of %s is read below it', (_, text) => {
    const { rows, ignoredColumns } = parseTable(text);
    expect(rows).toMatchObject([{ row: 3, name: 'A', destination: 'https://a.example/1' }]);
    expect(ignoredColumns).toEqual(['No.']);
  });

  test('keeps a first row of data that begins with a header word or formula', () => {
    const { rows } = parseTable('name,url\nWebsite,\nA,https://a.example/1');
    expect(rows.map(({ name }) => name)).toEqual(['Website', 'A']);
    const formula = '"=HYPERLINK(""https://a.example/1"")"';
    expect(parseTable(`name,url\nA,${formula}`).rows).toMatchObject([
      { name: 'A', problem: { kind: 'computed link' } },
    ]);
  });

  test('numbers rows as a spreadsheet does, and says what is wrong with each', () => {
    const long = 'x'.repeat(121);
    const { rows } = parseTable(
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
    ['a mixture of encodings', new Uint8Array([...utf8('é'), 0xe9]), 'unknown encoding'],
    ['Shift_JIS', new Uint8Array([0x83, 0x65, 0x81, 0x5b, 0x0a]), 'unknown encoding'],
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
    const [row] = parseTable(
      `name,destination\nA,https://example.com/${'x'.repeat(1_000_000)}`,
    ).rows;
    expect(row?.problem).toMatchObject({ kind: 'wrong destination', problem: 'too long' });
    const open = `name,destination\n${'"a,https://example.com/\n'.repeat(4000)}`;
    expect(parseTable(open).rows.every(({ problem }) => problem !== null)).toBe(true);
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
            for (const { row, problem } of parseTable(table).rows) {
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

test('no word for a header names two columns', () => {
  const lists = [headerWords.destination, ...labelNames.map((name) => labelFields[name].headers)];
  const keys = lists.flatMap((words) => [...new Set(words.map(headerKey))]);
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
});

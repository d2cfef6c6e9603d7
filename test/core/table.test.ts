import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseTable } from '../../src/core/batches/table.ts';
import { labelFields, labelNames } from '../../src/core/codes/fields.ts';
import { headerKey, headerWords } from '../../src/core/codes/imports/header-words.ts';
import { InvalidInput } from '../../src/core/errors.ts';
import { csvLine, csvRecords, splitCsvRow, withoutFormulaGuard } from '../../src/lib/csv.ts';
import { words } from '../support/words.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const textsOf = (table: string | Uint8Array) =>
  parseTable(table).rows.map(({ name, destination, note }) => [name, destination, note]);
const menu = ['Table 7', 'https://example.com/7', 'by the window'];

const ole = (stream: string) =>
  new Uint8Array(
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from(stream, 'utf16le')]),
  );
// "Стол 1;https://example.com/1" and "Окно 2;https://example.com/2"
const cyrillic = new Uint8Array([
  ...[0xd1, 0xf2, 0xee, 0xeb, ...utf8(' 1;https://example.com/1\n')],
  ...[0xce, 0xea, 0xed, 0xee, ...utf8(' 2;https://example.com/2\n')],
]);

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
    expect(parseTable(table).notices).toEqual(notices);
  });

  test.each([
    ['no addresses', 'Foo,Bar\nTable 7,soon', /No column of the table has addresses/],
    ['JSON', '[{"url": "https://example.com/7"}]', /The file is JSON/],
  ])('with %s is refused as a whole', (_, text, message) => {
    expect(() => parseTable(text)).toThrow(message);
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
    expect(table.notices).toEqual(['https:// was put before the addresses of rows 2, 3, 6.']);
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
    expect(parseTable(addresses.join('\n')).notices).toEqual([
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
    expect(table.notices).toEqual([`The file was read as ${encoding}.`]);
    expect(table.rows).toMatchObject([
      { name: 'Käse & Brötchen', destination: 'https://example.com/süd' },
    ]);
    if (name === 'utf16le')
      expect(parseTable(new Uint8Array(bytes.swap16())).notices).toEqual([
        'The file was read as UTF-16BE.',
      ]);
  });

  test('of a sheet takes the link of a cell, unless its text is an address', () => {
    const cell = (text: string, link: string | null = null) => ({ text, link });
    const sheet = (rows: (readonly ReturnType<typeof cell>[])[]) => ({
      sheet: 'A',
      otherSheets: [],
      rows: rows.map((cells, at) => ({ row: at + 1, cells })),
    });
    const link = 'https://example.com/link';
    expect(
      parseTable(
        sheet([
          [cell('Name'), cell('Link')],
          [cell('A'), cell('Menu', link)],
          [cell('B'), cell('https://example.com/text', link)],
          [cell('C'), cell('example.com', 'http://example.com/')],
        ]),
      ).rows.map(({ name, destination }) => [name, destination]),
    ).toEqual([
      ['A', link],
      ['B', 'https://example.com/text'],
      ['C', 'https://example.com'],
    ]);
    const [linked] = parseTable(sheet([[cell('Table')], [cell('Table 7', link)]])).rows;
    expect(linked).toMatchObject({ name: 'Table 7', destination: link });
  });

  test('keeps line breaks, quotation marks and delimiters of quoted cells', () => {
    const text = 'name;destination;note\n"A ""b""; c";https://example.com/;"one\r\ntwo"\n';
    expect(textsOf(text)).toEqual([['A "b"; c', 'https://example.com/', 'one\ntwo']]);
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
      [4, 'The row has no destination.'],
      [5, 'The name is too long: at most 120 characters are possible.'],
      [6, 'Row 2 has the same name and destination.'],
      [7, 'The URL is longer than 2048 characters.'],
      [8, 'A quotation mark is not closed, or text follows it.'],
      [9, 'The note is too long: at most 1,000 characters are possible.'],
      [10, null],
    ]);
    for (const { destination } of rows) expect(destination.length).toBeLessThan(250);
  });

  test.each([
    ['NUL bytes', utf8('http\0s://example.com\n'), /is not text/],
    ['a picture', new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16]), /is a picture/],
    ['a mixture of encodings', new Uint8Array([...utf8('é'), 0xe9]), /none of the encodings/],
    ['Windows-1251', cyrillic, /none of the encodings.*CSV UTF-8/],
    ['Shift_JIS', new Uint8Array([0x83, 0x65, 0x81, 0x5b, 0x0a]), /none of the encodings/],
    ['an old workbook', ole(''), /old \.xls format.*save it as \.xlsx/],
    ['an encrypted workbook', ole('EncryptedPackage'), /encrypted with a password.*Remove/],
    ['a PDF', utf8('%PDF-1.7\n'), /is a PDF/],
    ['a web page', utf8('<html><table><tr><td>https://example.com'), /web page or XML.*\.xlsx/],
    ['XML of Excel 2003', utf8('<?xml version="1.0"?>\n<Workbook>'), /web page or XML/],
    ['control characters', 'https://example.com/\u0007', /control/],
    ['half a surrogate pair', 'https://example.com/\ud800', /control/],
    ['nothing', '', /no row/],
    ['only a header', 'name,destination\n', /no row/],
    ['5,001 rows', 'https://example.com/\n'.repeat(5001), /more than 5,000 rows/],
    ['100,000 columns', 'a,'.repeat(100_000), /more than 100 columns/],
    ['9 MB of commas', new Uint8Array(9_000_000).fill(0x2c), /more than 100 columns/],
    ['9 MB of line feeds', new Uint8Array(9_000_000).fill(0x0a), /more than 5,000 rows/],
    ['50 MB', new Uint8Array(50_000_000).fill(0x61), /larger than 10 MB/],
  ])('is refused in words: %s', async (_, table, message) => {
    const parsing = Promise.try(() => parseTable(table));
    await expect(parsing).rejects.toBeInstanceOf(InvalidInput);
    await expect(parsing).rejects.toThrow(message);
  });

  test('with a row of 1 MB or a quotation mark that stays open is read', () => {
    const [row] = parseTable(
      `name,destination\nA,https://example.com/${'x'.repeat(1_000_000)}`,
    ).rows;
    expect(row?.problem).toMatch(/longer than/);
    const open = `name,destination\n${'"a,https://example.com/\n'.repeat(4000)}`;
    expect(parseTable(open).rows.every(({ problem }) => problem !== null)).toBe(true);
    expect(() => parseTable('"\n'.repeat(2_000_000))).toThrow(InvalidInput);
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
            expect(error).toBeInstanceOf(InvalidInput);
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

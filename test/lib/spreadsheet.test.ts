import { describe, expect, test } from 'bun:test';
import { cliSentence } from '../../src/cli/sentences/sentences.ts';
import { SpreadsheetError } from '../../src/lib/spreadsheet/cells.ts';
import { readSpreadsheet } from '../../src/lib/spreadsheet/read.ts';
import { rejectionOf } from '../support/rejection.ts';
import { changeHeaders, ods, xlsx, zip } from '../support/spreadsheets.ts';

const bounds = { maxRows: 100, maxColumns: 10 };
const read = (bytes: Uint8Array, sheet: string | null = null) =>
  readSpreadsheet(bytes, sheet, bounds);
const texts = async (bytes: Uint8Array) =>
  (await read(bytes)).rows.map(({ cells }) => cells.map(({ text }) => text));
const cellsOf = async (bytes: Uint8Array) => (await read(bytes)).rows.flatMap(({ cells }) => cells);
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const formats = [
  'General',
  '00000',
  '0%',
  '0.00%',
  '#,##0.00',
  'dd.mm.yyyy',
  '[$-407]d\\. mmmm yyyy',
  'yyyy-mm-dd hh:mm',
  'hh:mm',
  '[h]:mm',
  '0.0 "per day"',
  '@',
];
const styles = (codes: readonly string[]) =>
  `<styleSheet><numFmts>${codes.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`).join('')}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>${codes.map((_, at) => `<xf numFmtId="${164 + at}"/>`).join('')}<xf numFmtId="14"/><xf numFmtId="10"/></cellXfs></styleSheet>`;

describe('an .xlsx file', () => {
  test.each([
    ['<c><v>7</v></c>', '7'],
    ['<c><v>0.30000000000000004</v></c>', '0.3'],
    ['<c><v>4006381333931</v></c>', '4006381333931'],
    ['<c s="1"><v>42</v></c>', '00042'],
    ['<c s="2"><v>0.25</v></c>', '25%'],
    ['<c s="3"><v>0.255</v></c>', '25.50%'],
    ['<c s="4"><v>1234.5</v></c>', '1,234.50'],
    ['<c s="5"><v>46053</v></c>', '2026-01-31'],
    ['<c s="6"><v>46053</v></c>', '2026-01-31'],
    ['<c s="7"><v>46053.5</v></c>', '2026-01-31T12:00:00'],
    ['<c s="8"><v>0.5</v></c>', '12:00'],
    ['<c s="9"><v>1.5</v></c>', '36:00'],
    ['<c s="10"><v>2</v></c>', '2.0 per day'],
    ['<c s="11"><v>12</v></c>', '12'],
    ['<c s="12"><v>46053</v></c>', '2026-01-31'],
    ['<c s="13"><v>0.5</v></c>', '50.00%'],
    ['<c t="d"><v>2026-01-31T00:00:00</v></c>', '2026-01-31'],
    ['<c t="b"><v>1</v></c>', 'TRUE'],
    ['<c t="e"><f>1/0</f><v>#DIV/0!</v></c>', '#DIV/0!'],
    ['<c t="str"><f>"a"&amp;"b"</f><v>ab</v></c>', 'ab'],
    ['<c><f>1+1</f><v>2</v></c>', '2'],
    ['<c t="s"><v>0</v></c>', 'rich text'],
    ['<c t="s"><v>1</v></c>', '\u6771\u4eac'],
    ['<c t="s"><v>2</v></c>', 'two\nlines'],
    ['<c t="s"><v>9</v></c>', ''],
    ['<c t="inlineStr"><is><r><t>a </t></r><r><t>b_x0041__x0000_</t></r></is></c>', 'a bA'],
    ['<x:c t="inlineStr"><x:is><x:t><![CDATA[<&>]]></x:t></x:is></x:c>', '<&>'],
  ])('shows %s as it is', async (cell, text) => {
    const sharedStrings =
      '<sst><si><r><rPr/><t>rich</t></r><r><t xml:space="preserve"> text</t></r></si><si><t>\u6771\u4eac</t><rPh sb="0" eb="2"><t>\u30c8\u30a6\u30ad\u30e7\u30a6</t></rPh></si><si><t>two_x000D_\nlines</t></si></sst>';
    const file = xlsx([{ name: 'A', rows: [['x', cell.replaceAll('x:', '')]] }], {
      'xl/styles.xml': styles(formats),
      'xl/sharedStrings.xml': sharedStrings,
    });
    expect((await texts(file))[0]?.slice(1)).toEqual(text === '' ? [] : [text]);
  });

  test('keeps the positions of rows and cells, and leaves out empty ones', async () => {
    const sheet =
      '<worksheet><sheetData><row r="3"><c r="B3" t="str"><v>b</v></c><c r="D3" t="str"><v>d</v></c></row><row r="4"><c r="A4"/></row><row><c r="AA5" t="str"><v>far</v></c></row></sheetData></worksheet>';
    const { rows } = await read(
      xlsx([{ name: 'A', rows: [] }], { 'xl/worksheets/sheet0.xml': sheet }),
    );
    expect(rows.map(({ row, cells }) => [row, cells.map(({ text }) => text).join('|')])).toEqual([
      [3, '|b||d'],
      [5, '||||||||||far'],
    ]);
  });

  test('has the links of cells, ranges and formulas', async () => {
    const sheet = `<worksheet xmlns:r="${office}"><sheetData><row r="1"><c r="A1" t="str"><v>a</v></c><c r="B1" t="str"><v>b</v></c><c r="C1" t="str"><f>HYPERLINK("https://example.com/f?a=""1""","Menu")</f><v>Menu</v></c></row></sheetData><hyperlinks><hyperlink ref="A1:B1" r:id="h1" location="part"/><hyperlink ref="C9" r:id="h1"/><hyperlink ref="B1" location="Sheet2!A1"/></hyperlinks></worksheet>`;
    const file = xlsx([{ name: 'A', rows: [] }], {
      'xl/worksheets/sheet0.xml': sheet,
      'xl/worksheets/_rels/sheet0.xml.rels': `<Relationships><Relationship Id="h1" Type="${office}/hyperlink" Target="https://example.com/a" TargetMode="External"/></Relationships>`,
    });
    expect((await cellsOf(file)).map(({ link }) => link)).toEqual([
      'https://example.com/a#part',
      'https://example.com/a#part',
      'https://example.com/f?a="1"',
    ]);
  });

  test('counts dates from 1904 where it says so, and skips hidden sheets', async () => {
    const workbook = `<workbook xmlns:r="${office}"><workbookPr date1904="1"/><sheets><sheet name="Hidden" state="hidden" r:id="s0"/><sheet name="Shown" r:id="s1"/></sheets></workbook>`;
    const sheets = ['Hidden', 'Shown'].map((name) => ({
      name,
      rows: [[name, '<c s="0"><v>0</v></c>']],
    }));
    const file = xlsx(sheets, { 'xl/workbook.xml': workbook, 'xl/styles.xml': styles(['d.m.yy']) });
    expect(await read(file)).toMatchObject({ sheet: 'Shown', otherSheets: ['Hidden'] });
    expect(await texts(file)).toEqual([['Shown', '1904-01-01']]);
    expect(await read(file, ' hidden')).toMatchObject({ sheet: 'Hidden' });
  });
});

describe('an .ods file', () => {
  test('has the texts that are shown, dates, repeated cells and links', async () => {
    const rows = [
      [
        '<table:table-cell table:number-columns-repeated="2"/>',
        'c',
        '<table:table-cell table:number-columns-repeated="2" office:value-type="float" office:value="7"><text:p>007</text:p></table:table-cell>',
      ],
      [
        '<table:table-cell office:value-type="date" office:date-value="2026-01-31T00:00:00"><text:p>31.01.26</text:p></table:table-cell>',
        '<table:table-cell office:value-type="percentage" office:value="0.5"><text:p>50 %</text:p></table:table-cell>',
      ],
      [
        '<table:table-cell><office:annotation><text:p>comment</text:p></office:annotation><text:p>one  <text:s text:c="2"/>two</text:p><text:p><text:span>th</text:span>ree</text:p></table:table-cell>',
      ],
      [
        '<table:table-cell><text:p><text:a xlink:href="https://example.com/a">Menu</text:a></text:p></table:table-cell>',
        '<table:table-cell table:formula="of:=HYPERLINK(&quot;https://example.com/f&quot;;&quot;Menu&quot;)"><text:p>Menu</text:p></table:table-cell>',
      ],
    ];
    const file = ods([
      { name: 'A', rows },
      { name: 'B', rows: [['other']] },
    ]);
    expect(await texts(file)).toEqual([
      ['', '', 'c', '007', '007'],
      ['2026-01-31', '50 %'],
      ['one   two\nthree'],
      ['Menu', 'Menu'],
    ]);
    expect((await cellsOf(file)).flatMap(({ link }) => link ?? [])).toEqual([
      'https://example.com/a',
      'https://example.com/f',
    ]);
    expect(await read(file, 'B')).toMatchObject({ rows: [{ row: 1, cells: [{ text: 'other' }] }] });
  });

  test('skips hidden sheets', async () => {
    const tables = ['Old', 'New'].map(
      (name, at) =>
        `<table:table table:name="${name}" table:style-name="s${at}"><table:table-row><table:table-cell><text:p>${name}</text:p></table:table-cell></table:table-row></table:table>`,
    );
    const styles =
      '<office:automatic-styles><style:style style:name="s0"><style:table-properties table:display="false"/></style:style></office:automatic-styles>';
    const file = ods([], {
      'content.xml': `<office:document-content xmlns:office="o" xmlns:style="s" xmlns:table="t" xmlns:text="x">${styles}<office:body><office:spreadsheet>${tables.join('')}</office:spreadsheet></office:body></office:document-content>`,
    });
    expect((await readSpreadsheet(file, null, bounds)).sheet).toBe('New');
    expect((await readSpreadsheet(file, 'Old', bounds)).sheet).toBe('Old');
  });

  test('may repeat rows and cells a million times', async () => {
    const million = '1048576';
    const table = `<o:document-content><o:body><o:spreadsheet><t:table t:name="A"><t:table-row t:number-rows-repeated="${million}"><t:table-cell t:number-columns-repeated="${million}"/></t:table-row><t:table-row t:number-rows-repeated="${million}"><t:table-cell t:number-columns-repeated="${million}"><x:p>x</x:p></t:table-cell></t:table-row></t:table></o:spreadsheet></o:body></o:document-content>`;
    const { rows } = await read(ods([], { 'content.xml': table }));
    expect(rows).toHaveLength(bounds.maxRows);
    expect(rows[0]?.row).toBe(1048577);
    expect(rows[0]?.cells).toHaveLength(bounds.maxColumns + 1);
  });
});

const table = [
  {
    name: 'A',
    rows: [
      ['name', 'url'],
      ['T', 'https://example.com'],
    ],
  },
];
const odsEntries = {
  mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
  'META-INF/manifest.xml': '<manifest/>',
};
const bomb = (size: number) => zip({ ...odsEntries, 'content.xml': ' '.repeat(size) });

test.each([
  [
    'an encrypted .ods file',
    ods(table, {
      'META-INF/manifest.xml':
        '<m:manifest><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>',
    }),
    /encrypted with a password/,
  ],
  [
    'a Numbers file',
    zip({ 'Index/Document.iwa': 'x', 'Metadata/Properties.plist': '' }),
    /Apple Numbers.*Export To/,
  ],
  [
    'a binary workbook',
    zip({ '[Content_Types].xml': '', 'xl/workbook.bin': '' }),
    /\.xlsb.*Save it as \.xlsx/,
  ],
  [
    'a text document',
    zip({ '[Content_Types].xml': '', 'word/document.xml': '' }),
    /no spreadsheet/,
  ],
  ['an .odt document', ods([], { 'content.xml': '<d><text/></d>' }), /no spreadsheet/],
  ['another ZIP file', zip({ 'photo.jpg': '' }), /no spreadsheet/],
  ['a workbook without sheets', xlsx([]), /no sheet/],
  ['broken XML', ods(table, { 'content.xml': '<office:document-content>' }), /broken/],
  [
    'an entity',
    ods(table, { 'content.xml': '<!DOCTYPE d [<!ENTITY a "aaaa">]><d>&a;</d>' }),
    /broken/,
  ],
  ['half a file', xlsx(table).subarray(0, 300), /broken/],
  ['a bomb', bomb(100_000_000), /larger than 60 MB/],
])('%s is refused with what to do', async (_, bytes, message) => {
  const error = await rejectionOf(read(bytes));
  if (!(error instanceof SpreadsheetError)) throw error;
  expect(cliSentence(error.problem)).toMatch(message);
});

test('a bomb that says it is small is refused', async () => {
  const file = changeHeaders(Buffer.from(bomb(1_000_000)), 'content.xml', { size: 1000 });
  expect(String(await rejectionOf(read(file)))).toMatch(/broken/);
});

test('no bytes fail otherwise than in words', async () => {
  const file = xlsx(table);
  for (let at = 0; at < file.length; at += 7) {
    const bytes = file.slice();
    bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    await read(bytes).catch((error) => expect(error).toBeInstanceOf(SpreadsheetError));
  }
});

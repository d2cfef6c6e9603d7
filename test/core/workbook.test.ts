import { describe, expect, test } from 'bun:test';
import { cliNotice, cliSentence } from '../../src/cli/sentences/sentences.ts';
import { parseTable } from '../../src/core/batches/table.ts';
import { parseLinkFile } from '../../src/core/codes/imports/parse-file.ts';
import { readSheet } from '../../src/core/codes/tables/text-file.ts';
import { refusalOf } from '../support/refusal.ts';
import { ods, type TestSheet, xlsx } from '../support/spreadsheets.ts';
import { openIn, parsedTable, questionOf } from '../support/tables.ts';

const bounds = { maxBytes: 1_000_000, maxRows: 100 };
const read = async (file: Uint8Array, sheet?: string) =>
  parsedTable(await readSheet(file, sheet, bounds), { sheet });
const outcomes = async (file: Uint8Array) =>
  (await read(file)).rows.map(({ name, destination, problem }) =>
    problem === null ? [name, destination] : cliSentence(problem),
  );

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Kinds of cells as each format writes them. */
const formats = {
  xlsx: {
    file: xlsx,
    formula: (formula: string, text: string) =>
      `<c t="str"><f>${escaped(formula)}</f><v>${escaped(text)}</v></c>`,
    withoutResult: (formula: string) => `<c><f>${escaped(formula)}</f></c>`,
    error: (text: string) => `<c t="e"><f>VLOOKUP(1,2,3)</f><v>${text}</v></c>`,
    number: (value: string) => `<c><v>${value}</v></c>`,
    empty: '<c t="s"/>',
  },
  ods: {
    file: ods,
    formula: (formula: string, text: string) =>
      `<table:table-cell table:formula="of:=${escaped(openFormula(formula))}" office:value-type="string" office:string-value="${escaped(text)}"><text:p>${escaped(text)}</text:p></table:table-cell>`,
    withoutResult: (formula: string) =>
      `<table:table-cell table:formula="of:=${escaped(openFormula(formula))}"/>`,
    error: (text: string) =>
      `<table:table-cell table:formula="of:=NA()" office:value-type="string" office:string-value=""><text:p>${text}</text:p></table:table-cell>`,
    number: (value: string) =>
      `<table:table-cell office:value-type="float" office:value="${value}"><text:p>${value}</text:p></table:table-cell>`,
    empty: '<table:table-cell/>',
  },
} as const;

/** Writes a formula of Excel as OpenDocument has it. */
function openFormula(formula: string): string {
  return formula
    .split(/("(?:[^"]|"")*")/)
    .map((part) =>
      part.startsWith('"')
        ? part
        : part.replaceAll(',', ';').replaceAll(/\$?[A-Z]{1,3}\$?\d+/g, '[.$&]'),
    )
    .join('');
}

/** Returns what a link shows: its second argument if that is a text. */
const labelOf = (formula: string) => /,"([^"]*)"\)+$/.exec(formula)?.[1] ?? 'Open';

const computed = 'The link is computed. Put the address itself into a cell.';

describe.each(['xlsx', 'ods'] as const)('a table in .%s', (format) => {
  const { file, formula, withoutResult, error, number, empty } = formats[format];
  const table = (...rows: string[][]) => file([{ name: 'A', rows }]);

  test.each([
    ['HYPERLINK("https://example.com/"&A2,"Open")', 'https://example.com/one'],
    ['HYPERLINK("https://example.com/" & $A2 & "?x=" & C2,"Open")', 'https://example.com/one?x=7'],
    [
      'HYPERLINK(CONCATENATE("https://example.com/",A2,"/",C2),"Open")',
      'https://example.com/one/7',
    ],
    ['HYPERLINK(CONCAT("https://example.com/",A2),"Open")', 'https://example.com/one'],
    [
      'HYPERLINK("https://example.com/"&CONCATENATE(A2,"-",A2),"Open")',
      'https://example.com/one-one',
    ],
    ['HYPERLINK(("https://example.com/"&A2),"Open "&A2)', 'https://example.com/one'],
    ['HYPERLINK("https://example.com/q""x","Open")', 'https://example.com/q"x'],
    ['hyperlink("https://example.com/lower")', 'https://example.com/lower'],
    ['HYPERLINK("https://example.com/"&A2,"example.com")', 'https://example.com/one'],
    ['HYPERLINK("https://example.com/"&D2,"Open")', computed],
    ['HYPERLINK("https://example.com/"&Z2&"/x","Open")', computed],
    ['HYPERLINK("https://example.com/"&ROW(),"https://example.com/")', computed],
    ['IF(A2="","",HYPERLINK("https://example.com/"&ROW(),"https://example.com/"))', computed],
    ['HYPERLINK("https://example.com/"&Sheet2!A2,"Open")', computed],
    ['HYPERLINK(CONCATENATE("https://example.com/",A2:C2),"Open")', computed],
    ['HYPERLINK("https://example.com/t?id="&ROW(),"Open")', computed],
    ['HYPERLINK("https://example.com/"&$E$1,"Open")', computed],
    ['HYPERLINK("https://example.com/"&A3,"Open")', computed],
    ['HYPERLINK("https://example.com/"&TEXT(C2,"000"),"Open")', computed],
    ['HYPERLINK("https://example.com/"&SUBSTITUTE(A2," ","-"),"Open")', computed],
    ['HYPERLINK("https://example.com/"&C2*2,"Open")', computed],
    ['HYPERLINK("https://example.com/"&F2,"Open")', computed],
    ['IF(A2="","",HYPERLINK("https://example.com/if/"&A2,"Open"))', computed],
    ['HYPERLINK("https://example.com/"&A2,"Open")&"!"', computed],
  ])('has the link of %s, or refuses the row', async (text, expected) => {
    const rows = [
      ['Name', 'Destination', 'Number', 'Empty', 'E', 'F'],
      ['one', formula(text, labelOf(text)), number('7'), empty, 'x', number('1.5')],
    ];
    const outcome = expected === computed ? computed : ['one', expected];
    expect(await outcomes(table(...rows))).toEqual([outcome]);
    const links = [['path', 'destination', 'Number', 'Empty', 'E', 'F'], ...rows.slice(1)];
    const sheet = await readSheet(table(...links), undefined, bounds);
    const linkColumns = [{ role: 'active', of: 'none' }] as const;
    const [link] = parseLinkFile(sheet, { linkColumns }).links;
    if (expected === computed) expect(link?.problem).toEqual({ kind: 'computed link' });
    else expect(link).toMatchObject({ short: 'one', destination: expected });
  });

  test('takes the result of a link without a label, which is the address', async () => {
    const url = 'https://example.com/7';
    for (const text of ['HYPERLINK(VLOOKUP(A2,Lists!A1,2))', 'IF(A2="","",HYPERLINK("x,y"&ROW()))'])
      expect(await outcomes(table(['Name', 'Destination'], ['a', formula(text, url)]))).toEqual([
        ['a', url],
      ]);
  });

  test('whose links are all computed in another way is refused row by row', async () => {
    const cell = formula('HYPERLINK("https://example.com/"&ROW(),"Open")', 'Open');
    expect(await outcomes(table(['Wine', 'Destination'], ['a', cell], ['b', cell]))).toEqual([
      computed,
      computed,
    ]);
  });

  test('has the text of linked cells as names, if somebody says so', async () => {
    const cell = (name: string) =>
      formula(`HYPERLINK("https://example.com/${name}","${name}")`, name);
    const sheet = await readSheet(table(['Menu'], [cell('a')], [cell('b')]), undefined, bounds);
    expect(parsedTable(sheet).rows).toMatchObject([
      { name: null, destination: 'https://example.com/a' },
      { name: null, destination: 'https://example.com/b' },
    ]);
    const columns = [
      { role: 'destination', of: 'Menu' },
      { role: 'name', of: 'Menu' },
    ] as const;
    expect(parsedTable(sheet, { columns }).rows).toMatchObject([
      { name: 'a', destination: 'https://example.com/a' },
      { name: 'b', destination: 'https://example.com/b' },
    ]);
  });

  test('refuses rows with errors and without results, where they are used', async () => {
    const url = 'https://example.com/';
    const rows = [
      [error('#N/A'), url, 'note', 'x'],
      ['b', error('#REF!'), 'note', 'x'],
      ['c', withoutResult('"https://example.com/"&A3'), '', ''],
      [withoutResult('A1&"x"'), url, '', ''],
      ['e', url, error('#DIV/0!'), ''],
      ['f', `${url}f`, '', error('#N/A')],
      ['#N/A', url, '', ''],
      ['h', withoutResult('HYPERLINK("https://example.com/h")'), '', ''],
    ];
    expect(await outcomes(table(['Name', 'Destination', 'Note', 'Other'], ...rows))).toEqual([
      'The cell of the name shows #N/A. Correct its formula.',
      'The cell of the destination shows #REF!. Correct its formula.',
      expect.stringContaining(
        'The cell of the destination has a formula whose result is not in the file.',
      ),
      expect.stringContaining(
        'The cell of the name has a formula whose result is not in the file.',
      ),
      'The cell of the note shows #DIV/0!. Correct its formula.',
      ['f', `${url}f`],
      'The cell of the name shows #N/A. Correct its formula.',
      ['h', `${url}h`],
    ]);
    const [link] = parseLinkFile(
      await readSheet(table(['path', 'destination'], [error('#NAME?'), url]), undefined, bounds),
    ).links;
    expect(link?.problem).toEqual({ kind: 'error in a cell', noun: 'path', text: '#NAME?' });
  });

  const sheets = (...all: [string, string[][]][]) =>
    file(all.map(([name, rows]): TestSheet => ({ name, rows })));
  const cover: [string, string[][]] = [
    'Cover',
    [
      ['Inventory', 'of 2026'],
      ['Sheet', 'Table'],
    ],
  ];
  const codes = (name: string): [string, string[][]] => [
    name,
    [
      ['Name', 'Destination'],
      ['A', `https://example.com/${name}`],
    ],
  ];

  test('is read from the only sheet with rows', async () => {
    const { rows, notices, otherSheets } = await read(
      sheets(['Sheet1', []], codes('Codes'), ['Sheet3', []]),
    );
    expect(rows.map(({ destination }) => destination)).toEqual(['https://example.com/Codes']);
    expect(notices.map(cliNotice)).toEqual(['The sheet "Codes" was read; 2 other sheets are not.']);
    expect(otherSheets).toEqual(['Sheet1', 'Sheet3']);
  });

  test('is asked about where several sheets have rows', async () => {
    const several = sheets(cover, ['Sheet1', []], codes('Old'), codes('New'));
    const first = questionOf(await readSheet(several, undefined, bounds));
    expect(openIn(first)).toContain('sheet');
    expect(first.sheets).toEqual(['Cover', 'Old', 'New']);
    expect(first.columns.map(({ header }) => header)).toEqual(['Inventory', 'of 2026']);
    const chosen = await read(several, 'New');
    expect(chosen.rows.map(({ destination }) => destination)).toEqual(['https://example.com/New']);
    const look = { sheet: 'New', isLook: true };
    const shown = questionOf(await readSheet(several, 'New', bounds), look);
    expect(shown.sheets).toEqual(['Cover', 'Old', 'New']);
    expect(shown.isSheetOpen).toBe(false);
  });

  test('names the sheet that was read where it is refused', async () => {
    const template = sheets(['Template', [['name', 'destination']]], ['Lists', []]);
    const sheet = await readSheet(template, undefined, bounds);
    expect((await refusalOf(() => parseTable(sheet))).said).toMatch(/no row.*The sheet "Template"/);
  });
});

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const sheetXml = (content: string) =>
  xlsx([{ name: 'A', rows: [] }], {
    'xl/worksheets/sheet0.xml': `<worksheet xmlns:r="${office}">${content}</worksheet>`,
  });
const text = (value: string) => `<c t="inlineStr"><is><t>${escaped(value)}</t></is></c>`;
const row = (attributes: string, ...cells: string[]) =>
  `<row ${attributes}>${cells.map((cell) => (cell.startsWith('<c') ? cell : text(cell))).join('')}</row>`;

test('formulas that cells of .xlsx share are read with the cells of each row', async () => {
  const cell = (at: number, formula: string) => `<c r="B${at}" t="str">${formula}<v>Open</v></c>`;
  const first = escaped('HYPERLINK("https://example.com/"&A2&$A2,"Open")');
  const fixed = escaped('HYPERLINK("https://example.com/"&A$2,"Open")');
  const file = sheetXml(
    `<sheetData>${[
      row('r="1"', 'Name', 'Destination'),
      row('r="2"', 'a', cell(2, `<f t="shared" ref="B2:B3" si="0">${first}</f>`)),
      row('r="3"', 'b', cell(3, '<f t="shared" si="0"/>')),
      row('r="4"', 'c', cell(4, `<f t="shared" ref="B4:B5" si="1">${fixed}</f>`)),
      row('r="5"', 'd', cell(5, '<f t="shared" si="1"/>')),
    ].join('')}</sheetData>`,
  );
  expect(await outcomes(file)).toEqual([
    ['a', 'https://example.com/aa'],
    ['b', 'https://example.com/bb'],
    computed,
    computed,
  ]);
});

test('hidden rows and columns and merged names of .xlsx are named', async () => {
  const url = 'https://example.com/';
  const file = sheetXml(
    `<cols><col min="3" max="3" hidden="1"/><col min="9" max="16384" hidden="1"/></cols><sheetData>${[
      row('r="1"', 'Name', 'Destination', 'Note'),
      row('r="2"', 'a', `${url}1`, 'x'),
      row('r="3" hidden="1"', '<c t="s"/>', `${url}2`),
      row('r="4" hidden="true"', 'c', `${url}3`),
      row('r="5"', 'd', `${url}4`),
    ].join(
      '',
    )}</sheetData><mergeCells><mergeCell ref="A2:A3"/><mergeCell ref="A1:B1"/><mergeCell ref="F2:F9"/></mergeCells>`,
  );
  const { rows, notices } = await read(file);
  expect(rows.map(({ name }) => name)).toEqual(['a', null, 'c', 'd']);
  expect(notices.map(cliNotice)).toEqual([
    'Rows 3, 4 are hidden in the spreadsheet, and were read too.',
    'Column C is hidden in the spreadsheet, and was read too.',
    'Cells are merged over several rows: A2:A3. Only the first of these rows has their text.',
  ]);
});

test('hidden rows and columns and merged names of .ods are named', async () => {
  const cell = (value: string, attributes = '') =>
    `<table:table-cell ${attributes}><text:p>${value}</text:p></table:table-cell>`;
  const odsRow = (attributes: string, ...cells: string[]) =>
    `<table:table-row ${attributes}>${cells.join('')}</table:table-row>`;
  const rows = [
    '<table:table-column/><table:table-column table:number-columns-repeated="2" table:visibility="collapse"/>',
    odsRow('', cell('Name'), cell('Destination'), cell('Note')),
    odsRow(
      '',
      cell('a', 'table:number-rows-spanned="2"'),
      cell('https://example.com/1'),
      cell('x'),
    ),
    odsRow(
      'table:visibility="filter"',
      '<table:covered-table-cell/>',
      cell('https://example.com/2'),
    ),
  ];
  const names = ['office', 'table', 'text'].map((name) => `xmlns:${name}="${name}"`).join(' ');
  const file = ods([], {
    'content.xml': `<office:document-content ${names}><office:body><office:spreadsheet><table:table table:name="A">${rows.join('')}</table:table></office:spreadsheet></office:body></office:document-content>`,
  });
  const table = await read(file);
  expect(table.rows.map(({ name }) => name)).toEqual(['a', null]);
  expect(table.notices.map(cliNotice)).toEqual([
    'Row 3 is hidden in the spreadsheet, and was read too.',
    'Columns B, C are hidden in the spreadsheet, and were read too.',
    'Cells are merged over several rows: A2:A3. Only the first of these rows has their text.',
  ]);
});

test('a cell of .xlsx without a value is empty, whatever its type', async () => {
  const types = ['s', 'str', 'n', 'b', 'e', 'inlineStr', 'd'];
  for (const type of types)
    for (const content of ['/>', '><v></v></c>', '><v/></c>']) {
      const cells = row('r="2"', 'https://example.com/', `<c t="${type}"${content}`);
      const file = xlsx([{ name: 'A', rows: [] }], {
        'xl/sharedStrings.xml': '<sst><si><t>First</t></si></sst>',
        'xl/worksheets/sheet0.xml': `<worksheet><sheetData>${row('r="1"', 'Destination', 'Name')}${cells}</sheetData></worksheet>`,
      });
      expect([type, content, await outcomes(file)]).toEqual([
        type,
        content,
        [[null, 'https://example.com/']],
      ]);
    }
});

test('a 0 that a library stored for a formula is no result', async () => {
  const name = '<c><f>Lists!A1</f><v>0</v></c>';
  const rows = [
    ['Name', 'Destination'],
    [name, 'https://example.com/'],
  ];
  const workbook = (calculation: string) => ({
    'xl/workbook.xml': `<workbook xmlns:r="${office}"><sheets><sheet name="A" sheetId="1" r:id="s0"/></sheets>${calculation}</workbook>`,
  });
  const file = (calculation: string) => xlsx([{ name: 'A', rows }], workbook(calculation));
  expect(await outcomes(file('<calcPr calcId="1" fullCalcOnLoad="1"/>'))).toEqual([
    expect.stringContaining('The cell of the name has a formula whose result is not in the file.'),
  ]);
  expect(await outcomes(file('<calcPr calcId="1"/>'))).toEqual([['0', 'https://example.com/']]);
  const link = '<c><f>HYPERLINK("https://example.com/","Menu")</f><v>0</v></c>';
  const parts = workbook('<calcPr calcId="1" fullCalcOnLoad="1"/>');
  expect(await outcomes(xlsx([{ name: 'A', rows: [['Destination'], [link]] }], parts))).toEqual([
    [null, 'https://example.com/'],
  ]);
});

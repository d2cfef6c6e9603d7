import { ods, type TestSheet, xlsx } from './spreadsheets.ts';

const sheet: readonly TestSheet[] = [{ name: 'A', rows: [] }];
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const repeat = (count: number, text: (at: number) => string) =>
  Array.from({ length: Math.ceil(count) }, (_, at) => text(at)).join('');

/** Creates an `.xlsx` file with the rows of its sheet in XML. */
const workbook = (rows: string, parts: Readonly<Record<string, string>> = {}, after = '') =>
  xlsx(sheet, {
    'xl/worksheets/sheet0.xml': `<worksheet xmlns:r="${office}"><sheetData>${rows}</sheetData>${after}</worksheet>`,
    ...parts,
  });

/** Rows of numbers in the first style. */
const numbers = (cells: number) =>
  repeat(
    cells / 100,
    (row) => `<row>${repeat(100, (at) => `<c s="0"><v>${row}.${at}</v></c>`)}</row>`,
  );
const formatted = (code: string, cells: number) =>
  workbook(numbers(cells), {
    'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>`,
  });

/** A workbook that takes minutes to format. */
export const endlessWorkbook = () => formatted('0'.repeat(250), 1_500_000);

/**
 * Workbooks that were made to take any time or memory, by what is in them.
 *
 * @param share of the size that took minutes or gigabytes
 */
export const hostileWorkbooks: Readonly<Record<string, (share: number) => Uint8Array>> = {
  'links on long ranges': (share) =>
    workbook(
      repeat(
        5000 * share,
        (at) => `<row r="${at + 1}">${repeat(20, () => '<c t="str"><v>a</v></c>')}</row>`,
      ),
      {
        'xl/worksheets/_rels/sheet0.xml.rels': `<Relationships><Relationship Id="h" Type="${office}/hyperlink" Target="https://example.com/a" TargetMode="External"/></Relationships>`,
      },
      `<hyperlinks>${repeat(20_000 * share, (at) => `<hyperlink ref="A1:Z${1_048_000 + at}" r:id="h"/>`)}</hyperlinks>`,
    ),
  'a long shared string in many cells': (share) =>
    workbook(
      repeat(5000 * share, () => `<row>${repeat(100, () => '<c t="s"><v>0</v></c>')}</row>`),
      { 'xl/sharedStrings.xml': `<sst><si><t>${'a '.repeat(1_500_000 * share)}</t></si></sst>` },
    ),
  'a shared string of blanks in many cells': (share) =>
    workbook(
      repeat(5000 * share, () => `<row>${repeat(100, () => '<c t="s"><v>0</v></c>')}</row>`),
      {
        'xl/sharedStrings.xml': `<sst><si><t>${'\u200b'.repeat(1_000_000 * share)}</t></si></sst>`,
      },
    ),
  'repeated spaces': (share) =>
    ods([
      {
        name: 'A',
        rows: [
          [
            `<table:table-cell><text:p>${'<text:s text:c="1000"/>'.repeat(1_000_000 * share)}</text:p></table:table-cell>`,
          ],
        ],
      },
    ]),
  'a number format of zeros': (share) => formatted('0'.repeat(200_000 * share), 250_000 * share),
  'a number format of 1,200 characters': (share) =>
    formatted('#,##0.00'.repeat(150), 250_000 * share),
  'a number format of fractions': (share) => formatted('# ?????????/?????????', 250_000 * share),
  'a number format of brackets': (share) => formatted('['.repeat(60_000 * share), 250_000 * share),
  'attributes on one element': (share) =>
    workbook(`<row ${repeat(1_500_000 * share, (at) => `a${at}="" `)}/>`),
  'nested elements': (share) =>
    workbook(`${'<a>'.repeat(5_000_000 * share)}${'</a>'.repeat(5_000_000 * share)}`),
  'many elements': (share) => workbook('<a/>'.repeat(14_000_000 * share)),
  'many rows': (share) => workbook('<row/>'.repeat(9_000_000 * share)),
  'many cells in a row': (share) =>
    workbook(`<row>${'<c t="str"><v>a</v></c>'.repeat(2_400_000 * share)}</row>`),
  'many shared strings': (share) =>
    workbook('', {
      'xl/sharedStrings.xml': `<sst>${'<si><t>a</t></si>'.repeat(3_000_000 * share)}</sst>`,
    }),
  'a long text': (share) =>
    workbook(`<row><c t="inlineStr"><is><t>${'a'.repeat(55_000_000 * share)}</t></is></c></row>`),
  'many sheets': (share) =>
    xlsx(Array.from({ length: 4000 * share }, (_, at) => ({ name: `${at}`, rows: [['a']] }))),
};

/** Texts of about a length that were made to take any time or memory, by what is in them. */
export const hostileTexts: Readonly<Record<string, (length: number) => string>> = {
  'a cell of blanks': (length) => `a,${' '.repeat(length)}b\n`,
  'a cell of blanks at the end': (length) => `a,b${' '.repeat(length)}x\n`,
  'characters of no width': (length) => `${'\u200b'.repeat(length / 3)}x${'\u200b'.repeat(10)}`,
  quotes: (length) => '"'.repeat(length),
  'open quotes': (length) => '"a\n'.repeat(length / 3),
  brackets: (length) => '['.repeat(length),
  parentheses: (length) => `url ${'('.repeat(length)}`,
  ampersands: (length) => '&'.repeat(length),
  commas: (length) => ','.repeat(length),
  'lines of commas': (length) => `${','.repeat(90)}\n`.repeat(length / 91),
  'line breaks': (length) => '\n'.repeat(length),
  returns: (length) => '\r'.repeat(length),
  digits: (length) => '7'.repeat(length),
  dots: (length) => 'a.'.repeat(length / 2),
  slashes: (length) => `https://${'/'.repeat(length)}`,
  'nested lists': (length) => '['.repeat(length / 2) + ']'.repeat(length / 2),
  'nested objects': (length) => '{"a":'.repeat(length / 5),
  'an SQL dump': (length) => `INSERT${' '.repeat(length)}`,
  'lines of blanks': (length) => `${' '.repeat(999)}\n`.repeat(length / 1000),
  addresses: (length) => 'https://example.com/menu?table=7\n'.repeat(length / 33),
  'distinct fields': (length) =>
    `[${Array.from({ length: Math.floor(length / 40) }, (_, at) => `{"url":"https://a/","f${at}":"x"}`).join(',')}]`,
};

import { type Archive, tooLarge, type XmlHandler } from './archive.ts';
import {
  cellText,
  collectRows,
  linkOfFormula,
  maxContentLength,
  maxSheets,
  type RowCollector,
  SpreadsheetError,
  type Workbook,
} from './cells.ts';

const content = 'content.xml';

/** Opens an OpenDocument spreadsheet (ISO/IEC 26300), whose cells have the text that is shown. */
export async function openOds(archive: Archive): Promise<Workbook> {
  const sheets: string[] = [];
  const hiddenStyles = new Set<string>();
  let style = '';
  let firstShown: string | undefined;
  let isSpreadsheet = false;
  await archive.parseXml(content, {
    open: (name, attributes) => {
      if (name === 'spreadsheet') isSpreadsheet = true;
      else if (name === 'style') style = attributes.get('name') ?? '';
      else if (name === 'table-properties' && attributes.get('display') === 'false')
        hiddenStyles.add(style);
      if (name !== 'table') return;
      if (sheets.length === maxSheets) throw tooLarge();
      const sheet = attributes.get('name') ?? '';
      sheets.push(sheet);
      if (!hiddenStyles.has(attributes.get('style-name') ?? '')) firstShown ??= sheet;
    },
  });
  if (!isSpreadsheet)
    throw new SpreadsheetError(
      'The file is a document, and no spreadsheet. Use .xlsx, .ods or CSV.',
    );
  return {
    sheets,
    first: firstShown ?? sheets[0],
    rows: async (sheet, bounds) => {
      const collector = collectRows(bounds);
      await archive.parseXml(content, sheetHandler(sheets.indexOf(sheet), collector));
      return collector.rows;
    },
  };
}

/** Parts of a cell, or beside the cells, whose text is not shown in it. */
const skipped: ReadonlySet<string> = new Set(['annotation', 'shapes', 'frame', 'tracked-changes']);

function sheetHandler(wanted: number, collector: RowCollector): XmlHandler {
  let sheet = -1;
  let skippedDepth = 0;
  let row = 1;
  let rowTimes = 1;
  let column = 0;
  let columnTimes = 1;
  let cell: { value: string | null; text: string | null; link: string | null } | null = null;
  let isText = false;
  const write = (text: string) => {
    if (cell !== null && isText && (cell.text?.length ?? 0) < maxContentLength)
      cell.text = (cell.text ?? '') + text.slice(0, maxContentLength);
  };
  return {
    open: (name, attributes) => {
      if (skippedDepth > 0 || skipped.has(name)) {
        skippedDepth++;
        return;
      }
      const times = (attribute: string) => Number(attributes.get(attribute) ?? 1) || 1;
      if (name === 'table') sheet++;
      if (sheet !== wanted) return;
      if (name === 'table-row') {
        rowTimes = times('number-rows-repeated');
        column = 0;
      } else if (name === 'table-cell' || name === 'covered-table-cell') {
        columnTimes = times('number-columns-repeated');
        const isDate = attributes.get('value-type') === 'date';
        const date = isDate ? (attributes.get('date-value') ?? null) : null;
        const value = date?.replace(/T00:00:00(?:\.0+)?$/, '') ?? null;
        cell = { value, text: null, link: linkOfFormula(attributes.get('formula') ?? '') };
      } else if (cell === null) return;
      else if (name === 'p') {
        isText = true;
        write(cell.text === null ? '' : '\n');
      } else if (name === 'a') cell.link ??= cellText(attributes.get('href') ?? '') || null;
      else if (name === 's') write(' '.repeat(Math.min(times('c'), maxSpaces)));
      else if (name === 'tab') write('\t');
      else if (name === 'line-break') write('\n');
    },
    text: (text) => {
      if (skippedDepth === 0) write(text.replace(/[ \t\r\n]+/g, ' '));
    },
    close: (name) => {
      if (skippedDepth > 0) {
        skippedDepth--;
        return;
      }
      if (sheet !== wanted) return;
      if (name === 'p') isText = false;
      if (name === 'table-cell' || name === 'covered-table-cell') {
        const { value = null, text = null, link = null } = cell ?? {};
        collector.add(column, { text: cellText(value ?? text ?? ''), link }, columnTimes);
        column += columnTimes;
        cell = null;
      }
      if (name === 'table-row') {
        collector.endRow(row, rowTimes);
        row += rowTimes;
      }
    },
    isDone: () => sheet > wanted || collector.isFull(),
  };
}

// More than a name or note may have.
const maxSpaces = 1000;

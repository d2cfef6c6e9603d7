import { type Archive, tooLarge, type XmlHandler } from './archive.ts';
import {
  cellText,
  collectRows,
  isErrorText,
  maxContentLength,
  maxSheets,
  type SheetBounds,
  type SheetContent,
  SpreadsheetError,
  type Workbook,
} from './cells.ts';
import { formulaCell } from './formula.ts';
import { collectMarks, rangeOf } from './marks.ts';

const content = 'content.xml';

/** Opens an OpenDocument spreadsheet (ISO/IEC 26300), whose cells have the text that is shown. */
export async function openOds(archive: Archive): Promise<Workbook> {
  const sheets: string[] = [];
  const hiddenStyles = new Set<string>();
  let style = '';
  const shown: string[] = [];
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
      if (!hiddenStyles.has(attributes.get('style-name') ?? '')) shown.push(sheet);
    },
  });
  if (!isSpreadsheet) throw new SpreadsheetError({ kind: 'document of text' });
  return {
    sheets,
    shown: shown.length > 0 ? shown : sheets,
    read: async function* (names, boundsOf) {
      const readers = new Map(
        names.map((name) => [sheets.indexOf(name), sheetReader(boundsOf(name))]),
      );
      // All sheets are in one file, which is read once.
      await archive.parseXml(content, sheetsHandler(readers));
      for (const reader of readers.values()) yield reader.content();
    },
  };
}

/** Parts of a cell, or beside the cells, whose text is not shown in it. */
const skipped: ReadonlySet<string> = new Set(['annotation', 'shapes', 'frame', 'tracked-changes']);

/** Reads the cells of a sheet. */
interface SheetReader extends Required<Pick<XmlHandler, 'open' | 'text' | 'close'>> {
  isFull(): boolean;
  content(): SheetContent;
}

/** Hands what is in each sheet to its reader, if it is read. */
function sheetsHandler(readers: ReadonlyMap<number, SheetReader>): XmlHandler {
  const last = Math.max(...readers.keys());
  let sheet = -1;
  let skippedDepth = 0;
  return {
    open: (name, attributes) => {
      if (skippedDepth > 0 || skipped.has(name)) skippedDepth++;
      else if (name === 'table') sheet++;
      else readers.get(sheet)?.open(name, attributes);
    },
    text: (text) => {
      if (skippedDepth === 0) readers.get(sheet)?.text(text);
    },
    close: (name) => {
      if (skippedDepth > 0) skippedDepth--;
      else readers.get(sheet)?.close(name);
    },
    isDone: () => sheet > last || (sheet === last && readers.get(last)?.isFull() === true),
  };
}

interface OdsCell {
  readonly column: number;
  readonly times: number;
  readonly formula: string;
  readonly type: string;
  readonly value: string | null;
  text: string | null;
  link: string | null;
}

function sheetReader(bounds: SheetBounds): SheetReader {
  const collector = collectRows(bounds);
  const marks = collectMarks(bounds);
  let row = 1;
  let rowTimes = 1;
  let column = 0;
  let cells: OdsCell[] = [];
  let cell: OdsCell | null = null;
  let isText = false;
  const write = (text: string) => {
    if (cell !== null && isText && (cell.text?.length ?? 0) < maxContentLength)
      cell.text = (cell.text ?? '') + text.slice(0, maxContentLength);
  };
  const shown = ({ type, value, text }: OdsCell) => {
    const date = type === 'date' ? value?.replace(/T00:00:00(?:\.0+)?$/, '') : undefined;
    return cellText(date ?? text ?? '');
  };
  const endRow = () => {
    const valueAt = (at: number) => {
      const one = cells.find(({ column, times }) => at >= column && at < column + times);
      if (one === undefined) return null;
      if (one.type === 'string') return shown(one) || null;
      if (one.type === '') return (one.formula === '' && shown(one)) || null;
      return /^(?:float|currency|percentage)$/.test(one.type) &&
        /^-?\d{1,15}$/.test(one.value ?? '')
        ? one.value
        : null;
    };
    for (const one of cells) {
      const text = shown(one);
      if (one.formula === '') {
        collector.add(one.column, { text, link: one.link }, one.times);
        continue;
      }
      const made = formulaCell(
        {
          formula: one.formula,
          text,
          hasResult: one.type !== '' || one.text !== null,
          isError: isErrorText(text),
        },
        { row, valueAt },
      );
      collector.add(one.column, { ...made, link: made.link ?? one.link }, one.times);
    }
    collector.endRow(row, rowTimes);
    row += rowTimes;
    cells = [];
  };
  return {
    open: (name, attributes) => {
      const times = (attribute: string) => Number(attributes.get(attribute) ?? 1) || 1;
      const isCollapsed = /^(?:collapse|filter)$/.test(attributes.get('visibility') ?? '');
      if (name === 'table-column') {
        const end = column + times('number-columns-repeated');
        if (isCollapsed) marks.hideColumns(column, end);
        column = end;
      } else if (name === 'table-row') {
        rowTimes = times('number-rows-repeated');
        column = 0;
        if (isCollapsed) marks.hideRows(row, rowTimes);
      } else if (name === 'table-cell' || name === 'covered-table-cell') {
        const spanned = times('number-rows-spanned');
        if (spanned > 1)
          marks.merge(rangeOf(column, row, times('number-columns-spanned'), spanned));
        cell = {
          column,
          times: times('number-columns-repeated'),
          formula: attributes.get('formula')?.slice(0, maxContentLength) ?? '',
          type: attributes.get('value-type') ?? '',
          value: attributes.get('date-value') ?? attributes.get('value') ?? null,
          text: null,
          link: null,
        };
      } else if (cell === null) return;
      else if (name === 'p') {
        isText = true;
        write(cell.text === null ? '' : '\n');
      } else if (name === 'a') cell.link ??= cellText(attributes.get('href') ?? '') || null;
      else if (name === 's') write(' '.repeat(Math.min(times('c'), maxSpaces)));
      else if (name === 'tab') write('\t');
      else if (name === 'line-break') write('\n');
    },
    text: (text) => write(text.replace(/[ \t\r\n]+/g, ' ')),
    close: (name) => {
      if (name === 'p') isText = false;
      if ((name === 'table-cell' || name === 'covered-table-cell') && cell !== null) {
        // Most cells behind the table are empty, and stand for all columns there are.
        if (cells.length <= bounds.maxColumns) cells.push(cell);
        column += cell.times;
        cell = null;
      }
      if (name === 'table-row') endRow();
    },
    isFull: () => collector.isFull(),
    content: () => marks.content(collector.rows),
  };
}

// More than a name or note may have.
const maxSpaces = 1000;

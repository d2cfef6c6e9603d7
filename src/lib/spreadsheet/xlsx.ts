import { posix } from 'node:path';
import { type Archive, tooLarge } from './archive.ts';
import {
  cellText,
  collectRows,
  columnOf,
  maxContentLength,
  maxSheets,
  type SheetBounds,
  type SheetContent,
  type SheetRow,
  SpreadsheetError,
  type Workbook,
} from './cells.ts';
import { formulaCell } from './formula.ts';
import { collectMarks } from './marks.ts';
import { formatNumber, readFormat } from './number-format.ts';

const isTrue = (value: string | undefined) => /^(?:1|true)$/.test(value ?? '');

interface Relation {
  readonly type: string;
  /** Path in the archive, or address. */
  readonly target: string;
}

/** Opens a workbook of Excel 2007 and later (ECMA-376). */
export async function openXlsx(archive: Archive): Promise<Workbook> {
  const root = [...(await relationsOf(archive, '')).values()];
  const path =
    root.find(({ type }) => type.endsWith('/officeDocument'))?.target ?? 'xl/workbook.xml';
  const relations = await relationsOf(archive, path);
  const sheets: { name: string; path: string; isHidden: boolean }[] = [];
  let is1904 = false;
  let isUncalculated = false;
  await archive.parseXml(path, {
    open: (name, attributes) => {
      if (name === 'workbookPr') is1904 = isTrue(attributes.get('date1904'));
      // Libraries that compute no formulas say so, and store 0.
      if (name === 'calcPr') isUncalculated = isTrue(attributes.get('fullCalcOnLoad'));
      if (name !== 'sheet') return;
      if (sheets.length === maxSheets) throw tooLarge();
      const target = relations.get(attributes.get('id') ?? '')?.target ?? '';
      const isHidden = (attributes.get('state') ?? 'visible') !== 'visible';
      sheets.push({ name: attributes.get('name') ?? '', path: target, isHidden });
    },
  });
  const namesOf = (some: typeof sheets) => some.map(({ name }) => name);
  const partOf = (kind: string) =>
    relations.values().find(({ type }) => type.endsWith(`/${kind}`))?.target ?? '';
  return {
    sheets: namesOf(sheets),
    shown: namesOf(
      sheets.some(({ isHidden }) => !isHidden)
        ? sheets.filter(({ isHidden }) => !isHidden)
        : sheets,
    ),
    read: async function* (names, boundsOf) {
      const formats = await readFormats(archive, partOf('styles'));
      const strings = await readStrings(archive, partOf('sharedStrings'));
      for (const name of names) {
        const sheet = sheets.find((one) => one.name === name)?.path ?? '';
        const bounds = boundsOf(name);
        yield await readSheet(archive, sheet, { formats, strings, is1904, isUncalculated, bounds });
      }
    },
  };
}

/** Reads what a part refers to, by ids. */
async function relationsOf(archive: Archive, part: string): Promise<Map<string, Relation>> {
  const relations = new Map<string, Relation>();
  const folder = posix.dirname(part);
  await archive.parseXml(posix.join(folder, '_rels', `${posix.basename(part)}.rels`), {
    open: (name, attributes) => {
      if (name !== 'Relationship') return;
      const target = attributes.get('Target') ?? '';
      const isExternal = attributes.get('TargetMode') === 'External';
      relations.set(attributes.get('Id') ?? '', {
        type: attributes.get('Type') ?? '',
        target: isExternal ? target : posix.resolve('/', folder, target).slice(1),
      });
    },
  });
  return relations;
}

/** Reads the number formats of the cell styles. */
async function readFormats(archive: Archive, path: string): Promise<(string | number)[]> {
  const custom = new Map<string, string | number>();
  const formats: (string | number)[] = [];
  let isCellStyles = false;
  await archive.parseXml(path, {
    open: (name, attributes) => {
      const id = attributes.get('numFmtId') ?? '0';
      if (name === 'numFmt') custom.set(id, readFormat(attributes.get('formatCode') ?? ''));
      else if (name === 'cellXfs') isCellStyles = true;
      else if (name === 'xf' && isCellStyles) formats.push(custom.get(id) ?? Number(id));
    },
    close: (name) => {
      if (name === 'cellXfs') isCellStyles = false;
    },
  });
  return formats;
}

/** Reads the shared strings, without their formatting and their phonetic guides. */
async function readStrings(archive: Archive, path: string): Promise<string[]> {
  const strings: string[] = [];
  let text = '';
  let isText = false;
  let isPhonetic = false;
  await archive.parseXml(path, {
    open: (name) => {
      if (name === 'si') text = '';
      else if (name === 'rPh') isPhonetic = true;
      isText = name === 't' && !isPhonetic;
    },
    text: (piece) => {
      if (isText && text.length < maxContentLength) text += piece.slice(0, maxContentLength);
    },
    close: (name) => {
      if (name === 't') isText = false;
      else if (name === 'rPh') isPhonetic = false;
      else if (name === 'si') strings.push(cellText(unescaped(text)));
    },
  });
  return strings;
}

interface SheetContext {
  readonly formats: readonly (string | number)[];
  readonly strings: readonly string[];
  readonly is1904: boolean;
  readonly isUncalculated: boolean;
  readonly bounds: SheetBounds;
}

/** A cell as it is in the file. */
interface RawCell {
  readonly column: number;
  readonly type: string;
  readonly format: string | number;
  /** Number of the formula that several cells share. */
  readonly shared: string | undefined;
  value: string;
  text: string;
  formula: string;
  /** Whether there is a value, which may be an empty text. */
  hasValue: boolean;
}

async function readSheet(
  archive: Archive,
  path: string,
  { formats, strings, is1904, isUncalculated, bounds }: SheetContext,
): Promise<SheetContent> {
  const relations = await relationsOf(archive, path);
  const collector = collectRows(bounds);
  const links = new Map<string, string>();
  const marks = collectMarks(bounds);
  const shared = new Map<string, { formula: string; row: number; column: number }>();
  let row = 0;
  let column = -1;
  let cells: RawCell[] = [];
  let cell: RawCell | null = null;
  let into: 'value' | 'text' | 'formula' | null = null;
  let isPhonetic = false;

  const shown = ({ type, format, value, text }: RawCell): string => {
    // A cell without a value is empty, and not the first string.
    if (type === 's') return value === '' ? '' : (strings[Number(value)] ?? '');
    if (type === 'inlineStr') return cellText(unescaped(text));
    if (type === 'str') return cellText(unescaped(value));
    if (type === 'b') return value === '1' ? 'TRUE' : value === '' ? '' : 'FALSE';
    if (type === 'd') return value.replace(/T00:00:00(?:\.0+)?Z?$/, '');
    const isNumber = type !== 'e' && value !== '' && !Number.isNaN(Number(value));
    return isNumber ? formatNumber(Number(value), format, is1904) : value;
  };

  const hasResult = ({ type, value, formula, shared: copied, hasValue }: RawCell): boolean => {
    if (formula === '' && copied === undefined) return true;
    if (type === 'str') return hasValue;
    return value !== '' && !(isUncalculated && type === 'n' && value === '0');
  };

  const endRow = () => {
    const valueAt = (at: number) => {
      const one = cells.find(({ column }) => column === at);
      if (one === undefined) return null;
      const isText = /^(?:s|str|inlineStr)$/.test(one.type);
      const isKnown = isText || /^-?\d{0,15}$/.test(one.value);
      return !hasResult(one) || !isKnown || /^[bed]$/.test(one.type)
        ? null
        : (isText ? shown(one) : one.value) || null;
    };
    for (const one of cells) {
      // Most cells: a table has 500,000.
      if (one.formula === '' && one.shared === undefined && one.type !== 'e') {
        collector.add(one.column, { text: shown(one), link: null });
        continue;
      }
      const first = shared.get(one.shared ?? '');
      const isCopy = one.formula === '' && first !== undefined;
      const offset = isCopy
        ? { offset: { rows: row - first.row, columns: one.column - first.column } }
        : {};
      const formula = isCopy ? first.formula : one.formula;
      if (one.shared !== undefined && one.formula !== '' && /HYPERLINK/i.test(one.formula))
        shared.set(one.shared, { formula, row, column: one.column });
      const text = shown(one);
      collector.add(
        one.column,
        formulaCell(
          { formula, ...offset, text, hasResult: hasResult(one), isError: one.type === 'e' },
          { row, valueAt },
        ),
      );
    }
    collector.endRow(row, 1);
    cells = [];
  };

  await archive.parseXml(path, {
    open: (name, attributes) => {
      if (name === 'row') {
        row = Number(attributes.get('r') ?? row + 1);
        column = -1;
        if (isTrue(attributes.get('hidden'))) marks.hideRows(row, 1);
      } else if (name === 'c') {
        const [, letters] = /^([A-Z]{1,3})\d+$/.exec(attributes.get('r') ?? '') ?? [];
        column = letters === undefined ? column + 1 : columnOf(letters);
        const format = formats[Number(attributes.get('s') ?? 0)] ?? 0;
        const type = attributes.get('t') ?? 'n';
        cell = {
          column,
          type,
          format,
          shared: undefined,
          value: '',
          text: '',
          formula: '',
          hasValue: false,
        };
      } else if (name === 'v') {
        into = 'value';
        if (cell !== null) cell.hasValue = true;
      } else if (name === 'f') {
        into = 'formula';
        if (cell !== null && attributes.get('t') === 'shared')
          cell = { ...cell, shared: attributes.get('si') };
      } else if (name === 'rPh') isPhonetic = true;
      else if (name === 't') into = isPhonetic ? null : 'text';
      else if (name === 'col' && isTrue(attributes.get('hidden')))
        marks.hideColumns(Number(attributes.get('min')) - 1, Number(attributes.get('max')));
      else if (name === 'mergeCell') marks.merge(attributes.get('ref') ?? '');
      else if (name === 'hyperlink') {
        const target = relations.get(attributes.get('id') ?? '')?.target;
        const location = attributes.get('location');
        const ref = attributes.get('ref') ?? '';
        if (target !== undefined && !links.has(ref))
          links.set(ref, cellText(location ? `${target}#${location}` : target));
      }
    },
    text: (text) => {
      if (into !== null && cell !== null && cell[into].length < maxContentLength)
        cell[into] += text.slice(0, maxContentLength);
    },
    close: (name) => {
      into = null;
      if (name === 'rPh') isPhonetic = false;
      else if (name === 'c' && cell !== null && cells.length <= bounds.maxColumns) cells.push(cell);
      else if (name === 'row') endRow();
    },
    // Links and merged cells come after all rows.
    isDone: () => collector.isFull(),
  });
  return marks.content(withLinks(collector.rows, links));
}

/**
 * Adds the links of ranges such as `B2` or `B2:B9` to their cells. The first that has a cell counts.
 *
 * @throws SpreadsheetError when ranges cover more cells than tables have
 */
function withLinks(rows: readonly SheetRow[], links: ReadonlyMap<string, string>): SheetRow[] {
  const cellsByRow = new Map(rows.map(({ row, cells }) => [row, [...cells]]));
  let steps = 0;
  for (const [range, link] of links) {
    const [, left = '', first = '', right = left, last = first] =
      /^([A-Z]{1,3})(\d{1,7})(?::([A-Z]{1,3})(\d{1,7}))?$/.exec(range) ?? [];
    const isLong = Number(last) - Number(first) > cellsByRow.size;
    for (const row of isLong ? cellsByRow.keys() : numbers(first, last)) {
      if (++steps > maxLinkSteps) throw tooManyLinks();
      const cells = cellsByRow.get(row);
      if (cells === undefined || row < Number(first) || row > Number(last)) continue;
      for (let column = columnOf(left); column <= columnOf(right); column++) {
        const cell = cells[column];
        if (cell === undefined) break;
        if (++steps > maxLinkSteps) throw tooManyLinks();
        if (cell.link === null) cells[column] = { ...cell, link };
      }
    }
  }
  return rows.map(({ row, cells }) => ({ row, cells: cellsByRow.get(row) ?? cells }));
}

// Each cell of a table of 5,000 rows with 100 columns, twice.
const maxLinkSteps = 1_000_000;

function tooManyLinks(): SpreadsheetError {
  return new SpreadsheetError({ kind: 'too many linked cells' });
}

function* numbers(first: string, last: string): Generator<number> {
  for (let number = Number(first); number <= Number(last); number++) yield number;
}

/** Decodes characters that XML cannot have, such as `_x000D_` (ECMA-376 part 1, 22.9.2.19). */
function unescaped(text: string): string {
  return text
    .replace(/_x([0-9A-F]{4})_/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .toWellFormed();
}

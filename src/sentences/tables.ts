import type { Encoding } from '../core/codes/tables/encodings.ts';
import type { FileNotice, Listed, TableFileReason } from '../core/codes/tables/file-reasons.ts';
import type { BatchReason, NoticedReason, Reason, RowReason, Sentences } from '../core/reasons.ts';
import type { Texts } from '../languages/generated/texts.ts';
import { listOf, numbersOf, quotedName, sentencesOf, visible } from './lists.ts';

/** What was recognized in a file, or is not used or changed of it. */
export function noticeSentences(texts: Texts): Sentences<FileNotice> {
  const { fileNotices: t } = texts;
  const withRows = (rows: Listed<number>) => ({
    count: countOf(rows),
    rows: numbersOf(rows, texts),
  });
  return {
    'read from a file': t.readFrom,
    'sheet read': ({ sheet, others }) => t.sheetRead({ sheet: visible(sheet), others }),
    'hidden rows': ({ rows }) => t.hiddenRows(withRows(rows)),
    'hidden columns': ({ columns }) =>
      t.hiddenColumns({ count: countOf(columns), columns: numbersOf(columns, texts) }),
    'merged rows': ({ ranges }) => t.mergedRows({ ranges: numbersOf(ranges, texts) }),
    encoding: t.readAs,
    'columns not used': ({ columns }) =>
      t.columnsIgnored({
        count: countOf(columns),
        columns: namesOf(columns.first, texts),
        hasMore: columns.others > 0,
      }),
    'https added': ({ rows }) => t.httpsAdded(withRows(rows)),
    'address and link differ': ({ rows }) => t.linkDiffers(withRows(rows)),
    'one destination': t.oneDestination,
    'addresses of a network': ({ rows }) => t.onlyYourNetwork(withRows(rows)),
    'parameter there already': ({ name, rows }) =>
      t.parameterThere({ ...withRows(rows), parameter: name }),
    'parameters not added': ({ rows }) => t.parametersNotAdded(withRows(rows)),
    'column with the destinations': ({ column }) => t.columnTaken({ column: visible(column) }),
    'row with the headers': ({ row, text }) =>
      t.headerRow({ row: String(row), text: visible(text) }),
    'notice as stored': ({ text }) => text,
  };
}

function countOf({ first, others }: Listed<string | number>): number {
  return first.length + others;
}

/** Lists names in quotation marks: `“a”, “b”`. */
function namesOf(names: readonly string[], texts: Texts): string {
  return listOf(
    names.map((name) => quotedName(name, texts)),
    texts,
  );
}

/** What people call the encodings, and their letters. */
const encodingNames = {
  'windows-1252': ['westernEuropean', 'Windows-1252'],
  'windows-1250': ['centralEuropean', 'Windows-1250'],
  'windows-1251': ['cyrillic', 'Windows-1251'],
  'windows-1253': ['greek', 'Windows-1253'],
  'windows-1254': ['turkish', 'Windows-1254'],
  'windows-1257': ['baltic', 'Windows-1257'],
  shift_jis: ['japanese', 'Shift_JIS'],
  gb18030: ['chinese', 'GB 18030'],
  'euc-kr': ['korean', 'EUC-KR'],
  big5: ['traditionalChinese', 'Big5'],
  'windows-1255': ['hebrew', 'Windows-1255'],
  'windows-1256': ['arabic', 'Windows-1256'],
  'windows-1258': ['vietnamese', 'Windows-1258'],
  'windows-874': ['thai', 'Windows-874'],
  'koi8-u': ['cyrillic', 'KOI8-U'],
  ibm866: ['cyrillic', 'DOS'],
  'euc-jp': ['japanese', 'EUC-JP'],
  'iso-8859-2': ['centralEuropean', 'ISO 8859-2'],
  'iso-8859-5': ['cyrillic', 'ISO 8859-5'],
  'iso-8859-7': ['greek', 'ISO 8859-7'],
  'iso-8859-13': ['baltic', 'ISO 8859-13'],
  'iso-8859-15': ['westernEuropean', 'ISO 8859-15'],
  'utf-16le': ['unicode', 'UTF-16LE'],
  'utf-16be': ['unicode', 'UTF-16BE'],
} as const satisfies Readonly<
  Record<
    Exclude<Encoding, 'macintosh' | 'x-mac-cyrillic'>,
    readonly [keyof Texts['encodings'], string]
  >
>;

/** Returns the name of an encoding. */
export function encodingName(encoding: Encoding, { encodings: t }: Texts): string {
  if (encoding === 'macintosh') return t.westernOldMac;
  if (encoding === 'x-mac-cyrillic') return t.cyrillicOldMac;
  const [letters, name] = encodingNames[encoding];
  return t[letters]({ encoding: name });
}

/** Why a file of a table is not read. */
export function fileSentences(texts: Texts): Sentences<TableFileReason> {
  const { fileReasons: t } = texts;
  return {
    'file too large': ({ maxBytes }) => t.tooLarge({ megabytes: maxBytes / 1_000_000 }),
    'file takes too long': t.takesTooLong,
    'too much text in the file': () => t.tooMuchText,
    'control characters in the file': () => t.controlCharacters,
    'file without sheets': () => t.noSheets,
    'file is no text': () => t.noText,
    'letters not known': () => t.lettersNotKnown,
    'not in this encoding': t.notInEncoding,
    'file is a PDF': () => t.pdf,
    'file is a picture': () => t.picture,
    'file is a ZIP file': () => t.zip,
    'encrypted spreadsheet': () => t.encrypted,
    'old spreadsheet': () => t.oldSpreadsheet,
    'file is markup': () => t.markup,
    'broken spreadsheet': () => t.broken,
    'spreadsheet too large': ({ maxBytes }) =>
      t.tooLargeUnpacked({ megabytes: maxBytes / 1_000_000 }),
    'spreadsheet with a password': () => t.withPassword,
    'too many linked cells': () => t.tooManyLinks,
    'spreadsheet without sheets': () => t.withoutSheet,
    'binary spreadsheet': () => t.binary,
    'document of Numbers': () => t.numbers,
    'document of text': () => t.document,
    'no spreadsheet': () => t.noSpreadsheet,
    'no such sheet': ({ sheet, sheets, hasMore }) =>
      t.noSuchSheet({ sheet: visible(sheet), sheets: namesOf(sheets, texts), hasMore }),
    'several sheets': ({ sheets }) => t.severalSheets({ sheets: namesOf(sheets, texts) }),
    'too many rows': t.tooManyRows,
    'too many columns in a table': ({ row, max }) => t.tooManyColumns({ row: String(row), max }),
    'table is JSON': () => t.json,
    'table without rows': () => t.noRows,
    'no such column': ({ column, columns }) =>
      t.noSuchColumn({
        column: visible(column),
        columns: namesOf(columns.first, texts),
        hasMore: columns.others > 0,
      }),
    'several such columns': ({ column }) => t.severalSuchColumns({ column: visible(column) }),
  };
}

/**
 * @param say the sentence of another reason
 * @param sayNotice the sentence of a notice
 */
export function noticedSentences(
  texts: Texts,
  say: (reason: Reason) => string,
  sayNotice: (notice: FileNotice) => string,
): Sentences<NoticedReason> {
  return {
    'file refused': ({ reason, notices }) =>
      sentencesOf([say(reason), ...notices.map(sayNotice)], texts),
  };
}

const columnsOfCells = [
  'destination',
  'name',
  'note',
  'folder',
  'path',
  'query',
  'domain',
] as const;

/**
 * Why no code is created for a row.
 * The surfaces have a sentence of their own for one without a destination.
 */
export function rowSentences({ rowReasons: t }: Texts) {
  return {
    'split row': () => t.splitRow,
    'shortened destination': ({ text }) => t.shortened({ ellipsis: text }),
    'label from HTML': ({ noun, text }) => t.labelFromHtml({ column: noun, text }),
    'destination from HTML': t.destinationFromHtml,
    'lost characters': ({ noun }) => t.lostCharacters({ column: noun, text: '\ufffd' }),
    'misread characters': ({ noun, text, meant }) => t.misread({ column: noun, text, meant }),
    'computed link': () => t.computedLink,
    'error in a cell': ({ noun, text }) => {
      const column = columnsOfCells.find((one) => one === noun);
      const error = { text, isTooNarrow: text.startsWith('###') };
      return column === undefined
        ? t.errorInCellOf({ header: noun, ...error })
        : t.errorInCell({ column, ...error });
    },
    'no result in a cell': ({ noun }) => {
      const column = columnsOfCells.find((one) => one === noun);
      return column === undefined ? t.noResultOf({ header: noun }) : t.noResult({ column });
    },
    'row not closed': () => t.notClosed,
    'same as an earlier row': ({ row }) => t.sameAsRow({ row: String(row) }),
    'path of an earlier row': ({ row }) => t.samePath({ row: String(row) }),
    'code exists': () => t.codeExists,
    'left out': () => t.leftOut,
    'row failed': () => t.failed,
    'as stored': ({ text }) => text,
  } satisfies Partial<Sentences<RowReason>>;
}

/** Why no code of a checked table is created, or not all of them. */
export const batchSentences = ({ tableReasons: t }: Texts) =>
  ({
    'batch started': () => t.started,
    'file of the table gone': () => t.fileGone,
    'every row has a problem': () => t.everyRowWrong,
    'rows with problems': ({ refused, rows }) => t.rowsWrong({ wrong: refused, rows }),
    'all codes exist': () => t.allExist,
    'every row left out': () => t.allLeftOut,
    'batch stopped': () => t.stopped,
  }) satisfies Partial<Sentences<BatchReason>>;

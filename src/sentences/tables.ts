import { mapLinkLabels } from '../core/codes/fields.ts';
import type { Encoding } from '../core/codes/tables/encodings.ts';
import type { FileNotice, FileReason, Listed } from '../core/codes/tables/file-reasons.ts';
import {
  type BatchReason,
  type NoticedReason,
  type Reason,
  type RowReason,
  type Sentences,
  sentenceOf,
} from '../core/reasons.ts';
import type { Texts } from '../languages/generated/texts.ts';
import { formatCount, formatNumber, plural } from '../lib/numbers.ts';
import { labelPhrase } from './codes.ts';
import { quoted } from './typography.ts';

/** What the columns of a table of codes may be. */
const columnsOfCodes = () => labelPhrase().toLowerCase();

/** Lists rows and columns by their numbers and letters: `2, 3 and 4 others`. */
function names({ first, others }: Listed<string | number>): string {
  return `${first.join(', ')}${others > 0 ? ` and ${formatCount(others, 'other')}` : ''}`;
}

/** Lists names: `"a", "b" and others`. */
function firstNames({ first, others }: Listed<string>): string {
  return `${first.map(quoted).join(', ')}${others > 0 ? ' and others' : ''}`;
}

function addressesOf(rows: Listed<number>): string {
  const count = rows.first.length + rows.others;
  return `${plural(count, 'address of row', 'addresses of rows')} ${names(rows)}`;
}

function hiddenText(hidden: Listed<string | number>, one: string, many: string): string {
  const count = hidden.first.length + hidden.others;
  return plural(
    count,
    `${one} ${names(hidden)} is hidden in the spreadsheet, and was read too.`,
    `${many} ${names(hidden)} are hidden in the spreadsheet, and were read too.`,
  );
}

const noticeSentences: Sentences<FileNotice> = {
  'read from a file': ({ name }) => `Read from ${name}.`,
  'sheet read': ({ sheet, others }) =>
    `The sheet ${quoted(sheet)} was read; ${formatCount(others, 'other sheet is', 'other sheets are')} not.`,
  'hidden rows': ({ rows }) => hiddenText(rows, 'Row', 'Rows'),
  'hidden columns': ({ columns }) => hiddenText(columns, 'Column', 'Columns'),
  'merged rows': ({ ranges }) =>
    `Cells are merged over several rows: ${names(ranges)}. Only the first of these rows has their text.`,
  encoding: ({ encoding }) => `The file was read as ${encoding}.`,
  'columns not used': ({ columns }) => {
    const count = columns.first.length + columns.others;
    return `${plural(count, 'The column', 'The columns')} ${firstNames(columns)} ${plural(count, 'is', 'are')} ignored.`;
  },
  'https added': ({ rows }) => `https:// was put before the ${addressesOf(rows)}.`,
  'address and link differ': ({ rows }) =>
    `The ${addressesOf(rows)} ${plural(rows.first.length + rows.others, 'is', 'are')} linked to another address in the spreadsheet. The one that is shown is taken.`,
  'one destination': ({ rows, destination }) =>
    `All ${formatCount(rows, 'row')} lead to ${destination}.`,
  'addresses of a network': ({ rows }) =>
    `Only phones in your network, or none, can open the ${addressesOf(rows)}.`,
  'parameter there already': ({ name, rows }) =>
    plural(
      rows.first.length + rows.others,
      `The ${addressesOf(rows)} has ${name} already, and keeps its own value.`,
      `The ${addressesOf(rows)} have ${name} already, and keep their own values.`,
    ),
  'parameters not added': ({ rows }) =>
    `The utm parameters are not in the ${addressesOf(rows)}. Add them when you correct it.`,
  'column with the destinations': ({ column }) =>
    `The column ${quoted(column)} is taken as the destination, because it has the addresses.`,
  'row with the headers': ({ row, text }) =>
    `Row ${row}, ${quoted(text)}, is read as the names of the columns.`,
  'notice as stored': ({ text }) => text,
};

/** Returns a notice on a file as a sentence. */
export function noticeSentence(notice: FileNotice): string {
  return sentenceOf(noticeSentences, notice);
}

const encodingNames: Readonly<Record<Encoding, string>> = {
  'windows-1252': 'Western European, Windows-1252',
  'windows-1250': 'Central European, Windows-1250',
  'windows-1251': 'Cyrillic, Windows-1251',
  'windows-1253': 'Greek, Windows-1253',
  'windows-1254': 'Turkish, Windows-1254',
  'windows-1257': 'Baltic, Windows-1257',
  shift_jis: 'Japanese, Shift_JIS',
  gb18030: 'Chinese, GB 18030',
  'euc-kr': 'Korean, EUC-KR',
  big5: 'Traditional Chinese, Big5',
  'windows-1255': 'Hebrew, Windows-1255',
  'windows-1256': 'Arabic, Windows-1256',
  'windows-1258': 'Vietnamese, Windows-1258',
  'windows-874': 'Thai, Windows-874',
  macintosh: 'Western European, old Mac',
  'x-mac-cyrillic': 'Cyrillic, old Mac',
  'koi8-u': 'Cyrillic, KOI8-U',
  ibm866: 'Cyrillic, DOS',
  'euc-jp': 'Japanese, EUC-JP',
  'iso-8859-2': 'Central European, ISO 8859-2',
  'iso-8859-5': 'Cyrillic, ISO 8859-5',
  'iso-8859-7': 'Greek, ISO 8859-7',
  'iso-8859-13': 'Baltic, ISO 8859-13',
  'iso-8859-15': 'Western European, ISO 8859-15',
  'utf-16le': 'Unicode, UTF-16LE',
  'utf-16be': 'Unicode, UTF-16BE',
};

/** Returns the name of an encoding. */
export function encodingName(encoding: Encoding): string {
  return encodingNames[encoding];
}

/** Why a file is not read. */
export function fileSentences(_: Texts): Sentences<FileReason> {
  const csv = '“CSV UTF-8”';
  return {
    'file too large': ({ maxBytes }) =>
      `The table is larger than ${maxBytes / 1_000_000} MB. Split it into several.`,
    'file takes too long': ({ isSpreadsheet }) =>
      `This file takes too long to read. ${isSpreadsheet ? 'Save it as CSV.' : 'Split it into several.'}`,
    'too much text in the file': () => 'The file has too much text. Split it into several.',
    'control characters in the file': () =>
      'The file contains control characters, so it is no table in text form.',
    'file without sheets': () => 'The file has no sheets, because it is no .xlsx or .ods file.',
    'file is no text': () => 'The file is not text, so it is no table.',
    'letters not known': () =>
      `The file does not say how its letters are stored. Save it as .xlsx or ${csv}, and use that file.`,
    'not in this encoding': ({ encoding }) => `The file is not in the encoding ${encoding}.`,
    'file is a PDF': () => 'The file is a PDF. Use the spreadsheet it was made from, or CSV.',
    'file is a picture': () => 'The file is a picture. Use the table itself: a spreadsheet or CSV.',
    'file is a ZIP file': () =>
      `The file is a spreadsheet or another ZIP file. Save it as ${csv} first, and use that file.`,
    'encrypted spreadsheet': () =>
      'The spreadsheet is encrypted with a password. Remove the password (in Excel: File, Info, Protect Workbook), save it, and use that file.',
    'old spreadsheet': () =>
      `The file is a spreadsheet in the old .xls format. Open it, save it as .xlsx or ${csv}, and use that file.`,
    'file is markup': () =>
      `The file is a web page or XML, whatever its name says. Open it in a spreadsheet, save it as .xlsx or ${csv}, and use that file.`,
    'broken spreadsheet': () =>
      'The spreadsheet is broken and cannot be read. Open it, save it again, and use that file.',
    'spreadsheet too large': ({ maxBytes }) =>
      `The spreadsheet is larger than ${maxBytes / 1_000_000} MB when it is unpacked. Save its table alone, or as ${csv}.`,
    'spreadsheet with a password': () =>
      'The spreadsheet is encrypted with a password. Save it without a password, and use that file.',
    'too many linked cells': () =>
      `The links of the spreadsheet are on too many cells. Save its table as ${csv}, with the addresses as text.`,
    'spreadsheet without sheets': () => 'The spreadsheet has no sheet.',
    'binary spreadsheet': () =>
      `The spreadsheet is in the binary .xlsb format. Save it as .xlsx or ${csv}, and use that file.`,
    'document of Numbers': () =>
      'The file is of Apple Numbers. In Numbers, choose File, Export To, Excel or CSV, and use that file.',
    'document of text': () => 'The file is a document, and no spreadsheet. Use .xlsx, .ods or CSV.',
    'no spreadsheet': () =>
      'The file is a ZIP file or a document, and no spreadsheet. Use .xlsx, .ods or CSV.',
    'no such sheet': ({ sheet, sheets, hasMore }) =>
      `The spreadsheet has no sheet ${quoted(sheet)}. It has ${sheets.map(quoted).join(', ')}${hasMore ? ' and others' : ''}.`,
    'several sheets': ({ sheets }) =>
      `Several sheets of the spreadsheet have rows: ${sheets.map(quoted).join(', ')}.`,
    'too many rows': ({ max }) =>
      `The table has more than ${formatCount(max, 'row')}. Split it into several.`,
    'too many columns in a table': ({ row, max }) =>
      `Row ${row} has more than ${formatCount(max, 'column')}. The table needs a destination, and may have a ${columnsOfCodes()}.`,
    'table is JSON': () => 'The file is JSON, and no table. Use .xlsx, .ods or CSV.',
    'table without rows': () =>
      `There is no row in the table. It needs a destination in each row, and may have a ${columnsOfCodes()}.`,
    'no such column': ({ column, columns }) =>
      `The table has no column ${quoted(column)}. It has ${firstNames(columns)}.`,
    'several such columns': ({ column }) =>
      `Several columns have the header ${quoted(column)}. Name the one by its number or letter.`,
    'too many links': ({ max }) =>
      `The file has more than ${formatCount(max, 'link')}. Split it into several.`,
    'too many columns of links': ({ row, max }) =>
      `Row ${row} has more than ${formatCount(max, 'column')}, so the file is no export of links.`,
    'file without links': () => 'There is no link in the file.',
    'file is an SQL dump': () =>
      `The file is an SQL dump, which is not read. Export the table of links as CSV with a header row instead: in phpMyAdmin “Export”, “CSV”, “Put columns names in the first row”; the page “Moving in” of the documentation has the commands for MySQL, PostgreSQL and SQLite.`,
    'columns of links not known': () => 'The file does not say plainly what is in its columns.',
    'column chosen twice': ({ column }) =>
      `The column ${quoted(column)} is named twice. A column is one thing.`,
    'not this export': ({ unknown, missing }) =>
      [
        'The file is not exactly as this service writes it.',
        ...(missing.first.length > 0 ? [`It lacks: ${firstNames(missing)}.`] : []),
        ...(unknown.first.length > 0 ? [`Not known: ${firstNames(unknown)}.`] : []),
        'Name its columns instead of the service.',
      ].join(' '),
    'links without a header': () => {
      const optional = Object.values(mapLinkLabels((text) => `“${text}”`)).join(', ');
      return `The first row does not name the columns. A table needs the columns “path” and “destination”, and may have ${optional}, “scans”, “created” and “last scan”.`;
    },
    'JSON without links': () =>
      `The JSON has no list of links. It needs one of objects with “path” and “destination”.`,
    'JSON with too many fields': () => 'The JSON has too many fields.',
    'JSON with several lists': ({ lists }) =>
      `The JSON has several lists of links: ${firstNames(lists)}. Save each in a file, and import one after the other.`,
    'broken JSON': () =>
      `The file begins like JSON but is broken, or has several answers one after the other. Export it again, each answer in a file, or join them with “jq -s .”.`,
  };
}

/** @param say the sentence of another reason */
export function noticedSentences(
  _: Texts,
  say: (reason: Reason) => string,
): Sentences<NoticedReason> {
  return {
    'file refused': ({ reason, notices }) =>
      [say(reason), ...notices.map(noticeSentence)].join(' '),
  };
}

/**
 * Why no code is created for a row.
 * The surfaces have a sentence of their own for one without a destination.
 */
export function rowSentences(_: Texts) {
  return {
    'split row': () =>
      'A comma or another separator within a text splits this row. Put the text into quotation marks.',
    'shortened destination': ({ text }) =>
      `The address ends with “${text}”, so a program has shortened it. Put the whole address into the cell.`,
    'label from HTML': ({ noun, text }) =>
      `The ${noun} was copied from HTML and has “${text}” in place of a character. Correct it.`,
    'destination from HTML': ({ meant }) =>
      `The address was copied from HTML. Write & in place of &amp;: ${meant}`,
    'lost characters': ({ noun }) =>
      `The ${noun} has “\ufffd” in place of a character that was lost. Correct it.`,
    'misread characters': ({ noun, text, meant }) =>
      `The ${noun} “${text}” was “${meant}” before a program read it in a wrong encoding. Correct it.`,
    'computed link': () => 'The link is computed. Put the address itself into a cell.',
    'error in a cell': ({ noun, text }) =>
      `The cell of the ${noun} shows ${text}. ${text.startsWith('###') ? 'Widen its column, save it, and use that file.' : 'Correct its formula.'}`,
    'no result in a cell': ({ noun }) =>
      `The cell of the ${noun} has a formula whose result is not in the file. Open the file in a spreadsheet, save it, and use that file.`,
    'row not closed': () => 'A quotation mark is not closed, or text follows it.',
    'same as an earlier row': ({ row }) => `Row ${row} has the same name and destination.`,
    'code exists': () => 'A code with this name and destination exists already.',
    'left out': () => 'You left it out.',
    'row failed': () => 'The server could not create this code, and its log says why.',
    'as stored': ({ text }) => text,
  } satisfies Partial<Sentences<RowReason>>;
}

/** Why no code of a checked table is created, or not all of them. */
export const batchSentences = (_: Texts) =>
  ({
    'batch started': () => 'These codes are being created already.',
    'file of the table gone': () => 'The file is not kept any more. Choose it again.',
    'every row has a problem': () => 'Every row has a problem, so no code was created.',
    'rows with problems': ({ refused, rows }) =>
      `${formatNumber(refused)} of ${formatCount(rows, 'row')} ${plural(refused, 'has', 'have')} a problem, so no code was created. Correct ${plural(refused, 'it', 'them')}, or create the others only.`,
    'all codes exist': () => 'The codes of all rows exist already, so no code was created.',
    'every row left out': () => 'Every row is left out, so no code was created.',
    'batch stopped': () => 'Stopped by the account holder.',
  }) satisfies Partial<Sentences<BatchReason>>;

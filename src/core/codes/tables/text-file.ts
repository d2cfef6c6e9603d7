import { columnLetters, type Sheet, SpreadsheetError } from '../../../lib/spreadsheet/cells.ts';
import { shorten } from '../../../lib/text/shorten.ts';
import { Refused } from '../../errors.ts';
import { decodeAs, type Reading, readingsOf } from './encodings.ts';
import { type FileNotice, listed } from './file-reasons.ts';

// More than any spreadsheet with names and addresses has.
export const maxColumns = 100;

/** How the text of a file is decoded. */
export interface TextOptions {
  /** A label of the Encoding Standard. Default: UTF-8, or UTF-16 with its byte order mark. */
  readonly encoding?: string | undefined;
  /** Languages of the person who is asked for the encoding, the preferred one first. */
  readonly languages?: readonly string[] | undefined;
}

/** The text of a file. */
export interface DecodedText {
  /** Without a byte order mark. Letters in an unknown encoding are U+FFFD. */
  readonly text: string;
  /** The encoding; null for UTF-8 and pasted text. */
  readonly encoding: string | null;
  /** How encodings read a file that is not in Unicode; else none. */
  readonly readings: readonly Reading[];
  /** Whether somebody has to say which of them is right. */
  readonly isEncodingOpen: boolean;
}

const isKnown = { readings: [], isEncodingOpen: false } as const;

/**
 * Returns the text of a table: UTF-8, UTF-16 with a byte order mark, or in the encoding that was named.
 *
 * @param file a file, or pasted text
 * @throws Refused with what kind of file it is instead, as far as that can be seen, and what to do
 */
export function decodeText(
  file: Uint8Array | string,
  maxBytes: number,
  options: TextOptions = {},
): DecodedText {
  rejectLarge(file, maxBytes);
  const { text, ...decoded } =
    typeof file === 'string' ? { text: file, encoding: null, ...isKnown } : decode(file, options);
  if (/[^\P{Cc}\n\r\t]/u.test(text) || !text.isWellFormed())
    throw new Refused({ kind: 'control characters in the file' });
  rejectMarkup(text);
  return { text: text.startsWith('\uFEFF') ? text.slice(1) : text, ...decoded };
}

/**
 * Reads a sheet of an `.xlsx` or `.ods` file. Returns any other file as it is.
 *
 * @param sheet its name; undefined for the first with rows
 * @param bounds.maxRows rows after which reading stops, with one more that tells that there are more
 */
export async function readSheet(
  file: Uint8Array | string,
  sheet: string | undefined,
  { maxBytes, maxRows }: { readonly maxBytes: number; readonly maxRows: number },
): Promise<Uint8Array | string | Sheet> {
  if (typeof file !== 'string' && isZip(file)) {
    rejectLarge(file, maxBytes);
    // Few tables are spreadsheets, and its packages take longer to load than a command runs.
    const { readSpreadsheet } = await import('../../../lib/spreadsheet/read.ts');
    const bounds = { maxRows: maxRows + 1, maxColumns };
    return readSpreadsheet(file, sheet ?? null, bounds).catch((error: unknown) => {
      throw error instanceof SpreadsheetError ? new Refused(error.problem) : error;
    });
  }
  if (sheet !== undefined) throw new Refused({ kind: 'file without sheets' });
  return file;
}

/** @throws Refused for a file that is too large */
function rejectLarge(file: Uint8Array | string, maxBytes: number): void {
  if (file.length > maxBytes) throw new Refused({ kind: 'file too large', maxBytes });
}

/** Returns whether a file is a ZIP file, as `.xlsx` and `.ods` are. */
export function isZip(bytes: Uint8Array): boolean {
  return /^504b(?:0304|0506|0708)/.test(bytes.subarray(0, 4).toHex());
}

function decode(bytes: Uint8Array, { encoding, languages = [] }: TextOptions): DecodedText {
  rejectBinary(bytes);
  const utf16 = utf16Of(bytes);
  const isWide = utf16 === null && bytes.includes(0);
  const utf8 = utf16 === null && !isWide ? decodeUtf8(bytes) : null;
  const readings = utf16 === null && utf8 === null ? readingsOf(bytes, languages) : [];
  if (encoding !== undefined) {
    const text = decodeAs(bytes, encoding);
    if (text === null) throw new Refused({ kind: 'not in this encoding', encoding });
    return { text, encoding, readings, isEncodingOpen: false };
  }
  if (utf16 !== null) {
    const text = new TextDecoder(utf16).decode(bytes);
    return { text, encoding: utf16.toUpperCase(), ...isKnown };
  }
  if (utf8 !== null) return { text: utf8, encoding: null, ...isKnown };
  if (readings.length === 0) throw new Refused({ kind: 'file is no text' });
  const text = new TextDecoder().decode(bytes).replaceAll('\0', '');
  return { text, encoding: null, readings, isEncodingOpen: true };
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Returns which UTF-16 the byte order mark of a file names, or null. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const mark = bytes.subarray(0, 2).toHex();
  return mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : null;
}

const oleSignature = 'd0cf11e0a1b11ae1';

/** @throws Refused when a file is no text */
function rejectBinary(bytes: Uint8Array): void {
  const start = bytes.subarray(0, 8).toHex();
  if (start.startsWith('25504446')) throw new Refused({ kind: 'file is a PDF' });
  if (/^(?:89504e47|ffd8ff|47494638|52494646)/.test(start))
    throw new Refused({ kind: 'file is a picture' });
  if (isZip(bytes)) throw new Refused({ kind: 'file is a ZIP file' });
  if (!start.startsWith(oleSignature.slice(0, Math.max(8, start.length)))) return;
  // Encrypted .xlsx files are wrapped into the container of old Office files.
  if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(encryptedStream))
    throw new Refused({ kind: 'encrypted spreadsheet' });
  throw new Refused({ kind: 'old spreadsheet' });
}

const encryptedStream = Buffer.from('EncryptedPackage', 'utf16le');

/** @throws Refused for a web page or XML, which some programs save under the name .xls */
function rejectMarkup(text: string): void {
  if (!/^\uFEFF?\s*<(?:!doctype|html|table|meta|\?xml|workbook|office:)/i.test(text.slice(0, 1000)))
    return;
  throw new Refused({ kind: 'file is markup' });
}

/** Returns which sheet of several was read, and what of it people do not see as it was read. */
export function sheetNotices({
  sheet,
  otherSheets,
  hiddenRows = [],
  hiddenColumns = [],
  mergedRows = [],
}: Sheet): FileNotice[] {
  const notices: FileNotice[] = [];
  if (otherSheets.length > 0)
    notices.push({ kind: 'sheet read', sheet: shorten(sheet), others: otherSheets.length });
  if (hiddenRows.length > 0) notices.push({ kind: 'hidden rows', rows: listed(hiddenRows) });
  if (hiddenColumns.length > 0)
    notices.push({ kind: 'hidden columns', columns: listed(hiddenColumns.map(columnLetters)) });
  if (mergedRows.length > 0) notices.push({ kind: 'merged rows', ranges: listed(mergedRows) });
  return notices;
}

/**
 * Returns which columns of a file are not used.
 *
 * @param max how many are named
 */
export function columnNotices(ignoredColumns: readonly string[], max?: number): FileNotice[] {
  if (ignoredColumns.length === 0) return [];
  const columns = listed(
    ignoredColumns.map((name) => shorten(name)),
    max,
  );
  return [{ kind: 'columns not used', columns }];
}

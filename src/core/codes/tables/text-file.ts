import { columnLetters, type Sheet, SpreadsheetError } from '../../../lib/spreadsheet/cells.ts';
import { decodeCodePage } from '../../../lib/text/code-page/decode.ts';
import { shorten } from '../../../lib/text/shorten.ts';
import { Refused } from '../../errors.ts';
import { isHeaderWord } from '../imports/header-words.ts';
import { isAddressLike } from './cell-address.ts';
import { type FileNotice, listed } from './file-reasons.ts';

// More than any spreadsheet with names and addresses has.
export const maxColumns = 100;

/** The text of a file. */
export interface DecodedText {
  /** Without a byte order mark. */
  readonly text: string;
  /** The encoding that was recognized; null for UTF-8 and pasted text. */
  readonly encoding: string | null;
}

/**
 * Returns the text of a table:
 * UTF-8, UTF-16 with or without a byte order mark, or a code page that its words show.
 *
 * @param file a file, or pasted text
 * @throws Refused with what kind of file it is instead, as far as that can be seen, and what to do
 */
export function decodeText(file: Uint8Array | string, maxBytes: number): DecodedText {
  rejectLarge(file, maxBytes);
  const decoded = typeof file === 'string' ? { text: file, encoding: null } : decode(file);
  const { text, encoding } = decoded;
  if (/[^\P{Cc}\n\r\t]/u.test(text) || !text.isWellFormed())
    throw new Refused({ kind: 'control characters in the file' });
  rejectMarkup(text);
  return { text: text.startsWith('\uFEFF') ? text.slice(1) : text, encoding };
}

/**
 * Reads a sheet of an `.xlsx` or `.ods` file. Returns any other file as it is.
 *
 * @param sheet its name; undefined for the first, or the only one with addresses
 * @param bounds.maxRows rows after which reading stops, with one more that tells that there are more
 * @throws Refused, with `several sheets` when somebody has to choose
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
    const isMeant = (rows: Sheet['rows']) => rows.some(({ cells }) => cells.some(isAddressLike));
    return readSpreadsheet(file, sheet ?? null, bounds, isMeant).catch((error: unknown) => {
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

function decode(bytes: Uint8Array): DecodedText {
  rejectBinary(bytes);
  const utf16 = utf16Of(bytes);
  if (utf16 !== null)
    return { text: new TextDecoder(utf16).decode(bytes), encoding: utf16.toUpperCase() };
  if (bytes.includes(0)) throw new Refused({ kind: 'file is no text' });
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, encoding: null };
  } catch {
    const decoded = isMostlyUtf8(bytes) ? null : decodeCodePage(bytes, isHeaderWord);
    if (decoded === null) throw new Refused({ kind: 'unknown encoding' });
    return decoded;
  }
}

// Enough to see how a file is made.
const sampleBytes = 4000;
const sampleCharacters = 200_000;

/**
 * Returns which UTF-16 a file is in.
 * Without a byte order mark, the zero bytes of ASCII characters show it.
 */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const mark = bytes.subarray(0, 2).toHex();
  if (mark === 'fffe') return 'utf-16le';
  if (mark === 'feff') return 'utf-16be';
  if (bytes.length % 2 === 1) return null;
  const zeros = [0, 0];
  for (const [at, byte] of bytes.subarray(0, sampleBytes).entries())
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  // An address alone has more ASCII characters than that; in a pair, both bytes are never zero in text.
  const isMost = (some: number, others: number) => some >= 4 && others * 10 <= some;
  if (isMost(odd, even)) return 'utf-16le';
  return isMost(even, odd) ? 'utf-16be' : null;
}

/**
 * Returns whether most characters beyond ASCII are UTF-8.
 * So they are in a file that was joined of two encodings.
 */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes.subarray(0, sampleCharacters));
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  const valid = text.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0;
  return valid > 0 && valid >= broken;
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

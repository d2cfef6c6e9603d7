import { shorten } from '../text/shorten.ts';
import { type Archive, encrypted, openArchive } from './archive.ts';
import {
  type Sheet,
  type SheetBounds,
  type SheetContent,
  SpreadsheetError,
  type Workbook,
} from './cells.ts';
import { openOds } from './ods.ts';
import { openXlsx } from './xlsx.ts';

// More would take as long as a workbook of that many sheets, each of which is opened.
const maxTriedSheets = 20;

/**
 * Reads a sheet of an `.xlsx` or `.ods` file.
 *
 * @param sheet its name; null for the first with rows that is not hidden
 * @throws SpreadsheetError when the file is no such spreadsheet, broken, encrypted or too large
 */
export async function readSpreadsheet(
  bytes: Uint8Array,
  sheet: string | null,
  bounds: SheetBounds,
): Promise<Sheet> {
  const archive = await openArchive(bytes);
  const workbook = await openWorkbook(archive);
  const wanted = sheet === null ? null : findSheet(workbook, sheet);
  const tried = workbook.shown.slice(0, maxTriedSheets);
  const names = wanted === null || tried.includes(wanted) ? tried : [wanted, ...tried];
  const sheetsWithRows: string[] = [];
  let found: (SheetContent & { readonly sheet: string }) | null = null;
  const isRead = (name: string) =>
    wanted === null ? sheetsWithRows.length === 0 : name === wanted;
  // Of the other sheets, one row shows that they have some.
  const boundsOf = (name: string) => (isRead(name) ? bounds : { maxRows: 1, maxColumns: 1 });
  const contents = workbook.read(names, boundsOf);
  for (const name of names) {
    const { value, done } = await contents.next();
    if (done === true) break;
    if (isRead(name)) found = { sheet: name, ...value };
    if (value.rows.length > 0) sheetsWithRows.push(name);
  }
  if (found === null) throw new SpreadsheetError({ kind: 'spreadsheet without sheets' });
  const { sheet: read } = found;
  const otherSheets = workbook.sheets.filter((other) => other !== read);
  return { ...found, otherSheets, sheetsWithRows };
}

async function openWorkbook(archive: Archive): Promise<Workbook> {
  const has = (pattern: RegExp) => archive.paths.values().some((path) => pattern.test(path));
  if (archive.paths.has('META-INF/manifest.xml')) {
    await rejectEncrypted(archive);
    if (archive.paths.has('content.xml')) return openOds(archive);
  }
  if (has(/^xl\/workbook\.bin$/i)) throw new SpreadsheetError({ kind: 'binary spreadsheet' });
  if (has(/^(?:Index\/.*\.iwa|Index\.zip)$/i))
    throw new SpreadsheetError({ kind: 'document of Numbers' });
  if (archive.paths.has('[Content_Types].xml') && !has(/^(?:word|ppt|visio)\//i))
    return openXlsx(archive);
  throw new SpreadsheetError({ kind: 'no spreadsheet' });
}

/** @throws SpreadsheetError for an encrypted OpenDocument file, whose parts are no XML */
async function rejectEncrypted(archive: Archive): Promise<void> {
  await archive.parseXml('META-INF/manifest.xml', {
    open: (name) => {
      if (name === 'encryption-data') throw encrypted();
    },
  });
}

const maxNamedSheets = 10;

function findSheet({ sheets }: Workbook, wanted: string): string {
  const same = (text: string) => text.normalize('NFKC').trim().toLowerCase();
  const found =
    sheets.find((name) => name === wanted) ?? sheets.find((name) => same(name) === same(wanted));
  if (found !== undefined) return found;
  throw new SpreadsheetError({
    kind: 'no such sheet',
    sheet: wanted,
    sheets: sheets.slice(0, maxNamedSheets).map((name) => shorten(name)),
    hasMore: sheets.length > maxNamedSheets,
  });
}

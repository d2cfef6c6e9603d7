import { shorten } from '../text/shorten.ts';
import { type Archive, encrypted, openArchive } from './archive.ts';
import {
  type Sheet,
  type SheetBounds,
  type SheetRow,
  SpreadsheetError,
  type Workbook,
} from './cells.ts';
import { openOds } from './ods.ts';
import { openXlsx } from './xlsx.ts';

// More would take as long as a workbook of that many sheets, each of which is read.
const maxTriedSheets = 20;

/**
 * Reads a sheet of an `.xlsx` or `.ods` file.
 *
 * @param sheet its name; null for the first that is not hidden, or the only other one that is meant
 * @param isMeant whether a sheet may be the one that is wanted
 * @throws SpreadsheetError when the file is no such spreadsheet, broken, encrypted or too large, and with `several
 *   sheets` when the first is not meant, and several others are
 */
export async function readSpreadsheet(
  bytes: Uint8Array,
  sheet: string | null,
  bounds: SheetBounds,
  isMeant: (rows: readonly SheetRow[]) => boolean = () => true,
): Promise<Sheet> {
  const archive = await openArchive(bytes);
  const workbook = await openWorkbook(archive);
  const names =
    sheet === null ? workbook.shown.slice(0, maxTriedSheets) : [findSheet(workbook, sheet)];
  const contents = workbook.read(names, bounds);
  let first: Sheet | null = null;
  const meant: Sheet[] = [];
  for (const name of names) {
    const { value, done } = await contents.next();
    if (done === true) break;
    const otherSheets = workbook.sheets.filter((other) => other !== name);
    const found = { sheet: name, otherSheets, ...value };
    const isWanted = sheet !== null || isMeant(value.rows);
    if (first === null && isWanted) return found;
    first ??= { ...found };
    // The first of them is enough, and the names of the others.
    if (isWanted) meant.push(meant.length === 0 ? found : { ...found, rows: [] });
  }
  if (meant.length > 1)
    throw new SpreadsheetError({ kind: 'several sheets', sheets: meant.map((one) => one.sheet) });
  const chosen = meant[0] ?? first;
  if (chosen === null) throw new SpreadsheetError({ kind: 'spreadsheet without sheets' });
  return chosen;
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

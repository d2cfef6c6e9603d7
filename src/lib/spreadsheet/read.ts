import { type Archive, encrypted, openArchive } from './archive.ts';
import { type Sheet, type SheetBounds, SpreadsheetError, type Workbook } from './cells.ts';
import { openOds } from './ods.ts';
import { openXlsx } from './xlsx.ts';

/**
 * Reads a sheet of an `.xlsx` or `.ods` file.
 *
 * @param sheet its name; null for the first that is not hidden
 * @throws SpreadsheetError when the file is no such spreadsheet, broken, encrypted or too large, with what to do
 */
export async function readSpreadsheet(
  bytes: Uint8Array,
  sheet: string | null,
  bounds: SheetBounds,
): Promise<Sheet> {
  const archive = await openArchive(bytes);
  const workbook = await openWorkbook(archive);
  const name = sheet === null ? workbook.first : findSheet(workbook, sheet);
  if (name === undefined) throw new SpreadsheetError('The spreadsheet has no sheet.');
  return {
    sheet: name,
    otherSheets: workbook.sheets.filter((other) => other !== name),
    rows: await workbook.rows(name, bounds),
  };
}

async function openWorkbook(archive: Archive): Promise<Workbook> {
  const has = (pattern: RegExp) => archive.paths.values().some((path) => pattern.test(path));
  if (archive.paths.has('META-INF/manifest.xml')) {
    await rejectEncrypted(archive);
    if (archive.paths.has('content.xml')) return openOds(archive);
  }
  if (has(/^xl\/workbook\.bin$/i))
    throw new SpreadsheetError(
      'The spreadsheet is in the binary .xlsb format. Save it as .xlsx or "CSV UTF-8", and use that file.',
    );
  if (has(/^(?:Index\/.*\.iwa|Index\.zip)$/i))
    throw new SpreadsheetError(
      'The file is of Apple Numbers. In Numbers, choose File, Export To, Excel or CSV, and use that file.',
    );
  if (archive.paths.has('[Content_Types].xml') && !has(/^(?:word|ppt|visio)\//i))
    return openXlsx(archive);
  throw new SpreadsheetError(
    'The file is a ZIP file or a document, and no spreadsheet. Use .xlsx, .ods or CSV.',
  );
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
  const named = sheets.slice(0, maxNamedSheets).map((name) => JSON.stringify(name.slice(0, 60)));
  throw new SpreadsheetError(
    `The spreadsheet has no sheet ${JSON.stringify(wanted)}. It has ${named.join(', ')}${sheets.length > maxNamedSheets ? ' and others' : ''}.`,
  );
}

import type {
  BatchReason,
  BulkEditReason,
  FileReason,
  LabelReason,
  LinkReason,
  ListReason,
  PathReason,
  Reason,
  RowReason,
  SavedDesignReason,
  Sentences,
} from '../../core/reasons.ts';
import { quoted } from '../../http/sentences/destinations.ts';
import { formatCount, formatNumber } from '../../lib/numbers.ts';

export const labelSentences: Sentences<LabelReason> = {
  'several lines in a label': ({ noun }) =>
    `A ${noun} is one line of text, without tabs or control characters.`,
  'control characters in a label': ({ noun }) => `A ${noun} must not contain control characters.`,
  'label is no Unicode': ({ noun }) => `The ${noun} is not valid Unicode.`,
  'label too long': ({ noun, maxLength }) =>
    `The ${noun} is too long: at most ${formatCount(maxLength, 'character')} are possible.`,
};

export const savedDesignSentences: Sentences<SavedDesignReason> = {
  'no such saved design': ({ name }) => `There is no saved design named "${name}".`,
  'saved design exists': ({ name }) => `Another saved design is named "${name}".`,
  'saved design without a name': () => 'Enter a name for the design.',
};

export const listSentences: Sentences<ListReason> = {
  'folder without a name': () => 'Enter a name for the folder.',
  'sorted too far': ({ max }) =>
    `Only the first ${formatNumber(max)} codes of this list can be sorted. Use a smaller offset, a search or a filter.`,
};

export const batchSentences: Sentences<BatchReason> = {
  'batch started': () => 'These codes are being created already.',
  'every row has a problem': () => 'Every row has a problem, so no code was created.',
  'rows with problems': ({ refused, rows }) =>
    `${formatNumber(refused)} of ${formatCount(rows, 'row')} ${refused === 1 ? 'has' : 'have'} a problem, so no code was created. Correct ${refused === 1 ? 'it' : 'them'}, or create the others only.`,
  'all codes exist': () => 'The codes of all rows exist already, so no code was created.',
  'every row left out': () => 'Every row is left out, so no code was created.',
  'batch stopped': () => 'Stopped by the account holder.',
  'plan expired': () =>
    'The paid plan of this account has expired. Printed codes continue to redirect.',
};

export const fileSentences: Sentences<FileReason> = {
  'file too large': ({ maxBytes }) =>
    `The table is larger than ${maxBytes / 1_000_000} MB. Split it into several.`,
  'file takes too long': ({ isSpreadsheet }) =>
    `This file takes too long to read. ${isSpreadsheet ? 'Save it as CSV.' : 'Split it into several.'}`,
  'too much text in the file': () => 'The file has too much text. Split it into several.',
  'control characters in the file': () =>
    'The file contains control characters, so it is no table in text form.',
  'file without sheets': () => 'The file has no sheets, because it is no .xlsx or .ods file.',
  'file is no text': () => 'The file is not text, so it is no table.',
  'unknown encoding': () =>
    'The file is in none of the encodings that its words show for certain. Save it as .xlsx or "CSV UTF-8", and use that file.',
  'file is a PDF': () => 'The file is a PDF. Use the spreadsheet it was made from, or CSV.',
  'file is a picture': () => 'The file is a picture. Use the table itself: a spreadsheet or CSV.',
  'file is a ZIP file': () =>
    'The file is a spreadsheet or another ZIP file. Save it as "CSV UTF-8" first, and use that file.',
  'encrypted spreadsheet': () =>
    'The spreadsheet is encrypted with a password. Remove the password (in Excel: File, Info, Protect Workbook), save it, and use that file.',
  'old spreadsheet': () =>
    'The file is a spreadsheet in the old .xls format. Open it, save it as .xlsx or "CSV UTF-8", and use that file.',
  'file is markup': () =>
    'The file is a web page or XML, whatever its name says. Open it in a spreadsheet, save it as .xlsx or "CSV UTF-8", and use that file.',
};

export const rowSentences: Sentences<RowReason> = {
  'lost characters': ({ noun }) =>
    `The ${noun} has "\ufffd" in place of a character that was lost. Correct it.`,
  'computed link': () => 'The link is computed. Put the address itself into a cell.',
  'error in a cell': ({ noun, text }) =>
    `The cell of the ${noun} shows ${text}. Correct its formula.`,
  'no result in a cell': ({ noun }) =>
    `The cell of the ${noun} has a formula whose result is not in the file. Open the file in a spreadsheet, save it, and use that file.`,
  'no destination in the row': () => 'The row has no destination.',
  'row not closed': () => 'A quotation mark is not closed, or text follows it.',
  'same as an earlier row': ({ row }) => `Row ${row} has the same name and destination.`,
  'code exists': () => 'A code with this name and destination exists already.',
  'left out': () => 'You left it out.',
  'as stored': ({ text }) => text,
};

export const pathSentences: Sentences<PathReason> = {
  'path badly encoded': () => 'The path is badly encoded.',
  'path empty': () => 'The path is empty.',
  'path too long': ({ maxLength }) => `The path is longer than ${maxLength} characters.`,
  'path with control characters': () =>
    'The path has a control character, a backslash, a question mark or a hash.',
  'path with an empty segment': () => 'The path has an empty segment, "." or "..".',
  'path of Waymark': ({ segment }) => `/${segment} is a page of Waymark.`,
  'path with a slash at the end': () => 'The path has a slash at the end. Leave it out.',
  'path that programs ask for': ({ path }) =>
    `Browsers and other programs ask each host for /${path}, and each time would count as a scan. Choose another path.`,
  'path exists': ({ path }) => `/${path} exists already.`,
  'path reserved': ({ path }) =>
    `/${path} belonged to another account, which gave it up less than two years ago. People may still have it. Choose another path.`,
};

export const linkSentences: Sentences<LinkReason> = {
  'destination in this file': () =>
    'The destination is a link of this import and would redirect in a loop.',
  'path of an earlier row': ({ row }) => `Row ${row} has the same path.`,
  'path of an image': ({ path, code }) =>
    `/${path} is the name of an image: there is a code ${code}. The API would show the image for it.`,
  'printed path that programs ask for': ({ path }) =>
    `Browsers and other programs ask each host for /${path}, and each time would count as a scan. If it was printed, import it with --force.`,
  'no short address': () => 'The row has no short address.',
  'short address is no URL': () => 'The short address is no valid URL.',
  'short address with a query': () =>
    'The printed address has a query or a fragment, which links cannot have.',
  'no number of scans': ({ text }) => `${quoted(text)} is no number of scans.`,
  'no date': ({ of, text }) => `${quoted(text)} is no date of the ${of}. Write it like 2026-01-31.`,
  'paths created meanwhile': ({ created }) =>
    `Another process created one of the paths meanwhile. ${
      created === 0
        ? 'Nothing was created. Try again.'
        : `${created} links were created. Import the file again with --only-good, which leaves out those that exist.`
    }`,
};

/** @param say the sentence of another reason */
export function bulkEditSentences(say: (reason: Reason) => string): Sentences<BulkEditReason> {
  return {
    'bulk edit running': () =>
      'Another bulk edit of this account is running, or was interrupted. Try again in a minute.',
    'nothing to replace': () => 'Name the part of the destination that is to be replaced.',
    'too many selected': ({ max }) =>
      `More than ${formatNumber(max)} codes are selected. Search for a part of them, and repeat the edit for the others.`,
    'no bulk edit to undo': () => 'There is no bulk edit to undo.',
    'changed since': ({ changed, codes }) =>
      `${formatNumber(changed)} of the ${formatCount(codes, 'code')} ${changed === 1 ? 'was' : 'were'} changed since this bulk edit, so it can't be undone.`,
    'earlier destination rejected': ({ code, reason }) =>
      `The earlier destination of ${code} is rejected now, so nothing was undone. ${say(reason)}`,
    'blocked by the operator': () => 'The operator of this server has blocked it.',
    'nothing left of the destination': () => 'Nothing would be left of the destination.',
  };
}

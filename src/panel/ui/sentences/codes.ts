import { maxDestinationLength } from '../../../core/codes/urls/destination.ts';
import { maxHostLabelLength, maxHostLength } from '../../../core/codes/urls/host.ts';
import type {
  BatchReason,
  BulkEditReason,
  DestinationProblem,
  DestinationReason,
  FileReason,
  LabelReason,
  LinkReason,
  ListReason,
  MissingReason,
  PathReason,
  Reason,
  RowReason,
  SavedDesignReason,
  Sentences,
} from '../../../core/reasons.ts';
import { formatCount, formatNumber } from '../../../lib/numbers.ts';
import { formatExpression, formatListName, readableUrl } from '../formatting.ts';

/** What is wrong with an address. Its field adds https:// to what begins with a domain. */
const problems: Readonly<Record<Exclude<DestinationProblem, 'no scheme'>, string>> = {
  missing: 'Enter the address that opens, such as https://example.com/menu.',
  'no text': 'Enter the address that opens, such as https://example.com/menu.',
  empty: 'Enter the address that opens, such as https://example.com/menu.',
  'too long': `The address is longer than ${formatNumber(maxDestinationLength)} characters. Use a shorter one.`,
  'two schemes': 'The address begins with https:// or http:// twice.',
  'space or control character':
    'There is a space or a control character in the address. Write %20 for a space.',
  'half of a surrogate pair': 'There is a broken character in the address. Copy it again.',
  'invisible character at an end': 'The address ends with an invisible character.',
  'direction mark':
    'There is an invisible mark in the address that changes the direction of text. Remove it.',
  backslash: 'There is a backslash in the address. Write / or, if it is meant, %5C.',
  'user name': 'The address must not have a user name or password.',
  'no host': 'The address has no host name, such as example.com.',
  'comma in the host': 'There is a comma in the host name.',
  'percent-encoded host': 'The host name is percent-encoded. Write it in plain characters.',
  'no valid host or port': 'The address has no valid host name or port.',
  'port 0': 'The port is 0, at which nothing can be reached.',
  'dot too many': 'The host name has a dot too many.',
  'unusual IP address':
    'The host is an unusual spelling of an IP address. Write four numbers, such as 192.0.2.7.',
  'replaced characters': 'The host name has characters that browsers replace or drop.',
  'long label': `A part of the host name is longer than ${maxHostLabelLength} characters.`,
  'long host': `The host name is longer than ${maxHostLength} characters.`,
  'no host name': 'The host name has a character or a hyphen where it can’t have one.',
};

/** Says what an address without http:// lacks: mostly something else. */
function withoutScheme(text: string): string {
  if (/^[a-z][a-z0-9+.-]*:(?:$|\D)/i.test(text))
    return 'The URL must begin with http:// or https://.';
  const [host = ''] = /^[^/?#]*/.exec(text) ?? [];
  if (host.includes(',')) return problems['comma in the host'];
  if (/\s/.test(text))
    return 'This is no address: there is a space in it. An address must begin with http:// or https://.';
  if (/^(?:[^.]+\.)?localhost(?::|$)/i.test(host))
    return '“localhost” is the phone itself. Use an address that phones can open.';
  if (!host.includes('.') && host !== '')
    return `“${readableUrl(host)}” is not a complete host name. Write it with its ending, such as example.com.`;
  return 'This is no address that a browser opens. It must begin with http:// or https://.';
}

export const destinationSentences: Sentences<DestinationReason> = {
  'wrong destination': ({ problem, text, meant }) => {
    const said = problem === 'no scheme' ? withoutScheme(text) : problems[problem];
    return meant === null ? said : `${said} Did you mean ${readableUrl(meant)}?`;
  },
  'resembles a domain': ({ text }) =>
    `"${readableUrl(text.slice(0, 60).toWellFormed())}" may be a file or a name. If it is an address, write https:// before it.`,
  'short link of this server': () =>
    'This is a short link of this server, and would redirect in a loop.',
  'imported link of this server': () =>
    'This is an imported link of this server, and could redirect in a loop.',
  'flagged destination': ({ source, list, expression }) => {
    const address = `“${formatExpression(expression)}”`;
    const reason = {
      operator: `the operator of this server has blocked ${address}`,
      'built-in': `${address} is a published test address`,
      'remote check': `${formatListName(list)} flags ${address}`,
      'imported list': `${address} is on ${formatListName(list)}`,
    }[source];
    return `The destination is flagged as dangerous: ${reason}.`;
  },
};

export const missingSentences: Sentences<MissingReason> = {
  'no such code': () => 'There is no such code, or you do not have access to it.',
  'no image of an imported link': () =>
    'Waymark has no image of an imported link. It was printed by another service.',
  'no such batch': () => 'There is no such table any more.',
};

export const labelSentences: Sentences<LabelReason> = {
  'several lines in a label': ({ noun }) =>
    `A ${noun} is one line of text, without tabs or control characters.`,
  'control characters in a label': ({ noun }) => `A ${noun} can’t have control characters.`,
  'label is no Unicode': ({ noun }) => `There is a broken character in the ${noun}.`,
  'label too long': ({ noun, maxLength }) =>
    `The ${noun} is too long: at most ${formatCount(maxLength, 'character')} are possible.`,
};

export const savedDesignSentences: Sentences<SavedDesignReason> = {
  'no such saved design': ({ name }) => `There is no saved design named “${name}”.`,
  'saved design exists': ({ name }) => `Another saved design is named “${name}”.`,
  'saved design without a name': () => 'Enter a name for the design.',
};

export const listSentences: Sentences<ListReason> = {
  'folder without a name': () => 'Enter a name for the folder.',
  'sorted too far': ({ max }) =>
    `Only the first ${formatNumber(max)} codes of this list can be sorted. Use an earlier page, a search or a filter.`,
};

export const batchSentences: Sentences<BatchReason> = {
  'batch started': () => 'These codes are being created already.',
  'every row has a problem': () => 'Every row has a problem, so no code was created.',
  'rows with problems': ({ refused, rows }) =>
    `${formatNumber(refused)} of ${formatCount(rows, 'row')} ${refused === 1 ? 'has' : 'have'} a problem, so no code was created. Correct ${refused === 1 ? 'it' : 'them'}, or create the others only.`,
  'all codes exist': () => 'The codes of all rows exist already, so no code was created.',
  'every row left out': () => 'Every row is left out, so no code was created.',
  'batch stopped': () => 'Stopped by the account holder.',
  'plan expired': () => 'Your plan has expired. Printed codes continue to redirect.',
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
    'The file is in none of the encodings that its words show for certain. Save it as .xlsx or “CSV UTF-8”, and use that file.',
  'file is a PDF': () => 'The file is a PDF. Use the spreadsheet it was made from, or CSV.',
  'file is a picture': () => 'The file is a picture. Use the table itself: a spreadsheet or CSV.',
  'file is a ZIP file': () =>
    'The file is a spreadsheet or another ZIP file. Save it as “CSV UTF-8” first, and use that file.',
  'encrypted spreadsheet': () =>
    'The spreadsheet is encrypted with a password. Remove the password (in Excel: File, Info, Protect Workbook), save it, and use that file.',
  'old spreadsheet': () =>
    'The file is a spreadsheet in the old .xls format. Open it, save it as .xlsx or “CSV UTF-8”, and use that file.',
  'file is markup': () =>
    'The file is a web page or XML, whatever its name says. Open it in a spreadsheet, save it as .xlsx or “CSV UTF-8”, and use that file.',
};

export const rowSentences: Sentences<RowReason> = {
  'lost characters': ({ noun }) =>
    `The ${noun} has “\ufffd” in place of a character that was lost. Correct it.`,
  'computed link': () => 'The link is computed. Put the address itself into a cell.',
  'error in a cell': ({ noun, text }) =>
    `The cell of the ${noun} shows ${text}. Correct its formula.`,
  'no result in a cell': ({ noun }) =>
    `The cell of the ${noun} has a formula whose result is not in the file. Open the file in a spreadsheet, save it, and use that file.`,
  'no destination in the row': () => 'Where should this code lead?',
  'row not closed': () => 'A quotation mark is not closed, or text follows it.',
  'same as an earlier row': ({ row }) => `Row ${row} has the same name and destination.`,
  'code exists': () => 'A code with this name and destination exists already.',
  'left out': () => 'You left it out.',
  'as stored': ({ text }) => text,
};

/** Links are imported with a command. The panel shows these when a path is looked up. */
export const linkSentences: Sentences<LinkReason | PathReason> = {
  'path badly encoded': () => 'The path is badly encoded.',
  'path empty': () => 'The path is empty.',
  'path too long': ({ maxLength }) =>
    `The path is longer than ${formatCount(maxLength, 'character')}.`,
  'path with control characters': () => 'The path has characters that a path can’t have.',
  'path with an empty segment': () => 'The path has an empty part, “.” or “..”.',
  'path of Waymark': ({ segment }) => `/${segment} is a page of Waymark.`,
  'path with a slash at the end': () => 'The path has a slash at the end. Leave it out.',
  'path reserved': ({ path }) =>
    `/${path} belonged to somebody else until lately, and people may still have it. Choose another path.`,
  'destination in this file': () => 'The destination is one of these links itself.',
  'path of an earlier row': ({ row }) => `Row ${row} has the same path.`,
  'path exists': ({ path }) => `/${path} exists already.`,
  'path of an image': ({ path, code }) => `/${path} is the picture of the code ${code}.`,
  'path that programs ask for': ({ path }) =>
    `Browsers ask for /${path} by themselves, and each time would count as a scan. Choose another path.`,
  'printed path that programs ask for': ({ path }) => `Browsers ask for /${path} by themselves.`,
  'no short address': () => 'The row has no short address.',
  'short address is no URL': () => 'The short address can’t be opened.',
  'short address with a query': () => 'A printed address can’t have a question mark or a hash.',
  'no number of scans': ({ text }) => `“${text}” is no number of scans.`,
  'no date': ({ text }) => `“${text}” is no date. Write it like 2026-01-31.`,
  'paths created meanwhile': () => 'Somebody else created one of the paths meanwhile. Try again.',
};

/** @param say the sentence of another reason */
export function bulkEditSentences(say: (reason: Reason) => string): Sentences<BulkEditReason> {
  return {
    'bulk edit running': () =>
      'Another change of many codes is running, or was interrupted. Try again in a minute.',
    'nothing to replace': () => 'Enter the part of the destination that is to be replaced.',
    'too many selected': ({ max }) =>
      `More than ${formatNumber(max)} codes are selected. Search for a part of them, and repeat the change for the others.`,
    'no bulk edit to undo': () => 'There is no bulk edit to undo.',
    'changed since': ({ changed, codes }) =>
      `${formatNumber(changed)} of the ${formatCount(codes, 'code')} ${changed === 1 ? 'was' : 'were'} changed since, so this can’t be undone.`,
    'earlier destination rejected': ({ code, reason }) =>
      `The earlier destination of ${code} is rejected now, so nothing was undone. ${say(reason)}`,
    'blocked by the operator': () => 'The operator of this server has blocked it.',
    'nothing left of the destination': () => 'Nothing would be left of the destination.',
  };
}

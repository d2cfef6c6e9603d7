import { InvalidArgumentError, Option } from 'commander';
import { type ColumnChoice, columnRoles } from '../../core/batches/columns.ts';
import type { TableOptions, TableView } from '../../core/batches/table.ts';
import { encodings, type Reading } from '../../core/codes/tables/encodings.ts';
import { type Separator, separatorNames } from '../../core/codes/tables/separator.ts';
import { textsOf } from '../../languages/texts.ts';
import { shorten } from '../../lib/text/shorten.ts';
import { encodingName } from '../../sentences/tables.ts';
import { CommandError } from '../errors/command-error.ts';
import { formatTable } from '../output.ts';

/** Flags that answer what a file does not say plainly. */
export interface AnswerFlags {
  readonly sheet?: string;
  readonly encoding?: string;
  readonly separator?: Separator;
}

/** Returns the options that say how a file is to be read, for tables and exports of links. */
export function answerOptions(): Option[] {
  return [
    new Option('--sheet <name>', 'sheet of a spreadsheet; asked where several have rows'),
    new Option(
      '--encoding <name>',
      'encoding of a text that is not in Unicode, such as windows-1250',
    ).argParser(parseEncoding),
    new Option('--separator <name>', 'what separates the cells of a text').choices(separatorNames),
  ];
}

/** Flags that say what the columns of a table are. */
export interface ColumnFlags {
  readonly column?: readonly ColumnChoice[];
  readonly header?: 'yes' | 'no';
}

/** Returns the options that say what the columns of a table are. */
export function columnOptions(): Option[] {
  return [
    new Option(
      '--column <role=column>',
      `what a column is, by its header or number: ${columnRoles.join(', ')}; may be given several times`,
    ).argParser(parseColumns),
    new Option('--header <yes|no>', 'whether the first row has the names of the columns').choices([
      'yes',
      'no',
    ]),
  ];
}

/** Returns what the flags say about a table. */
export function answersOf({
  sheet,
  encoding,
  separator,
  column,
  header,
}: AnswerFlags & ColumnFlags): TableOptions {
  return {
    sheet,
    encoding,
    separator,
    columns: column,
    header: header === undefined ? undefined : header === 'yes',
    languages: languagesOf(Bun.env),
  };
}

function parseColumns(text: string, earlier: readonly ColumnChoice[] = []): ColumnChoice[] {
  const [name = '', of] = text.split(/=(.*)/s);
  const role = columnRoles.find((one) => one === name);
  if (role === undefined || of === undefined || of.trim() === '')
    throw new InvalidArgumentError(
      'It must be like destination=HEADER or destination=2, with the header or number of a column.',
    );
  if (role !== 'ignore' && earlier.some((one) => one.role === role))
    throw new InvalidArgumentError(`There is one column for ${role}.`);
  return [...earlier, { role, of }];
}

function parseEncoding(text: string): string {
  try {
    return new TextDecoder(text).encoding;
  } catch {
    throw new InvalidArgumentError(`It must be an encoding, such as ${encodings.join(', ')}.`);
  }
}

/** Returns the languages of the terminal, see locale(7). */
function languagesOf({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): string[] {
  const [locale = ''] = (LC_ALL || LC_CTYPE || LANG || '').split('.');
  return /^[a-z]{2,3}(?:_|$)/i.test(locale) ? [locale.replace('_', '-')] : [];
}

/** Creates the question about a table: what is open, and what answers it. */
export function questionAbout(file: string, view: TableView): CommandError {
  if (view.isEncodingOpen) return lettersQuestion(file, view.readings);
  if (view.isSheetOpen) return sheetQuestion(file, view.sheets);
  const columns = formatTable(
    view.columns.map(({ header, values }, column) => [
      `  ${column + 1}`,
      shown(header),
      shown(values[0]?.text || (values[0]?.link ?? '')),
    ]),
  );
  return new CommandError(
    [
      `${file} does not say plainly what is in its columns, so nothing was created. Their ${view.hasHeader ? 'headers and ' : ''}first values:`,
      columns,
      ...(view.isSeparatorOpen
        ? [
            'If the lines are split at the wrong place, or to confirm it: --separator comma, semicolon, tab or none (each line is one address).',
          ]
        : []),
      ...(view.isHeaderOpen
        ? [
            'If the first row has the names of the columns: --header yes. If it is data: --header no.',
          ]
        : []),
      ...(view.isDestinationOpen
        ? [
            `Name the column of the destinations, by header or number: ${columnsToName(view).join(' or ')}`,
          ]
        : []),
      `Other columns: --column name=HEADER, and note, folder and path.`,
    ].join('\n'),
  );
}

/** Creates the question which sheet is to be read. */
export function sheetQuestion(file: string, sheets: readonly string[]): CommandError {
  const named = sheets.map((sheet) => `  --sheet ${argument(sheet)}`);
  return new CommandError(
    [`Several sheets of ${file} have rows, so nothing was created. Name one:`, ...named].join('\n'),
  );
}

/** Creates the question which encoding reads a file right. */
export function lettersQuestion(file: string, readings: readonly Reading[]): CommandError {
  const lines = readings.map(({ encoding, words }) => [
    `  --encoding ${encoding}`,
    words.map(shown).join(' · '),
    `(${encodingName(encoding, textsOf('en'))})`,
  ]);
  return new CommandError(
    [
      `${file} does not say how its letters are stored, so nothing was created. Some of its words in each encoding:`,
      formatTable(lines),
      'Give the option of the line that is right. If none is, save the file as .xlsx or "CSV UTF-8".',
    ].join('\n'),
  );
}

function columnsToName({ columns }: TableView): string[] {
  const addresses = columns.flatMap(({ header, hasAddresses }, column) => {
    const isUnique = columns.filter((one) => one.header === header).length === 1;
    return hasAddresses
      ? `--column destination=${header !== '' && isUnique ? argument(header) : column + 1}`
      : [];
  });
  return addresses.length > 0 ? addresses : ['--column destination=HEADER'];
}

const maxShownLength = 60;

/** Returns a text of a file as a question shows it. */
export function shown(text: string): string {
  return shorten(text.replaceAll(/\s+/g, ' '), maxShownLength);
}

/** Quotes an argument of a command for a POSIX shell. */
export function argument(text: string): string {
  return /^[\w.@/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

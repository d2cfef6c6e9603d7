import { InvalidArgumentError, Option } from 'commander';
import type { LinkFileOptions } from '../../core/codes/imports/link-file.ts';
import { type LinkColumnChoice, linkRoles } from '../../core/codes/imports/link-table.ts';
import type { LinkColumnsQuestion } from '../../core/codes/tables/file-reasons.ts';
import { splitCsvRow } from '../../lib/csv.ts';
import { formatCount } from '../../lib/numbers.ts';
import { CommandError } from '../errors/command-error.ts';
import { formatTable } from '../output.ts';
import { type AnswerFlags, answersOf, argument, shown } from './questions.ts';

/** Flags that answer what a file of links does not say plainly. */
export interface LinkAnswerFlags extends AnswerFlags {
  readonly column?: readonly LinkColumnChoice[];
  readonly header?: 'yes' | 'no';
  readonly activeValues?: readonly string[];
}

/** Returns the options that say what the columns of a table of links are. */
export function linkColumnOptions(): Option[] {
  return [
    new Option(
      '--column <role=column>',
      `what a column is, by its header, number or letter: ${linkRoles.join(', ')}; may be given several times; active=none if no column says whether a link is active`,
    ).argParser(parseColumns),
    new Option('--header <yes|no>', 'whether the first row has the names of the columns').choices([
      'yes',
      'no',
    ]),
    new Option(
      '--active-values <values>',
      'values of the column active with which a link is active, separated by commas; with all others it is imported paused',
    ).argParser(parseValues),
  ];
}

/** Returns what the flags say about a file of links. */
export function linkAnswersOf({
  column,
  header,
  activeValues,
  ...answers
}: LinkAnswerFlags): LinkFileOptions {
  if (activeValues !== undefined && column?.every(({ role }) => role !== 'active') !== false)
    throw new CommandError('--active-values needs the column: --column active=COLUMN.');
  const { columns: _, ...common } = answersOf({
    ...answers,
    ...(header !== undefined && { header }),
  });
  return { ...common, linkColumns: column, activeValues };
}

function parseColumns(text: string, earlier: readonly LinkColumnChoice[] = []): LinkColumnChoice[] {
  const [name = '', of] = text.split(/=(.*)/s);
  const role = linkRoles.find((one) => one === name);
  if (role === undefined || of === undefined || of.trim() === '')
    throw new InvalidArgumentError(
      'It must be like address=HEADER or address=2, with the header, number or letter of a column.',
    );
  if (role !== 'ignore' && earlier.some((one) => one.role === role))
    throw new InvalidArgumentError(`There is one column for ${role}.`);
  return [...earlier, { role, of }];
}

function parseValues(text: string, earlier: readonly string[] = []): string[] {
  const values = splitCsvRow(text, ',');
  if (values === null)
    throw new InvalidArgumentError('A quotation mark is not closed. Write values like a,b.');
  return [...earlier, ...values.map((value) => value.trim())];
}

/** Creates the question about the columns of a file of links: what is open, and the line to type. */
export function linkColumnsQuestion(
  file: string,
  email: string,
  question: LinkColumnsQuestion,
  { column: columns = [], header, activeValues, ...answers }: LinkAnswerFlags,
): CommandError {
  const { isHeaderOpen, isSeparatorOpen, missing, states, unknownStates } = question;
  const { encoding, sheet, separator } = answers;
  const given = [
    ...(encoding === undefined ? [] : [`--encoding ${encoding}`]),
    ...(sheet === undefined ? [] : [`--sheet ${argument(sheet)}`]),
    ...(separator === undefined ? [] : [`--separator ${separator}`]),
    ...(header === undefined ? [] : [`--header ${header}`]),
    ...columns.map(({ role, of }) => `--column ${role}=${argument(of)}`),
  ];
  const wanted = [
    ...(isSeparatorOpen ? ['--separator comma|semicolon|tab'] : []),
    ...(isHeaderOpen ? ['--header yes|no'] : []),
    ...missing.map((role) => `--column ${role}=COLUMN`),
    ...(missing.includes('active') ? ['--active-values VALUE,VALUE'] : []),
    ...(states === null ? [] : ['--active-values VALUE,VALUE']),
  ];
  return new CommandError(
    [
      `${file} does not say plainly what is in its columns, so nothing was created. Its columns, with their first values:`,
      formatTable(
        question.columns.map((one, index) => [
          `  ${index + 1}`,
          ...(question.hasHeader ? [shown(one.header)] : []),
          shown(one.value),
        ]),
      ),
      ...(states === null ? [] : stateLines(states)),
      ...unknownStates.map((value) => `No link has the value ${JSON.stringify(value)}.`),
      ...(isHeaderOpen
        ? [
            'If the first row has the names of the columns: --header yes. If it is a link: --header no.',
          ]
        : []),
      ...(missing.includes('active')
        ? [
            'If a column says whether a link is active, name it, and the values of active links. If none does: --column active=none.',
          ]
        : []),
      'Type, with the header or number of a column for COLUMN:',
      `  waymark link import ${argument(file)} --account ${argument(email)} ${[...given, ...wanted].join(' ')}`,
      'Other columns: --column name=COLUMN, and note, folder, scans, created and last-scan.',
    ].join('\n'),
  );
}

function stateLines({ first, others }: NonNullable<LinkColumnsQuestion['states']>): string[] {
  return [
    'The values of the column that says whether a link is active:',
    formatTable(
      first.map(({ value, links }) => [
        `  ${JSON.stringify(shown(value))}`,
        formatCount(links, 'link'),
      ]),
    ),
    ...(others > 0 ? [`  and ${formatCount(others, 'other value')}`] : []),
  ];
}

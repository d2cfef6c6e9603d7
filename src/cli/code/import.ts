import type { Command } from 'commander';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import { type CheckedTable, countRows, refusedCsv } from '../../core/batches/batches.ts';
import { namedUtm } from '../../core/batches/columns.ts';
import { tableBounds } from '../../core/batches/table.ts';
import { labelFields, textLabels } from '../../core/codes/fields.ts';
import { readabilityText } from '../../http/sentences/readability.ts';
import { writeFileAtomically } from '../../lib/files/atomic-write.ts';
import { readFileAtMost } from '../../lib/files/bounded-read.ts';
import { formatCount, formatList, formatNumber, plural } from '../../lib/numbers.ts';
import { findActiveAccount } from '../account/find-account.ts';
import {
  addCommand,
  commandOn,
  lowerPriority,
  type Outcome,
  rejectOutput,
  warnOfLocalAddress,
} from '../command.ts';
import { createProgress } from '../progress.ts';
import { cliNotice, cliSentence } from '../sentences/sentences.ts';
import { type CodeDeps, onCodes } from './command.ts';
import {
  type AnswerFlags,
  answerOptions,
  answersOf,
  argument,
  type ColumnFlags,
  columnOptions,
  questionAbout,
} from './questions.ts';

interface ImportFlags extends AnswerFlags, ColumnFlags {
  readonly account: string;
  readonly design?: string;
  readonly folder?: string;
  readonly dryRun?: true;
  readonly onlyGood?: boolean;
  readonly again?: boolean;
  readonly refused?: string;
}

/** Adds `waymark code import`. */
export function addImportCommand(code: Command, startRenderWorker: StartRenderWorker): void {
  const command = addCommand(
    code,
    'import <file>',
    `create a code for each row of a table with the columns destination, domain, ${formatList(textLabels)}: .xlsx, .ods or CSV; "-" reads standard input`,
  )
    .requiredOption('--account <email>', 'account of the codes')
    .option('--dry-run', 'only check the rows')
    .option('--only-good', 'leave out the rows that have a problem')
    .option('--again', 'also create codes whose name and destination an existing code has')
    .option('--folder <name>', 'folder of the rows that name none')
    .option('--refused <file>', 'write the refused rows and their reasons to a CSV file')
    .option('--design <name>', 'saved design (default: the default design of the account)')
    .hook('preAction', lowerPriority)
    .action(onCodes(startRenderWorker, importTable));
  for (const option of [...answerOptions(), ...columnOptions()]) command.addOption(option);
}

async function importTable(
  { accounts, codes, config }: CodeDeps,
  file: string,
  flags: ImportFlags,
): Promise<Outcome> {
  const { design, folder, dryRun, onlyGood = false, again = false } = flags;
  if (flags.refused !== undefined) rejectOutput(config, flags.refused);
  const { id: accountId } = await findActiveAccount(accounts, flags.account);
  await warnOfLocalAddress(config);
  const bytes = await readFileAtMost(file, tableBounds.maxBytes);
  const saved = design === undefined ? undefined : await codes.savedDesigns.find(accountId, design);
  const checking = createProgress('checked rows', null);
  const options = {
    ...answersOf(flags),
    designId: saved?.designId,
    folder: folder === undefined ? null : labelFields.folder.parse(folder),
    again,
    onProgress: checking.update,
  };
  const table = await codes.batches.check(accountId, bytes, options).finally(checking.end);
  if (table.kind === 'open') throw questionAbout(file, table.view);
  const outcome = async (created: number, failure: string | null, rows = table.rows, before = 0) =>
    outcomeOf(file, flags, { ...table, rows }, { created, before }, failure);
  if (!table.readability.isReadable)
    return outcome(
      0,
      `The design does not produce readable codes. ${readabilityText(table.readability)}`,
    );
  const { rows, refused, existing } = countRows(table);
  if (refused === rows) return outcome(0, 'Every row has a problem. Nothing was created.');
  if (refused > 0 && !onlyGood) return outcome(0, refusedText(refused, formatCount(rows, 'row')));
  if (dryRun || refused + existing === rows) return outcome(0, null);

  using progress = createProgress('codes', rows);
  const { id, state, problem, createdBefore } = await codes.batches.run(
    commandOn({ id: accountId }),
    table,
    onlyGood,
    progress.update,
  );
  const all = { filter: 'all', afterRow: 0, limit: rows } as const;
  const left = await codes.batches.rows(accountId, id, all);
  const created = left.filter(({ code }) => code !== null).length;
  const failure = state === 'done' || problem === null ? null : cliSentence(problem);
  return outcome(created - createdBefore, failure, left, createdBefore);
}

const maxNamedSheets = 10;

/** Names the sheets that were not read, and the option that reads one of them. */
export function sheetLine(otherSheets: readonly string[]): string[] {
  const named = otherSheets.slice(0, maxNamedSheets).map((sheet) => JSON.stringify(sheet));
  const rest = otherSheets.length > maxNamedSheets ? ' or another' : '';
  return named.length === 0 ? [] : [`--sheet reads another one: ${named.join(', ')}${rest}.`];
}

/**
 * Says why a file was refused of which some rows have a problem.
 *
 * @param all the number of its rows, with a noun
 */
export function refusedText(refused: number, all: string): string {
  return (
    `${formatNumber(refused)} of ${all} ${plural(refused, 'has', 'have')} a problem. Nothing was created. ` +
    'Correct the file, or leave them out with --only-good.'
  );
}

/** @param before the number of codes that an interrupted run of the same import had created */
async function outcomeOf(
  file: string,
  { refused: refusedFile }: ImportFlags,
  {
    rows,
    notices,
    otherSheets,
    ignoredColumns,
  }: Pick<CheckedTable, 'rows' | 'notices' | 'otherSheets' | 'ignoredColumns'>,
  { created, before }: { readonly created: number; readonly before: number },
  failure: string | null,
): Promise<Outcome> {
  const { existing } = countRows({ rows });
  const refused = rows.flatMap(({ row, problem }) =>
    problem === null || problem.kind === 'code exists'
      ? []
      : [{ row, reason: cliSentence(problem) }],
  );
  const lines = [
    ...notices.map(cliNotice),
    ...sheetLine(otherSheets),
    ignoredColumns.length > 0 && 'Use --column name=HEADER to take one as the name.',
    ...ignoredColumns.flatMap((header) => {
      const name = namedUtm(header);
      return name === null
        ? []
        : [`Use --column ${name}=${argument(header)} to put ${name} into the destinations.`];
    }),
    ...refused.map(({ row, reason }) => `Row ${row}: ${reason}`),
  ];
  if (refusedFile !== undefined && refused.length > 0) {
    await writeFileAtomically(refusedFile, (append) => append(refusedCsv(rows, cliSentence)));
    lines.push(`The refused rows are in ${refusedFile}. Correct them there, and import it.`);
  }
  if (existing > 0)
    lines.push(
      `${formatCount(existing, 'row has', 'rows have')} the name and destination of ${plural(existing, 'an existing code', 'existing codes')} and ${plural(existing, 'is', 'are')} left out. --again creates ${plural(existing, 'it', 'them')}.`,
    );
  if (before > 0)
    lines.push(
      `This import was interrupted before. ${formatCount(before, 'code')} of it ${plural(before, 'was', 'were')} there already.`,
    );
  const there = existing + before > 0 ? `, ${formatNumber(existing + before)} there already` : '';
  const counts = `${formatCount(rows.length, 'row')}, ${formatNumber(refused.length)} refused${there}, ${formatCount(created, 'code')} created`;
  return {
    text: [...lines, `${file}: ${counts}.`],
    json: {
      rows: rows.length,
      created,
      refused,
      ignored_columns: ignoredColumns,
      existing: existing + before,
    },
    change: created > 0 && { codes: String(created) },
    failure,
  };
}

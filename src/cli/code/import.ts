import type { Command } from 'commander';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import { requireActivePlan } from '../../core/accounts/account.ts';
import { existingProblem } from '../../core/batches/batch.ts';
import {
  type CheckedTable,
  type CheckOptions,
  countRows,
  refusedCsv,
} from '../../core/batches/batches.ts';
import { tableBounds } from '../../core/batches/table.ts';
import { labelFields, labelPhrase } from '../../core/codes/fields.ts';
import { writeFileAtomically } from '../../lib/atomic-write.ts';
import { readFileAtMost } from '../../lib/bounded-read.ts';
import { formatCount } from '../../lib/numbers.ts';
import { rejectOverwrite } from '../../sqlite/maintenance/overwrite-guard.ts';
import { findAccount } from '../account/find-account.ts';
import {
  type CommonFlags,
  configOf,
  type Outcome,
  rejectStdout,
  subcommand,
  withAddressWarning,
  withLowPriority,
} from '../command.ts';
import { createProgress } from '../progress.ts';
import { type CodeDeps, runWithChecks } from './command.ts';

interface ImportFlags extends CommonFlags {
  readonly account: string;
  readonly design?: string;
  readonly sheet?: string;
  readonly folder?: string;
  readonly dryRun?: true;
  readonly onlyGood?: boolean;
  readonly again?: boolean;
  readonly refused?: string;
}

/** Creates `waymark code import`. */
export function importCommand(startRenderWorker: StartRenderWorker): Command {
  return withLowPriority(subcommand('import <file>', 'create a code for each row of a table'))
    .description(
      `create a code for each row of a table with the columns destination, ${labelPhrase.toLowerCase()}: .xlsx, .ods or CSV; "-" reads standard input`,
    )
    .requiredOption('--account <email>', 'account of the codes')
    .option('--dry-run', 'only check the rows')
    .option('--only-good', 'leave out the rows that have a problem')
    .option('--again', 'also create codes whose name and destination an existing code has')
    .option('--sheet <name>', 'sheet of a spreadsheet (default: the first)')
    .option('--folder <name>', 'folder of the rows that name none')
    .option('--refused <file>', 'write the refused rows and their reasons to a CSV file')
    .option('--design <name>', 'saved design (default: the default design of the account)')
    .action((file: string, flags: ImportFlags) =>
      runWithChecks(flags, startRenderWorker, async (deps, config) =>
        withAddressWarning(config, await importTable(deps, file, flags)),
      ),
    );
}

async function importTable(
  { accounts, codes }: CodeDeps,
  file: string,
  flags: ImportFlags,
): Promise<Outcome> {
  const { design, sheet, folder, dryRun, onlyGood: isOnlyGood = false, again = false } = flags;
  if (flags.refused !== undefined) {
    rejectStdout(flags.refused);
    rejectOverwrite(configOf(flags).data, flags.refused);
  }
  const account = await findAccount(accounts, flags.account);
  requireActivePlan(account, Date.now());
  const table = await checkTable(
    codes.batches,
    account.id,
    await readFileAtMost(file, tableBounds.maxBytes),
    {
      designId:
        design === undefined
          ? undefined
          : (await codes.savedDesigns.find(account.id, design)).designId,
      sheet,
      folder: folder === undefined ? null : labelFields.folder.parse(folder),
      again,
    },
  );
  const outcome = outcomeOf(file, flags, table);
  if (!table.readability.isReadable)
    return outcome(0, `The design does not produce readable codes. ${reasonsOf(table)}`);
  const { rows, refused, existing } = countRows(table);
  if (refused === rows) return outcome(0, 'Every row has a problem. Nothing was created.');
  if (refused > 0 && !isOnlyGood)
    return outcome(
      0,
      `${refused} of ${formatCount(rows, 'row')} ${refused === 1 ? 'has' : 'have'} a problem. ` +
        'Nothing was created. Correct the file, or leave them out with --only-good.',
    );
  if (dryRun || refused + existing === rows) return outcome(0, null);

  using progress = createProgress('codes', rows);
  const { id, state, problem } = await codes.batches.run(
    account.id,
    table,
    isOnlyGood,
    progress.update,
  );
  const all = { filter: 'all', afterRow: 0, limit: rows } as const;
  const left = await codes.batches.rows(account.id, id, all);
  const created = left.filter(({ code }) => code !== null).length;
  const finished = outcomeOf(file, flags, { ...table, rows: left });
  return finished(created, state === 'done' ? null : problem);
}

async function checkTable(
  batches: CodeDeps['codes']['batches'],
  accountId: number,
  bytes: Uint8Array,
  options: CheckOptions,
): Promise<CheckedTable> {
  using progress = createProgress('checked rows', null);
  return await batches.check(accountId, bytes, { ...options, onProgress: progress.update });
}

function outcomeOf(
  file: string,
  { refused: refusedFile }: ImportFlags,
  { rows, notices, ignoredColumns }: Pick<CheckedTable, 'rows' | 'notices' | 'ignoredColumns'>,
) {
  return async (created: number, failure: string | null): Promise<Outcome> => {
    const { existing } = countRows({ rows });
    const refused = rows.flatMap(({ row, problem }) =>
      problem === null || problem === existingProblem ? [] : [{ row, reason: problem }],
    );
    const lines = [...notices, ...refused.map(({ row, reason }) => `Row ${row}: ${reason}`)];
    if (refusedFile !== undefined && refused.length > 0) {
      await writeFileAtomically(refusedFile, (append) => append(refusedCsv(rows)));
      lines.push(`The refused rows are in ${refusedFile}. Correct them there, and import it.`);
    }
    if (existing > 0)
      lines.push(
        `${formatCount(existing, 'row has', 'rows have')} the name and destination of ${existing === 1 ? 'an existing code' : 'existing codes'} and ${existing === 1 ? 'is' : 'are'} left out. --again creates ${existing === 1 ? 'it' : 'them'}.`,
      );
    const counts = `${formatCount(rows.length, 'row')}, ${refused.length} refused, ${formatCount(created, 'code')} created`;
    return {
      text: [...lines, `${file}: ${counts}.`].join('\n'),
      json: { rows: rows.length, created, refused, ignored_columns: ignoredColumns, existing },
      ...(created > 0 && {
        change: { codes: String(created) },
      }),
      ...(failure !== null && { failure }),
    };
  };
}

function reasonsOf({ readability: { reasons, advice } }: CheckedTable): string {
  return [...reasons, advice?.message ?? ''].join(' ').trim();
}

import type { Command } from 'commander';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import { requireActivePlan } from '../../core/accounts/account.ts';
import type { CheckedTable } from '../../core/batches/batches.ts';
import { maxTableBytes } from '../../core/batches/table.ts';
import { labelNames } from '../../core/codes/fields.ts';
import { readFileAtMost } from '../../lib/bounded-read.ts';
import { formatCount } from '../../lib/numbers.ts';
import { findAccount } from '../account/find-account.ts';
import { type CommonFlags, type Outcome, subcommand, withLowPriority } from '../command.ts';
import { createProgress } from '../progress.ts';
import { type CodeDeps, runWithChecks } from './manage.ts';

interface ImportFlags extends CommonFlags {
  readonly account: string;
  readonly design?: string;
  readonly dryRun?: true;
  readonly onlyGood?: boolean;
}

/** Creates `waymark code import`. */
export function importCommand(startRenderWorker: StartRenderWorker): Command {
  return withLowPriority(subcommand('import <file>', 'create a code for each row of a table'))
    .description(
      `create a code for each row of a table: CSV in UTF-8 with the columns destination, ${labelNames.join(', ')}; "-" reads standard input`,
    )
    .requiredOption('--account <email>', 'account of the codes')
    .option('--dry-run', 'only check the rows')
    .option('--only-good', 'leave out the rows that have a problem')
    .option('--design <name>', 'saved design (default: the default design of the account)')
    .action((file: string, flags: ImportFlags) =>
      runWithChecks(flags, startRenderWorker, (deps) => importTable(deps, file, flags)),
    );
}

async function importTable(
  { accounts, codes }: CodeDeps,
  file: string,
  { account: email, design, dryRun, onlyGood: isOnlyGood = false }: ImportFlags,
): Promise<Outcome> {
  const account = await findAccount(accounts, email);
  requireActivePlan(account, Date.now());
  const designId =
    design === undefined ? null : (await codes.savedDesigns.find(account.id, design)).designId;
  const table = await checkTable(
    codes.batches,
    account.id,
    await readFileAtMost(file, maxTableBytes),
    designId,
  );
  const outcome = outcomeOf(file, table);
  if (!table.readability.isReadable)
    return outcome(0, `The design does not produce readable codes. ${reasonsOf(table)}`);
  const refused = table.rows.filter(({ problem }) => problem !== null).length;
  const good = table.rows.length - refused;
  if (good === 0) return outcome(0, 'Every row has a problem. Nothing was created.');
  if (refused > 0 && !isOnlyGood)
    return outcome(
      0,
      `${refused} of ${formatCount(table.rows.length, 'row')} ${refused === 1 ? 'has' : 'have'} a problem. ` +
        'Nothing was created. Correct the file, or leave them out with --only-good.',
    );
  if (dryRun) return outcome(0, null);

  const progress = createProgress('codes', table.rows.length);
  try {
    const { id, state, problem } = await codes.batches.run(
      account.id,
      table,
      isOnlyGood,
      progress.update,
    );
    const left = await codes.batches.rows(account.id, id, {
      filter: 'all',
      afterRow: 0,
      limit: table.rows.length,
    });
    const created = left.filter(({ code }) => code !== null).length;
    return outcomeOf(file, { ...table, rows: left })(created, state === 'done' ? null : problem);
  } finally {
    progress.end();
  }
}

async function checkTable(
  batches: CodeDeps['codes']['batches'],
  accountId: number,
  bytes: Uint8Array,
  designId: number | null,
): Promise<CheckedTable> {
  const progress = createProgress('checked rows', null);
  try {
    return await batches.check(accountId, bytes, designId, progress.update);
  } finally {
    progress.end();
  }
}

function outcomeOf(file: string, { rows }: Pick<CheckedTable, 'rows'>) {
  return (created: number, failure: string | null): Outcome => {
    const refused = rows.flatMap(({ row, problem }) =>
      problem === null ? [] : [{ row, reason: problem }],
    );
    const counts = `${formatCount(rows.length, 'row')}, ${refused.length} refused, ${formatCount(created, 'code')} created`;
    const lines = refused.map(({ row, reason }) => `Row ${row}: ${reason}`);
    return {
      text: [...lines, `${file}: ${counts}.`].join('\n'),
      json: { rows: rows.length, created, refused },
      ...(created > 0 && {
        change: { command: 'code import', details: { codes: String(created) } },
      }),
      ...(failure !== null && { failure }),
    };
  };
}

function reasonsOf({ readability: { reasons, advice } }: CheckedTable): string {
  return [...reasons, advice?.message ?? ''].join(' ').trim();
}

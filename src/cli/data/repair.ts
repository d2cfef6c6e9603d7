import { resolve } from 'node:path';
import type { Command } from 'commander';
import { realClock } from '../../compose/runtime.ts';
import { createStorage } from '../../compose/storage.ts';
import type { Repaired } from '../../core/storage.ts';
import {
  addCommand,
  type CommonFlags,
  configOf,
  type Outcome,
  rejectStdout,
  toAction,
} from '../command.ts';
import { formatMegabytes } from '../output.ts';
import { contentJson, contentText } from './backup.ts';

interface RepairFlags extends CommonFlags {
  readonly to: string;
  readonly force?: true;
}

/** Adds `waymark repair --to FILE`. */
export function addRepairCommand(program: Command): void {
  addCommand(
    program,
    'repair',
    'copy everything that can be read from a damaged database into a new file',
  )
    .requiredOption('--to <file>', 'file to write, for "waymark restore"')
    .option('--force', 'replace the file if it exists')
    .action(toAction(repair));
}

async function repair({ to, ...flags }: RepairFlags): Promise<Outcome> {
  rejectStdout(to);
  const storage = await createStorage(configOf(flags));
  const options = { replace: flags.force ?? false, nowMs: realClock.nowMs() };
  const { bytes, rows, missing } = await storage.repair(resolve(to), options);
  const lines = linesOf(missing);
  return {
    text: [
      `Wrote ${to} (${formatMegabytes(bytes)}) with everything that can be read: ${contentText(rows)}.`,
      ...lines,
      lines.length === 0 && 'Nothing is missing.',
      `To use it: stop the server, then run "waymark restore --force ${to}".`,
    ],
    json: { file: to, bytes, ...contentJson(rows), missing },
    failure: lines.length > 0 && `Codes or other rows are missing in ${to}; they are listed above.`,
  };
}

/** Lists what is missing, one line each. */
function linesOf({ codes, rows, notes }: Repaired['missing']): string[] {
  return [
    ...codes.map((code) => `missing code: ${code}`),
    ...rows.flatMap(({ table, unreadable, rejected }) => [
      ...unreadable.map(
        ({ first, last }) => `unreadable rows of ${table}: ${first} to ${last ?? 'the end'}`,
      ),
      ...(rejected > 0 ? [`damaged rows of ${table}: ${rejected}`] : []),
    ]),
    ...notes,
  ];
}

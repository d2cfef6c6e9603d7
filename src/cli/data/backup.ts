import { resolve } from 'node:path';
import type { Command } from 'commander';
import { createStorage } from '../../compose/storage.ts';
import type { RowCounts } from '../../core/storage.ts';
import {
  type CommonFlags,
  configOf,
  type Outcome,
  rejectStdout,
  report,
  subcommand,
} from '../command.ts';
import { formatCount, formatMegabytes } from '../output.ts';

interface FileFlags extends CommonFlags {
  readonly force?: true;
}

/** Adds `waymark backup FILE`. */
export function addBackupCommand(program: Command): void {
  program.addCommand(
    subcommand('backup <file>', 'copy the database into one file, also while the server runs')
      .option('--force', 'replace the file if it exists')
      .action((file: string, flags: FileFlags) => report(flags, () => backUpTo(file, flags))),
  );
}

async function backUpTo(file: string, flags: FileFlags): Promise<Outcome> {
  rejectStdout(file);
  const storage = await createStorage(configOf(flags));
  const options = { replace: flags.force ?? false, nowMs: Date.now() };
  const { bytes, rows } = await storage.backUp(resolve(file), options);
  return {
    text: `Wrote ${file} (${formatMegabytes(bytes)}) and checked it: ${contentText(rows)}.`,
    json: { file, bytes, ...contentJson(rows) },
  };
}

/** Describes what a database or backup contains. */
export function contentText({ accounts, qrs, hits }: RowCounts): string {
  return [
    formatCount(accounts, 'account'),
    formatCount(qrs, 'code'),
    formatCount(hits, 'hit'),
  ].join(', ');
}

/** Formats what a database or backup contains for `--json`. */
export function contentJson({ accounts, designs, qrs, hits }: RowCounts) {
  return { accounts, designs, codes: qrs, hits };
}

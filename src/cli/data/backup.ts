import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { createStorage } from '../../compose/storage.ts';
import { unservedPrefixes } from '../../core/codes/short-url.ts';
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

/** Adds `waymark backup FILE` and `waymark restore FILE`. */
export function addBackupCommands(program: Command): void {
  program
    .addCommand(
      subcommand('backup <file>', 'copy the database into one file, also while the server runs')
        .option('--force', 'replace the file if it exists')
        .action((file: string, flags: FileFlags) =>
          report(flags, () => backUpTo(file, flags)),
        ),
    )
    .addCommand(
      subcommand('restore <file>', 'replace the database with a backup; stop the server first')
        .option('--force', 'replace the current database; it is kept under a dated name')
        .action((file: string, flags: FileFlags) =>
          report(flags, () => restoreFrom(file, flags)),
        ),
    );
}

async function backUpTo(file: string, flags: FileFlags): Promise<Outcome> {
  rejectStdout(file);
  const storage = createStorage(configOf(flags));
  const { bytes, rows } = await storage.backUp(resolve(file), flags.force ?? false);
  return {
    text: `Wrote ${file} (${formatMegabytes(bytes)}) and checked it: ${contentText(rows)}.`,
    json: { file, bytes, ...contentJson(rows) },
  };
}

async function restoreFrom(file: string, flags: FileFlags): Promise<Outcome> {
  const config = configOf(flags);
  const { data, shortUrl, shortUrlAliases } = config;
  const options = { replace: flags.force ?? false, nowMs: Date.now() };
  const restored = await createStorage(config).restore(resolve(file), options);
  const { rows, shortUrlPrefixes, kept } = restored;
  const keptFile = kept === null ? null : join(data, kept);
  const missing = unservedPrefixes(shortUrlPrefixes, [shortUrl, ...shortUrlAliases]);
  return {
    text: [
      `Restored ${file} into ${data}: ${contentText(rows)}.`,
      ...(keptFile === null ? [] : [`The old database is kept as ${keptFile}.`]),
      'Keys, passwords and sessions are those of the time of the backup.',
    ].join('\n'),
    json: { ...contentJson(rows), kept: keptFile },
    ...(missing.length > 0 && {
      warning:
        `the backup has codes printed with ${missing.join(', ')}, which the settings don't name. Name ` +
        'it in WAYMARK_SHORT_URL_ALIASES before "waymark serve".',
    }),
  };
}

function contentText({ accounts, qrs, hits }: RowCounts): string {
  return [
    formatCount(accounts, 'account'),
    formatCount(qrs, 'code'),
    formatCount(hits, 'hit'),
  ].join(', ');
}

function contentJson({ accounts, designs, qrs, hits }: RowCounts) {
  return { accounts, designs, codes: qrs, hits };
}

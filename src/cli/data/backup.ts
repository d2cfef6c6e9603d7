import { readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { realClock } from '../../compose/runtime.ts';
import { createStorage } from '../../compose/storage.ts';
import { maxBackups } from '../../config.ts';
import { backupName } from '../../core/backups/schedule.ts';
import type { RowCounts } from '../../core/storage.ts';
import { withFileErrors } from '../../lib/errors.ts';
import { formatCount } from '../../lib/numbers.ts';
import {
  addCommand,
  type CommonFlags,
  configOf,
  lowerPriority,
  numberOption,
  type Outcome,
  rejectStdout,
  toAction,
} from '../command.ts';
import { UsageError } from '../errors/command-error.ts';
import { formatMegabytes } from '../output.ts';
import { datedBackups, readProblem } from './backup-folder.ts';

interface FileFlags extends CommonFlags {
  readonly force?: true;
  readonly keep?: number;
}

/** Adds `waymark backup FILE`. */
export function addBackupCommand(program: Command): void {
  addCommand(
    program,
    'backup <file>',
    'copy the database into one file, also while the server runs',
  )
    .option('--force', 'replace the file if it exists')
    .addOption(
      numberOption(
        '--keep <number>',
        'write a dated file into a folder, and remove its oldest ones beyond this number',
        { min: 1, max: maxBackups },
      ),
    )
    .hook('preAction', lowerPriority)
    .action(
      toAction((file: string, { keep, ...flags }: FileFlags) =>
        keep === undefined ? backUpTo(file, flags) : backUpInto(file, keep, flags),
      ),
    );
}

async function backUpTo(file: string, flags: FileFlags) {
  rejectStdout(file);
  const storage = await createStorage(configOf(flags));
  const options = { replace: flags.force ?? false, nowMs: realClock.nowMs() };
  const { bytes, rows } = await storage.backUp(resolve(file), options);
  return {
    text: `Wrote ${file} (${formatMegabytes(bytes)}) and checked it: ${contentText(rows)}.`,
    json: { file, bytes, ...contentJson(rows) },
  };
}

// No backup takes as long.
const abandonedAfterMs = 24 * 3_600_000;

/** Writes a dated backup into a folder. Removes old ones once the new one is complete and checked. */
async function backUpInto(folder: string, keep: number, flags: FileFlags): Promise<Outcome> {
  // Not created: the disk of the backups may not be mounted.
  if (!withFileErrors(`${folder} cannot be used`, () => statSync(folder).isDirectory()))
    throw new UsageError(`With --keep, name a folder. ${folder} is a file.`);
  const nowMs = realClock.nowMs();
  removeAbandoned(folder, nowMs);
  const name = backupName(nowMs);
  const { text, json } = await backUpTo(join(folder, name), flags);
  // Those of a wrong clock stay, and take no place of others. What cannot be read goes first.
  const others = datedBackups(folder, nowMs)
    .filter((other) => other.name !== name && !other.isOfFuture)
    .sort((a, b) => Number(readProblem(a) === null) - Number(readProblem(b) === null));
  const removed = others
    .slice(0, Math.max(0, others.length - (keep - 1)))
    .map((other) => other.name);
  for (const old of removed)
    withFileErrors(`${old} cannot be removed`, () => rmSync(join(folder, old)));
  return {
    text: [text, ...removed.map((old) => `Removed ${old}.`)],
    json: { ...json, removed },
  };
}

/** Removes what backups left that were killed, also in another container. */
function removeAbandoned(folder: string, nowMs: number): void {
  for (const name of readdirSync(folder)) {
    if (!/^waymark-\d.*\.db\.(?:waymark-)?partial-|^\.waymark-(?:\d+-)?\w{6}$/.test(name)) continue;
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && nowMs - stats.mtimeMs > abandonedAfterMs)
      withFileErrors(`${path} cannot be removed`, () =>
        rmSync(path, { recursive: true, force: true }),
      );
  }
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

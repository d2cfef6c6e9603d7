import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { realClock } from '../../compose/runtime.ts';
import { options } from '../../config.ts';
import { isoTimestamp } from '../../core/codes/qr.ts';
import { formatCount } from '../../lib/numbers.ts';
import { addCommand, type CommonFlags, configOf, type Outcome, toAction } from '../command.ts';
import { UsageError } from '../errors/command-error.ts';
import { formatMegabytes, formatTable } from '../output.ts';
import { datedBackups, newestOf, readProblem } from './backup-folder.ts';

/** Adds `waymark backups`. */
export function addBackupsCommand(program: Command): void {
  addCommand(
    program,
    'backups [folder]',
    'list the dated backups of a folder, and which of them restore takes (default: the folder of WAYMARK_BACKUP_DIR)',
  ).action(
    toAction(async (folder: string | undefined, flags: CommonFlags) =>
      listBackups(folder ?? folderOf(flags), realClock.nowMs()),
    ),
  );
}

/** @throws UsageError when the settings name no folder */
function folderOf(flags: CommonFlags): string {
  const { backupDir } = configOf(flags);
  if (backupDir !== null && backupDir !== 'off') return backupDir;
  throw new UsageError(`Name the folder of the backups, or set ${options.backupDir.name}.`);
}

function listBackups(folder: string, nowMs: number): Outcome {
  const backups = datedBackups(folder, nowMs);
  const newest = newestOf(backups);
  const listed = backups.toReversed().map((backup) => {
    const { name, timeMs, content, isOfFuture } = backup;
    const file = join(folder, name);
    const reason = readProblem(backup);
    return {
      file,
      time: isoTimestamp(timeMs),
      ageMs: nowMs - timeMs,
      bytes: statSync(file, { throwIfNoEntry: false })?.size ?? 0,
      codes: 'problem' in content ? null : content.codes,
      isNewest: backup === newest,
      problem: isOfFuture
        ? 'of a wrong clock: its time is later than now'
        : reason && `cannot be read: ${reason}`,
    };
  });
  const rows = listed.map(({ time, ageMs, bytes, codes, isNewest, problem, file }) => [
    time.slice(0, 16).replace('T', ' '),
    ageText(ageMs),
    formatMegabytes(bytes),
    codes === null ? '?' : String(codes),
    file,
    isNewest ? '← restore takes this one' : (problem ?? ''),
  ]);
  return {
    text:
      rows.length > 0
        ? formatTable([['TIME (UTC)', 'AGE', 'SIZE', 'CODES', 'FILE', ''], ...rows])
        : `${folder} has no backup of the server or of "waymark backup --keep".`,
    json: listed.map(({ ageMs, isNewest, ...backup }) => ({
      ...backup,
      age_seconds: Math.round(ageMs / 1000),
      newest: isNewest,
    })),
  };
}

function ageText(ageMs: number): string {
  if (ageMs < 0) return 'in the future';
  const minutes = Math.floor(ageMs / 60_000);
  if (minutes < 120) return formatCount(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? formatCount(hours, 'hour') : formatCount(Math.floor(hours / 24), 'day');
}

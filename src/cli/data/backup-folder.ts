import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { backupTimeMs } from '../../core/backups/schedule.ts';
import { withFileErrors } from '../../lib/errors.ts';
import { type BackupContent, readBackup } from '../../sqlite/maintenance/backup.ts';
import { UsageError } from '../errors/command-error.ts';

/** A backup whose name has its time, as the server and `backup --keep` make it. */
export interface DatedBackup {
  readonly name: string;
  readonly timeMs: number;
  readonly content: BackupContent;
  /** Whether its name or its content is of a time later than now: the clock was wrong, or is. */
  readonly isOfFuture: boolean;
}

/** Returns the dated backups in a folder, oldest first. @throws FileError */
export function datedBackups(folder: string, nowMs: number): DatedBackup[] {
  const names = withFileErrors(`${folder} cannot be read`, () => readdirSync(folder));
  return names
    .sort()
    .map((name) => ({ name, timeMs: backupTimeMs(name) }))
    .filter((file): file is { name: string; timeMs: number } => file.timeMs !== null)
    .map(({ name, timeMs }) => {
      const content = readBackup(join(folder, name));
      const madeAtMs = 'problem' in content ? null : content.madeAtMs;
      return { name, timeMs, content, isOfFuture: Math.max(timeMs, madeAtMs ?? 0) > nowMs };
    });
}

/** Returns the newest of dated backups, which `restore` takes; never one of the future. */
export function newestOf(backups: readonly DatedBackup[]): DatedBackup | undefined {
  return backups.findLast(({ isOfFuture }) => !isOfFuture);
}

/**
 * Returns a backup that was named by its path, or as the newest of a folder.
 *
 * @throws UsageError, FileError
 */
export function chooseBackup(path: string, nowMs: number): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return path;
  const backups = datedBackups(path, nowMs);
  const newest = newestOf(backups);
  if (newest !== undefined) return join(path, newest.name);
  throw new UsageError(
    backups.length === 0
      ? `${path} has no backup of the server or of "waymark backup --keep". Name a file.`
      : `Every backup in ${path} is of a time later than now: the clock is wrong, or was wrong then. Set the clock, or name a file.`,
  );
}

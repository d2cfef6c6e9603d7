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
  const isFile = (name: string) =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.isFile() === true;
  return names
    .sort()
    .map((name) => ({ name, timeMs: backupTimeMs(name) }))
    .filter((file): file is { name: string; timeMs: number } => file.timeMs !== null)
    .filter(({ name }) => isFile(name))
    .map(({ name, timeMs }) => {
      const content = readBackup(join(folder, name));
      const madeAtMs = 'problem' in content ? null : content.madeAtMs;
      return { name, timeMs, content, isOfFuture: Math.max(timeMs, madeAtMs ?? 0) > nowMs };
    });
}

/** Returns the reason why a backup cannot be read, or null. */
export const readProblem = ({ content }: DatedBackup): string | null =>
  'problem' in content ? content.problem : null;

/**
 * Returns the newest dated backup that can be read and is not of the future.
 * `restore` takes it.
 */
export function newestOf(backups: readonly DatedBackup[]): DatedBackup | undefined {
  return backups.findLast((backup) => !backup.isOfFuture && readProblem(backup) === null);
}

/** The backup that a path means. */
export interface ChosenBackup {
  readonly file: string;
  /** Says that a newer one cannot be read, or null. */
  readonly problem: string | null;
}

/**
 * Returns a backup that was named by its path, or as the newest of a folder.
 *
 * @throws UsageError, FileError
 */
export function chooseBackup(path: string, nowMs: number): ChosenBackup {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    return { file: path, problem: null };
  const backups = datedBackups(path, nowMs);
  const present = backups.filter(({ isOfFuture }) => !isOfFuture);
  const last = present.at(-1);
  const reason = last && readProblem(last);
  const problem = reason
    ? `${join(path, last.name)} is newer, but cannot be read: ${reason}.`
    : null;
  const newest = newestOf(present);
  if (newest !== undefined) return { file: join(path, newest.name), problem };
  if (present.length > 0) throw new UsageError(`No backup in ${path} can be read. Name a file.`);
  throw new UsageError(
    backups.length === 0
      ? `${path} has no backup of the server or of "waymark backup --keep". Name a file.`
      : `Every backup in ${path} is of a time later than now: the clock is wrong, or was wrong then. Set the clock, or name a file.`,
  );
}

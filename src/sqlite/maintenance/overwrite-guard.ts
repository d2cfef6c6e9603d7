import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FileError } from '../../lib/errors.ts';
import { databasePath, lockFileName } from '../database/files.ts';

/**
 * Rejects a target that must never be overwritten: the database of a data folder, the files beside it,
 * its lock, and anything that is not a regular file.
 *
 * @throws FileError
 */
export function rejectTarget(dataFolder: string, target: string): void {
  if (isDatabaseFile(dataFolder, target))
    throw new FileError(
      `${target} is the database itself, or a file that it needs. Name another file.`,
    );
  if (existsSync(target) && !statSync(target).isFile())
    throw new FileError(`${target} is not a file. Name a file.`);
}

/**
 * Rejects an existing file.
 *
 * @throws FileError
 */
export function rejectExisting(target: string): void {
  if (existsSync(target))
    throw new FileError(`${target} exists already. Name another file, or add --force.`);
}

function isDatabaseFile(dataFolder: string, target: string): boolean {
  const folder = dirname(target);
  if (!existsSync(folder) || !existsSync(dataFolder)) return false;
  const data = realpathSync(dataFolder);
  const named = join(realpathSync(folder), basename(target));
  const resolved = existsSync(target) ? realpathSync(target) : named;
  const files = [databasePath(data), join(data, lockFileName)];
  return [named, resolved].some((path) =>
    files.some((file) => path === file || path.startsWith(`${file}-`)),
  );
}

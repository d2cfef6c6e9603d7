import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FileError } from '../../lib/errors.ts';
import { databasePath, hitsPath, lockNames } from '../../redirect/sqlite/files.ts';

/**
 * Rejects a file that must never be overwritten: the database of a data folder, the files beside it,
 * its lock, and anything that is not a regular file.
 *
 * @throws FileError
 */
export function rejectOverwrite(dataFolder: string, file: string): void {
  if (isDatabaseFile(dataFolder, file))
    throw new FileError(
      `${file} is the database itself, or a file that it needs. Name another file.`,
    );
  if (existsSync(file) && !statSync(file).isFile())
    throw new FileError(`${file} is not a file. Name a file.`);
}

/**
 * Rejects an existing file.
 *
 * @throws FileError
 */
export function rejectExisting(file: string): void {
  if (existsSync(file))
    throw new FileError(`${file} exists already. Name another file, or add --force.`);
}

function isDatabaseFile(dataFolder: string, file: string): boolean {
  const folder = dirname(file);
  if (!existsSync(folder) || !existsSync(dataFolder)) return false;
  const data = realpathSync(dataFolder);
  const named = join(realpathSync(folder), basename(file));
  const resolved = existsSync(file) ? realpathSync(file) : named;
  const locks = Object.values(lockNames).map((name) => join(data, name));
  const files = [databasePath(data), hitsPath(data), ...locks];
  return [named, resolved].some((path) =>
    files.some((file) => path === file || path.startsWith(`${file}-`)),
  );
}

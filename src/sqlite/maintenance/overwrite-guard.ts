import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FileError } from '../../lib/errors.ts';
import { lockName } from '../database/lock.ts';
import { databasePath } from '../database/open.ts';

/**
 * Refuses to write a file where nothing may be replaced by it, whatever its reader has asked for: over the
 * database of a data folder and what SQLite keeps beside it, over the lock of its server, and over what is no
 * file, such as `/dev/null`.
 *
 * @throws FileError
 */
export function refuseTarget(dataFolder: string, target: string): void {
  if (isInUse(dataFolder, target))
    throw new FileError(
      `${target} is the database itself, or what its server holds it by. Name another file.`,
    );
  if (existsSync(target) && !statSync(target).isFile())
    throw new FileError(`${target} is not a file. Name a file.`);
}

/**
 * Refuses to replace a file that nobody has asked to replace.
 *
 * @throws FileError
 */
export function refuseExisting(target: string): void {
  if (existsSync(target))
    throw new FileError(`${target} exists already. Name another file, or add --force.`);
}

/** Whether a path leads to the live database, to the lock of its server or to what SQLite keeps beside them. */
function isInUse(dataFolder: string, target: string): boolean {
  const folder = dirname(target);
  if (!existsSync(folder) || !existsSync(dataFolder)) return false;
  const data = realpathSync(dataFolder);
  const named = join(realpathSync(folder), basename(target));
  const led = existsSync(target) ? realpathSync(target) : named;
  const own = [databasePath(data), join(data, lockName)];
  return [named, led].some((path) =>
    own.some((file) => path === file || path.startsWith(`${file}-`)),
  );
}

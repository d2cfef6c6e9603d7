import { existsSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { syncFile } from '../../lib/atomic-write.ts';
import { errnoMessage } from '../../lib/errors.ts';
import { companions } from '../../sqlite/database/database-files.ts';
import { lockName } from '../../sqlite/database/lock.ts';
import { databasePath } from '../../sqlite/database/open.ts';
import { listsPath } from '../../sqlite/safety/lists.ts';
import { broken, type Check, fine, warning } from './check.ts';

/** The data folder: there, writable, private. */
export function checkFolder(data: string): Check {
  const name = 'data folder';
  if (!existsSync(data)) {
    const problem = writeProblem(nearest(data));
    return problem === null
      ? fine(name, `${data} does not exist yet and can be made`)
      : broken(
          name,
          `${data} does not exist and cannot be made: ${problem}`,
          'Make the folder and give it to the user that runs Waymark, or name another in WAYMARK_DATA.',
        );
  }
  const problem = writeProblem(data);
  if (problem !== null)
    return broken(name, `${data} cannot be written: ${problem}`, adviceOn(problem, data));
  const { mode, uid } = statSync(data);
  // Windows has no such permissions and shows 666 or 777 for everything.
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    return warning(
      name,
      `others on this machine may look into ${data}`,
      `It holds every destination and the password hashes: chmod 700 ${data}`,
    );
  if (process.getuid?.() === 0 && uid !== 0)
    return fine(name, `${data} is writable, seen as root; its owner is the user ${uid}`);
  return fine(name, `${data} is writable and private`);
}

/** What helps depends on why the folder cannot be written: a new owner mends none of the first three. */
function adviceOn(problem: string, data: string): string {
  if (problem.endsWith('(ENOTDIR)')) return 'Name a folder in WAYMARK_DATA.';
  if (/\((ENOSPC|EDQUOT)\)$/.test(problem)) return 'Free some space.';
  if (problem.endsWith('(EROFS)'))
    return (
      'Mount it for writing. A file system that became read-only by itself has met errors: see what ' +
      'the kernel says of its disk first.'
    );
  return `Give it to the user that runs Waymark: chown -R USER ${data}`;
}

// The operator's rules may be thousands of files.
const mostNamed = 5;

/**
 * Whether everything in the folder belongs to whoever owns the folder: a command that root has run
 * may leave a file behind that the service cannot open.
 */
export function checkOwner(data: string): Check {
  const name = 'owner';
  if (!existsSync(data)) return fine(name, 'there is nothing yet');
  const { uid } = statSync(data);
  const path = databasePath(data);
  const strangers = [
    path,
    ...companions.map((suffix) => path + suffix),
    join(data, lockName),
    ...['', ...companions].map((suffix) => listsPath(data) + suffix),
  ]
    .filter((file) => existsSync(file) && statSync(file).uid !== uid)
    .map((file) => relative(data, file));
  if (strangers.length === 0) return fine(name, 'everything belongs to the owner of the folder');
  const more = strangers.length > mostNamed ? ', …' : '';
  return warning(
    name,
    `not of the user that owns ${data}: ${strangers.slice(0, mostNamed).join(', ')}${more}`,
    `The server may not be able to open them: chown -R ${uid} ${data}`,
  );
}

const [leastBytes, ampleBytes] = [64e6, 1e9];

/** Free space: for the database's log, and for a backup beside it. */
export function checkSpace(data: string): Check {
  const name = 'free space';
  // Where it will be made, when it is not there yet.
  const folder = existsSync(data) ? data : nearest(data);
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const database = databasePath(data);
  const needed = Math.max(ampleBytes, 2 * (existsSync(database) ? statSync(database).size : 0));
  const message = `${(free / 1e9).toFixed(1)} GB are free in ${folder}`;
  const advice = 'Without space no code can be created and scans wait in memory. Free some.';
  if (free < leastBytes) return broken(name, message, advice);
  return free < needed ? warning(name, message, advice) : fine(name, message);
}

/** The folder into which the executable unpacks its native parts, and SQLite puts large sorts. */
export function checkTemporary(): Check {
  const name = 'temporary folder';
  const problem = writeProblem(tmpdir());
  return problem === null
    ? fine(name, `${tmpdir()} is writable`)
    : warning(
        name,
        `${tmpdir()} cannot be written (${problem}); codes are drawn all the same, at half the speed`,
        'Set TMPDIR to a folder that can be written and from which programs may be loaded.',
      );
}

/** Tries it, because permissions say nothing of read-only and full disks. */
function writeProblem(folder: string): string | null {
  const probe = join(folder, `.waymark-doctor-${process.pid}`);
  try {
    writeFileSync(probe, 'written by "waymark doctor", which removes it again', { mode: 0o600 });
    syncFile(probe);
    return null;
  } catch (error) {
    return errnoMessage(error);
  } finally {
    // A read-only file system refuses to remove even what is not there.
    if (existsSync(probe)) rmSync(probe);
  }
}

/** The folder itself, or the nearest above it that exists. */
function nearest(folder: string): string {
  const path = resolve(folder);
  return existsSync(path) || dirname(path) === path ? path : nearest(dirname(path));
}

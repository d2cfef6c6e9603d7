import {
  existsSync,
  lstatSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { syncFile } from '../../lib/atomic-write.ts';
import { errnoMessage } from '../../lib/errors.ts';
import { databasePath } from '../../sqlite/database/files.ts';
import { broken, type Check, ok, warning } from './check.ts';

/** Checks that the data folder can be written, or created, and that nobody else can read it. */
export function checkFolder(data: string): Check {
  const name = 'data folder';
  const problem = writeProblem(nearestFolder(data));
  if (problem !== null)
    return broken(
      name,
      `${data} can't be written: ${problem}`,
      'Give the folder to the user of the server and free some space, or name another in WAYMARK_DATA.',
    );
  if (!existsSync(data)) return ok(name, `${data} doesn't exist yet and can be created`);
  // Windows shows 666 or 777 for everything.
  if (process.platform !== 'win32' && (statSync(data).mode & 0o077) !== 0)
    return warning(
      name,
      `other users can read ${data}, with all destinations and password hashes`,
      `Run: chmod 700 ${data}`,
    );
  return ok(name, `${data} is writable and private`);
}

/** Checks that root has not left files in the data folder that the server cannot open. */
export function checkOwner(data: string): Check {
  const name = 'owner';
  if (!existsSync(data) || !statSync(data).isDirectory()) return ok(name, 'there are no files yet');
  const { uid } = statSync(data);
  const others = readdirSync(data).filter((file) => lstatSync(join(data, file)).uid !== uid);
  if (others.length === 0) return ok(name, 'all files belong to the owner of the data folder');
  return warning(
    name,
    `files of another user in ${data}: ${others.join(', ')}`,
    `The server may not be able to open them. Run: chown -R ${uid} ${data}`,
  );
}

const minimumBytes = 64e6;
const ampleBytes = 1e9;

/** Checks the free space, which the write-ahead log and backups need. */
export function checkSpace(data: string): Check {
  const folder = nearestFolder(data);
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const database = databasePath(data);
  const databaseBytes = existsSync(database) ? statSync(database).size : 0;
  const message = `${(free / 1e9).toFixed(1)} GB are free in ${folder}`;
  const advice =
    'Free some space. On a full disk no code can be created, and scans wait in memory.';
  if (free < minimumBytes) return broken('free space', message, advice);
  if (free < Math.max(ampleBytes, 2 * databaseBytes)) return warning('free space', message, advice);
  return ok('free space', message);
}

/** Tries to write: permissions don't show a read-only file system. */
function writeProblem(folder: string): string | null {
  const probe = join(folder, `.waymark-doctor-${process.pid}`);
  try {
    writeFileSync(probe, 'waymark doctor', { mode: 0o600 });
    syncFile(probe);
    return null;
  } catch (error) {
    return errnoMessage(error);
  } finally {
    if (existsSync(probe)) rmSync(probe);
  }
}

/** Returns the folder, or the nearest one above it that exists. */
function nearestFolder(folder: string): string {
  const path = resolve(folder);
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

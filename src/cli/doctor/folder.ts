import { existsSync, lstatSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoMessage } from '../../lib/errors.ts';
import { syncFile } from '../../lib/files/durable.ts';
import { removeTemporaryFiles, temporaryPath } from '../../lib/files/temporary.ts';
import { broken, type Check, ok, warning } from './check.ts';

// For the write-ahead log, and for a backup beside the database.
const ampleBytes = 1e9;
// A busy server fills it within minutes.
const leastBytes = 5e7;

/** Checks that the data folder can be written, that only its owner can read it, and the free space. */
export function checkFolder(data: string): Check {
  const name = 'data folder';
  const unreachable = reachProblem(data);
  if (unreachable !== null)
    return broken(
      name,
      `${data} can't be reached: ${unreachable}`,
      'Put the folder back if it was moved, or name another in WAYMARK_DATA. Run Waymark as the user that owns it.',
    );
  if (!existsSync(data)) return ok(name, `${data} doesn't exist yet; the first start creates it`);
  const problem = writeProblem(data);
  if (problem !== null)
    return broken(
      name,
      `${data} can't be written: ${problem}`,
      'Give the folder to the user of the server and free some space, or name another in WAYMARK_DATA.',
    );
  const { bavail, bsize } = statfsSync(data);
  const free = `${((bavail * bsize) / 1e9).toFixed(1)} GB are free`;
  const advice =
    'Free some space. On a full disk no code can be created, and scans wait in memory.';
  if (bavail * bsize < leastBytes) return broken(name, `only ${free} for ${data}`, advice);
  // Windows shows 666 or 777 for everything.
  if (process.platform !== 'win32' && (statSync(data).mode & 0o077) !== 0)
    return warning(
      name,
      `other users can read ${data}, with all destinations and password hashes`,
      `Run: chmod 700 ${data}`,
    );
  if (bavail * bsize < ampleBytes)
    return warning(name, `${data} is writable, but only ${free}`, advice);
  return ok(name, `${data} is writable and private; ${free}`);
}

/** Returns why a folder that exists, or one above it, cannot be entered; null if it can, or can be created. */
function reachProblem(folder: string): string | null {
  try {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found !== undefined && !found.isDirectory()) return 'it is a file, not a folder';
    const isLink = lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return found === undefined && isLink ? 'it is a link that leads nowhere' : null;
  } catch (error) {
    return errnoMessage(error);
  }
}

/** Returns why a file can't be written, by writing one; null if it can. */
function writeProblem(folder: string): string | null {
  const target = join(folder, '.waymark-doctor');
  const probe = temporaryPath(target);
  try {
    removeTemporaryFiles(target);
    writeFileSync(probe, 'waymark doctor', { mode: 0o600 });
    syncFile(probe);
    return null;
  } catch (error) {
    return errnoMessage(error);
  } finally {
    if (existsSync(probe)) rmSync(probe);
  }
}

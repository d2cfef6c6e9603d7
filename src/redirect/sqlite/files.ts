import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseCorrupt, DatabaseUnreachable, DatabaseUnusable } from '../../core/errors.ts';
import type { DatabaseSizes, HealthCondition } from '../../core/health.ts';
import { errnoMessage } from '../../lib/errors.ts';

/** Suffixes of SQLite's files beside a database: write-ahead log, shared memory, rollback journal. */
export const sideFileSuffixes = ['-wal', '-shm', '-journal'] as const;

/**
 * The files that the two processes of a server lock: the redirect server and the app.
 * They are always empty.
 */
export const lockNames = { redirects: 'server.lock', app: 'app.lock' } as const;

/** Returns the path of the database in a data folder. */
export function databasePath(dataFolder: string): string {
  return join(dataFolder, 'waymark.db');
}

/** Returns the path of the log of hits in a data folder. */
export function hitsPath(dataFolder: string): string {
  return join(dataFolder, 'hits.db');
}

/**
 * Returns whether a data folder has a database.
 *
 * @throws DatabaseUnreachable when the folder cannot be read
 */
export function hasDatabase(dataFolder: string): boolean {
  try {
    return statSync(databasePath(dataFolder), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw new DatabaseUnreachable(
      `The data folder ${dataFolder} (WAYMARK_DATA) cannot be read: ${errnoMessage(error)}. ` +
        'Name a folder, and run Waymark as the user that owns it.',
    );
  }
}

/** Returns which of a data folder and its databases this process may not write, and why; or null. */
export function readOnlyProblem(dataFolder: string): string | null {
  for (const path of [dataFolder, databasePath(dataFolder), hitsPath(dataFolder)])
    try {
      if (existsSync(path)) accessSync(path, constants.W_OK);
    } catch (error) {
      return `${path} cannot be written: ${errnoMessage(error)}`;
    }
  return null;
}

/**
 * Rejects a data folder or a database that this process may not write.
 * Changes nothing, permissions included.
 *
 * @throws DatabaseUnreachable
 */
export function rejectReadOnly(dataFolder: string): void {
  const problem = readOnlyProblem(dataFolder);
  if (problem === null) return;
  throw new DatabaseUnreachable(
    `${problem}. Waymark needs to write to the data folder and the database in it. Give them to the user that ` +
      'runs Waymark, or make the file system writable. To serve redirects without writing, start the server ' +
      'with --redirect-only.',
  );
}

/** Returns whether the write-ahead log of a database has content. */
export function hasWal(path: string): boolean {
  return sizeOf(`${path}-wal`) > 0;
}

/** Returns the sizes of a data folder's databases and of their write-ahead logs, and the free space. */
export function databaseSizes(dataFolder: string): DatabaseSizes {
  const paths = [databasePath(dataFolder), hitsPath(dataFolder)];
  const sum = (suffix: string) => paths.reduce((bytes, path) => bytes + sizeOf(path + suffix), 0);
  return {
    databaseBytes: sum(''),
    walBytes: sum('-wal'),
    freeDiskBytes: freeBytes(dataFolder),
  };
}

// For the shared memory of a database, and the first pages of its write-ahead log.
const startBytes = 256 * 1024;

/** Returns whether a file can be written into a data folder, by writing one. */
export function hasRoom(dataFolder: string): boolean {
  const probe = join(dataFolder, `.waymark-room-${process.pid}`);
  try {
    writeFileSync(probe, new Uint8Array(startBytes), { mode: 0o600 });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, { force: true });
  }
}

function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    // The folder was moved or deleted.
    return null;
  }
}

/** Returns whether a database has files beside it, as it does while a process has it open. */
export function hasSideFiles(path: string): boolean {
  return sideFileSuffixes.some((suffix) => existsSync(path + suffix));
}

/** Removes a database and the files beside it. */
export function removeDatabase(path: string): void {
  // On a read-only file system, removing fails even without a file.
  for (const suffix of ['', ...sideFileSuffixes])
    if (existsSync(path + suffix)) rmSync(path + suffix);
}

/** Creates a folder for its owner only (0700), unless it exists. */
export function createPrivateFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DatabaseUnreachable(
      `The data folder ${folder} (WAYMARK_DATA) cannot be created: ${errnoMessage(error)}.`,
    );
  }
}

/**
 * Rejects an empty database file, which SQLite would take for a new database.
 *
 * @throws DatabaseCorrupt
 */
export function rejectEmptyDatabase(path: string): void {
  // SQLite ignores a single byte as well.
  const isEmpty = () => existsSync(path) && statSync(path).size <= 1;
  // A database that another process is creating is empty for a moment.
  for (let waits = 0; isEmpty() && waits < 10; waits++) Bun.sleepSync(50);
  if (!isEmpty()) return;
  throw new DatabaseCorrupt(
    `${path} is empty, so its codes are lost. Restore a backup ("waymark restore"), or ` +
      'delete the file if this is meant to be a new installation.',
    'the file is empty',
  );
}

/**
 * Rejects a write-ahead log without its database: SQLite would delete it.
 *
 * @throws DatabaseUnusable
 */
export function rejectOrphanedWal(path: string): void {
  const log = `${path}-wal`;
  if (existsSync(path) || !hasWal(path)) return;
  throw new DatabaseUnusable(
    `${path} is missing, but ${log} has the latest changes to it. Put the database back, restore a backup ` +
      '("waymark restore"), or delete the -wal file if this is meant to be a new installation.',
  );
}

/**
 * Detects that files of an open database were moved, deleted or replaced, which SQLite does not.
 * Call it once the database is open and its folder locked.
 *
 * @param names of files in the data folder
 * @returns a function that checks the files and returns the problem, or null
 */
export function watchFiles(dataFolder: string, names: readonly string[]): () => string | null {
  const identities = names.map((name) => fileIdentity(join(dataFolder, name)));
  return () => {
    const changed = names.find(
      (name, index) => fileIdentity(join(dataFolder, name)) !== identities[index],
    );
    if (changed === undefined) return null;
    return (
      `${changed} was moved, deleted or replaced while the server uses it, so changes would be lost: creates ` +
      'and edits are rejected, redirects continue. Run no commands. Put the file back. Restart the server ' +
      'only if the file was replaced on purpose: it starts with the files that are there.'
    );
  };
}

/** Returns the condition that files were replaced. @param problem says which, or returns null */
export function replacedFilesCondition(problem: () => string | null): HealthCondition {
  return {
    name: 'database_files_replaced',
    severity: 'problem',
    check: () => [problem()].filter((found) => found !== null),
  };
}

/** Returns the files of a database, and those beside it while it is open. */
export function openFileNames(path: string): string[] {
  return ['', '-wal', '-shm'].map((suffix) => basename(path) + suffix);
}

/** Returns the device and inode of a file, which writes do not change, or null if there is no file. */
export function fileIdentity(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return null;
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

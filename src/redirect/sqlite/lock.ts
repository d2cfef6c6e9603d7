import { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  DatabaseUnreachable,
  DatabaseUnusable,
  DiskFull,
  StoreUnavailable,
} from '../../core/errors.ts';
import { errorMessage } from '../../lib/errors.ts';
import { matchOwner } from '../../lib/files/durable.ts';
import { isBusy, isDiskFull } from './errors.ts';
import { createPrivateFolder, lockNames } from './files.ts';

// References to held locks: a garbage-collected connection would release its lock.
const heldLocks = new Set<Database>();

/**
 * Locks a data folder against every server, and creates it if missing.
 * Commands lock it that need it for themselves.
 *
 * @returns a function that releases the locks
 * @throws DatabaseUnusable when a server runs on it, or the folder cannot be written
 */
export function lockFolder(dataFolder: string): () => void {
  createPrivateFolder(dataFolder);
  const unlock = lock(dataFolder, 'redirects');
  try {
    const unlockApp = lockOnceAppEnds(dataFolder);
    return () => {
      unlockApp();
      unlock();
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * Takes the lock of one of the processes of a server in a data folder.
 * The lock is SQLite's own on an empty file, so that the operating system releases it when the process ends.
 *
 * @returns a function that releases the lock
 * @throws DatabaseUnusable when another process holds the lock, or the folder is missing or cannot be written
 */
export function lock(dataFolder: string, process: keyof typeof lockNames): () => void {
  const path = join(dataFolder, lockNames[process]);
  let lock: Database | null = null;
  try {
    lock = new Database(path, { create: true, strict: true });
    lock.run('PRAGMA locking_mode = EXCLUSIVE');
    lock.run('BEGIN EXCLUSIVE');
    matchOwner(dataFolder, path);
  } catch (error) {
    lock?.close();
    if (isDiskFull(error))
      throw new DiskFull(
        `The data folder ${dataFolder} (WAYMARK_DATA) cannot be written, because the disk is full. Free some space.`,
      );
    throw isBusy(error)
      ? new FolderLocked(
          `Another Waymark server is already running on the data folder ${dataFolder}. Stop it first.`,
        )
      : new DatabaseUnreachable(
          `The data folder ${dataFolder} (WAYMARK_DATA) cannot be written (${errorMessage(error)}). Waymark needs to ` +
            'write to the folder and its files. Check their owner, their permissions and the free space.',
        );
  }
  const held = lock;
  heldLocks.add(held);
  return () => {
    heldLocks.delete(held);
    held.close();
  };
}

/** Another process holds the lock. */
class FolderLocked extends DatabaseUnusable {}

// The app of a redirect server that was killed ends at once, unless it is in the middle of something.
const lockWaitMs = 10_000;
const lockPauseMs = 50;

/** Takes the lock of the app for a command, which does nothing else meanwhile, if there was an app. */
function lockOnceAppEnds(dataFolder: string): () => void {
  if (!existsSync(join(dataFolder, lockNames.app))) return () => {};
  const endMs = performance.now() + lockWaitMs;
  for (;;)
    try {
      return lock(dataFolder, 'app');
    } catch (error) {
      if (!(error instanceof FolderLocked) || performance.now() > endMs) throw error;
      Bun.sleepSync(lockPauseMs);
    }
}

/**
 * Takes the lock of the app.
 * Waits some seconds for the app of a redirect server that was killed, which must not write beside a new one.
 *
 * @throws StoreUnavailable when it has not ended by then, and what {@link lock} throws
 */
export async function lockForApp(dataFolder: string): Promise<() => void> {
  const endMs = performance.now() + lockWaitMs;
  for (;;)
    try {
      return lock(dataFolder, 'app');
    } catch (error) {
      if (!(error instanceof FolderLocked)) throw error;
      if (performance.now() > endMs)
        throw new StoreUnavailable(
          `The app of a server that has ended still runs on the data folder ${dataFolder}.`,
        );
      await Bun.sleep(lockPauseMs);
    }
}

/**
 * Returns whether a server holds the lock of a data folder. Writes nothing.
 *
 * @throws DatabaseUnusable when the lock file cannot be read
 */
export function isLocked(dataFolder: string): boolean {
  const path = join(dataFolder, lockNames.redirects);
  if (!existsSync(path)) return false;
  let lock: Database | null = null;
  try {
    lock = new Database(path, { readonly: true, strict: true });
    lock.query('SELECT 1 FROM sqlite_schema').get();
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw new DatabaseUnusable(
      `${path} cannot be read (${errorMessage(error)}). Check its owner and its permissions.`,
    );
  } finally {
    lock?.close();
  }
}

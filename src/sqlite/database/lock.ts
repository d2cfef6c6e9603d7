import { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseUnusable, DiskFull } from '../../core/errors.ts';
import { errorMessage } from '../../lib/errors.ts';
import { matchOwner } from '../../lib/files/atomic-write.ts';
import { isBusy, isDiskFull } from './errors.ts';
import { createPrivateFolder, lockFileName } from './files.ts';

// References to held locks: a garbage-collected connection would release its lock.
const heldLocks = new Set<Database>();

/**
 * Locks a data folder for one server, and creates it if missing. The lock is SQLite's own on an empty
 * file, so that the operating system releases it when the process ends. Commands do not lock.
 *
 * @returns a function that releases the lock
 * @throws DatabaseUnusable when another server holds the lock, or the folder cannot be written
 */
export function lockFolder(dataFolder: string): () => void {
  createPrivateFolder(dataFolder);
  const path = join(dataFolder, lockFileName);
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
      ? new DatabaseUnusable(
          `Another Waymark server is already running on the data folder ${dataFolder}. Stop it first.`,
        )
      : new DatabaseUnusable(
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

/**
 * Returns whether a server holds the lock of a data folder. Writes nothing.
 *
 * @throws DatabaseUnusable when the lock file cannot be read
 */
export function isLocked(dataFolder: string): boolean {
  const path = join(dataFolder, lockFileName);
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

import { Database, SQLiteError } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '../../lib/errors.ts';
import { DatabaseUnusable } from './migrate.ts';
import { createPrivateFolder } from './open.ts';

/** The file that is locked; it stays empty. */
export const lockName = 'server.lock';

// A connection that nobody refers to is collected and closed, and its lock would go with it.
const held = new Set<Database>();

/**
 * Takes the data folder for one server, and makes it where there is none. The lock is SQLite's own
 * on a file beside the database, so the kernel lets go of it whichever way the process ends.
 * Commands need no lock and work beside.
 *
 * @returns lets go of the lock
 * @throws DatabaseUnusable when another server holds it, or the folder cannot be written
 */
export function lockFolder(dataFolder: string): () => void {
  createPrivateFolder(dataFolder);
  const lock = openLock(dataFolder);
  try {
    lock.run('PRAGMA locking_mode = EXCLUSIVE');
    lock.run('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw isTaken(error)
      ? new DatabaseUnusable(
          `Another Waymark server is already running on the data folder ${dataFolder}.`,
        )
      : unwritable(dataFolder, error);
  }
  held.add(lock);
  return () => {
    held.delete(lock);
    lock.close();
  };
}

/**
 * Whether a server runs on a data folder now. Takes and writes nothing.
 *
 * @throws DatabaseUnusable when the lock cannot be looked at
 */
export function isLocked(dataFolder: string): boolean {
  const path = join(dataFolder, lockName);
  if (!existsSync(path)) return false;
  const lock = openToLook(path);
  try {
    lock.query('SELECT 1 FROM sqlite_schema').get();
    return false;
  } catch (error) {
    if (isTaken(error)) return true;
    throw error;
  } finally {
    lock.close();
  }
}

function openLock(dataFolder: string): Database {
  try {
    return new Database(join(dataFolder, lockName), { create: true, strict: true });
  } catch (error) {
    throw unwritable(dataFolder, error);
  }
}

function openToLook(path: string): Database {
  try {
    return new Database(path, { readonly: true, strict: true });
  } catch (error) {
    throw new DatabaseUnusable(
      `${path} cannot be read (${errorMessage(error)}). Check its owner and its permissions.`,
    );
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof SQLiteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code ?? '');
}

function unwritable(dataFolder: string, error: unknown): DatabaseUnusable {
  const reason = errorMessage(error);
  return new DatabaseUnusable(
    `The data folder ${dataFolder} (WAYMARK_DATA) cannot be written (${reason}). Waymark needs to write to the ` +
      'folder and the files in it; check their owner, their permissions and the free space.',
  );
}

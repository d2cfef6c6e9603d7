import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { DatabaseRefused } from './migrate.ts';

/**
 * Takes the data folder for one server. The lock is SQLite's own on a file beside the database, so
 * the kernel lets go of it whichever way the process ends. Commands need no lock and work beside.
 *
 * @returns lets go of the lock
 * @throws DatabaseRefused when another server holds it
 */
export function lockFolder(dataFolder: string): () => void {
  const lock = new Database(join(dataFolder, 'server.lock'), { create: true, strict: true });
  try {
    lock.run('PRAGMA locking_mode = EXCLUSIVE');
    lock.run('BEGIN EXCLUSIVE');
  } catch {
    lock.close();
    throw new DatabaseRefused(
      `Another Waymark server is already running on the data folder ${dataFolder}.`,
    );
  }
  return () => lock.close();
}

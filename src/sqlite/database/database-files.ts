import { existsSync, rmSync } from 'node:fs';

/** Files that SQLite keeps beside a database. */
export const companions = ['-wal', '-shm', '-journal'] as const;

/** Removes a database with all that SQLite keeps beside it. */
export function removeDatabase(path: string): void {
  // A read-only file system refuses to remove even what is not there.
  for (const suffix of ['', ...companions]) if (existsSync(path + suffix)) rmSync(path + suffix);
}

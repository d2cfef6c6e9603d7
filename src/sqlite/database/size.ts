import { existsSync, statSync } from 'node:fs';
import { databasePath } from './open.ts';

/** How large a data folder's database is, and the log beside it, in bytes. */
export function sizeOf(dataFolder: string): { databaseBytes: number; logBytes: number } {
  const path = databasePath(dataFolder);
  return { databaseBytes: bytesOf(path), logBytes: bytesOf(`${path}-wal`) };
}

function bytesOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}

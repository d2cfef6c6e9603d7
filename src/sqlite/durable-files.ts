import {
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { inSystemWords } from '../core/system-words.ts';

/** A file cannot be read, written or replaced; the message says which and why. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
}

/** Files that SQLite keeps beside a database. */
export const companions = ['-wal', '-shm', '-journal'] as const;

/** Puts a finished file in the place of another in one step that survives a power cut. */
export function putInPlace(temporary: string, path: string): void {
  syncFile(temporary);
  renameSync(temporary, path);
  syncFolder(dirname(path));
}

/** Gives a file a second name that stays when the first one goes to another file. */
export function keepAs(path: string, kept: string): void {
  try {
    linkSync(path, kept);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error;
    // Not every file system knows second names.
    copyFileSync(path, kept, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    syncFile(kept);
  }
}

export function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes the names in a folder survive a power cut. */
export function syncFolder(folder: string): void {
  // Windows knows no such thing and keeps names by itself.
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Removes a database with all that SQLite keeps beside it. */
export function removeDatabase(path: string): void {
  // A read-only file system refuses to remove even what is not there.
  for (const suffix of ['', ...companions]) if (existsSync(path + suffix)) rmSync(path + suffix);
}

/**
 * Gives a file to the owner of a folder, for a command that root runs on a service's data: the
 * service could not open it otherwise.
 */
export function giveToOwnerOf(folder: string, path: string): void {
  if (process.getuid?.() !== 0 || !existsSync(path)) return;
  const { uid, gid } = statSync(folder);
  chownSync(path, uid, gid);
}

/**
 * Runs what reads and writes files.
 *
 * @throws FileRefused in place of what the operating system says
 */
export function refusing<T>(what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!/^E[A-Z]+$/.test(codeOf(error)) || !(error instanceof Error)) throw error;
    throw new FileRefused(`${what}: ${inSystemWords(error)}`);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

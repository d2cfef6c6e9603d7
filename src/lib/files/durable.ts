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
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from './refused.ts';

/**
 * Files that appear whole or not at all: written under another name, flushed, renamed, and the folder
 * flushed, so that neither a power cut nor another process ever meets half a file. For commands, which
 * wait for the disk; `while-serving.ts` does the same while redirects are answered.
 */

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
    if (errnoOf(error) === 'EEXIST') throw error;
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

/**
 * Gives a file to the owner of a folder, for a command that root runs on a service's data: the
 * service could not open it otherwise. Takes microseconds, so a server may do it too.
 */
export function giveToOwnerOf(folder: string, path: string): void {
  if (process.getuid?.() !== 0 || !existsSync(path)) return;
  const { uid, gid } = statSync(folder);
  chownSync(path, uid, gid);
}

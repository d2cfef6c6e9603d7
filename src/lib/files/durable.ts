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
import { errnoOf } from '../errors.ts';

/** Renames a finished file over another: fsync of the file, rename, fsync of the folder. */
export function renameIntoPlace(temporary: string, path: string): void {
  syncFile(temporary);
  renameSync(temporary, path);
  syncFolder(dirname(path));
}

/**
 * Keeps a file under a second name: a hard link, or a copy where the file system has no links.
 *
 * @throws Error with code EEXIST when the second name is taken
 */
export function linkOrCopy(path: string, kept: string): void {
  try {
    linkSync(path, kept);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw error;
    copyFileSync(path, kept, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    syncFile(kept);
  }
}

/** Flushes a file to disk (fsync). */
export function syncFile(path: string): void {
  syncOpened(path, 'r+');
}

/** Flushes the names in a folder to disk. Does nothing on Windows, which has no such call. */
export function syncFolder(folder: string): void {
  if (process.platform !== 'win32') syncOpened(folder, 'r');
}

function syncOpened(path: string, flags: string): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Gives a file the owner of a folder when root made it: root may run a command on the data of a
 * service that could not open the file otherwise.
 */
export function matchOwner(folder: string, path: string): void {
  if (process.getuid?.() !== 0 || !existsSync(path)) return;
  const { uid, gid } = statSync(folder);
  chownSync(path, uid, gid);
}

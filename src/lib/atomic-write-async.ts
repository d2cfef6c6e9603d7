import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { matchOwner } from './atomic-write.ts';
import { isMissing } from './errors.ts';

/**
 * What `durable.ts` does, for a server: the disk is waited for on another thread, because this one
 * answers redirects.
 */

/** The name under which a file is written before it replaces `path`; no two are the same. */
export function temporaryName(path: string): string {
  return `${path}.${process.pid}.${randomUUID()}.tmp`;
}

/**
 * Makes a folder where there is none. What root makes, as everywhere here, belongs to whom the folder
 * above belongs to: it is theirs to read, and root may only have run a command on a service's data.
 */
async function createFolder(folder: string): Promise<void> {
  if (await isThere(folder)) return;
  await createFolder(dirname(folder));
  await mkdir(folder, { recursive: true });
  matchOwner(dirname(folder), folder);
}

/** Writes a small file in one step. Creates its folder. */
export async function replaceFile(path: string, content: string): Promise<void> {
  await putInPlace(await writeTemporary(path, (file) => file.writeFile(content)), path);
}

/**
 * Writes and flushes what is to become a file. Creates its folder.
 *
 * @returns the temporary name beside `path` under which it stands
 */
export async function writeTemporary(
  path: string,
  write: (file: FileHandle) => Promise<void>,
): Promise<string> {
  await createFolder(dirname(path));
  const temporary = temporaryName(path);
  const file = await open(temporary, 'wx', 0o600);
  try {
    matchOwner(dirname(path), temporary);
    await write(file);
    await file.sync();
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return temporary;
}

/** Puts a finished temporary file in the place of another. */
export async function putInPlace(temporary: string, path: string): Promise<void> {
  try {
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes renames and removals in a folder survive a loss of power. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows knows no such thing and keeps names by itself.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The names in a folder, sorted; none when there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Removes what killed processes left behind. Younger files may still be in the making. */
export async function removeStaleTemporaries(folder: string, nowMs: number): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (!name.endsWith('.tmp')) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && nowMs - found.mtimeMs > dayMs) await rm(path, { force: true });
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

const dayMs = 86_400_000;

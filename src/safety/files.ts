import { randomUUID } from 'node:crypto';
import { chown, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Files that appear whole or not at all: written under a temporary name, flushed, renamed, and the
 * folder flushed, so that neither a crash nor another process ever meets half a file.
 */

/** The name under which a file is written before it replaces `path`; no two are the same. */
export function temporaryName(path: string): string {
  return `${path}.${process.pid}.${randomUUID()}.tmp`;
}

/**
 * Makes a folder where there is none. What root makes, as everywhere here, belongs to whom the folder
 * above belongs to: it is theirs to read, and root may only have run a command on a service's data.
 */
export async function makeFolder(folder: string): Promise<void> {
  if (await isThere(folder)) return;
  await makeFolder(dirname(folder));
  await mkdir(folder, { recursive: true });
  await giveToOwnerOf(dirname(folder), folder);
}

/** Gives a file that root has made to the owner of a folder. */
export async function giveToOwnerOf(folder: string, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(folder);
  await chown(path, uid, gid);
}

/** Writes a small file in one step. Creates its folder. */
export async function replaceFile(path: string, content: string): Promise<void> {
  await makeFolder(dirname(path));
  const temporary = temporaryName(path);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await giveToOwnerOf(dirname(path), temporary);
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes renames and removals in a folder survive a loss of power. */
export async function syncFolder(folder: string): Promise<void> {
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

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

const dayMs = 86_400_000;

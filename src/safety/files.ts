import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Files that appear whole or not at all: written under a temporary name, flushed, renamed, and the
 * folder flushed, so that neither a crash nor another process ever meets half a file.
 */

/** The name under which a file is written before it replaces `path`; no two are the same. */
export function temporaryName(path: string): string {
  return `${path}.${process.pid}.${randomUUID()}.tmp`;
}

/** Writes a small file in one step. Creates its folder. */
export async function replaceFile(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = temporaryName(path);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
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

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

const dayMs = 86_400_000;

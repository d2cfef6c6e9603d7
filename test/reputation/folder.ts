import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ImportOptions, importList } from '../../src/reputation/lists/import.ts';

const made: string[] = [];

/** A folder of its own for one test. The test file removes all of them: `afterAll(removeFolders)`. */
export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-safety-'));
  made.push(folder);
  return folder;
}

/** A hook of this file would belong to the first test file alone that loads it. */
export async function removeFolders(): Promise<void> {
  await Promise.all(made.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
}

export const nowMs = Date.parse('2026-11-21T12:00:00Z');

/** Imports a text as the list of a source. */
export async function importText(
  folder: string,
  source: string,
  text: string | Uint8Array,
  options: Partial<ImportOptions> = {},
) {
  const file = join(await freshFolder(), 'list');
  await writeFile(file, text);
  return importList(folder, file, source, { nowMs, ...options });
}

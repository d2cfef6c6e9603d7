import { afterEach } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ImportOptions, importList } from '../../src/safety/import.ts';

const made: string[] = [];

afterEach(async () => {
  for (const folder of made.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** A folder of its own for one test, removed afterwards. */
export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-safety-'));
  made.push(folder);
  return folder;
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

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn, replaceFile, syncFolder } from '../../lib/atomic-write-async.ts';
import { isMissing } from '../../lib/errors.ts';
import { parseJson } from '../../lib/json.ts';

/**
 * Small records, one JSON file each, so that two processes can add and remove at once without one
 * undoing the work of the other.
 */

export async function putRecord(folder: string, name: string, record: object): Promise<void> {
  await replaceFile(join(folder, `${name}.json`), `${JSON.stringify(record, null, 2)}\n`);
}

/** False when there was none. */
export async function removeRecord(folder: string, name: string): Promise<boolean> {
  try {
    await rm(join(folder, `${name}.json`));
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  await syncFolder(folder);
  return true;
}

/**
 * The records of a folder in the order of their names.
 *
 * @param parse null for what is no such record
 * @returns the records, and the names of files that hold none
 */
export async function readRecords<T>(
  folder: string,
  parse: (value: unknown) => T | null,
): Promise<{ records: T[]; damaged: string[] }> {
  const records: T[] = [];
  const damaged: string[] = [];
  for (const name of await namesIn(folder)) {
    if (!name.endsWith('.json')) continue;
    const text = await readFile(join(folder, name), 'utf8').catch((error: unknown) => {
      if (isMissing(error)) return null; // removed since the folder was read
      throw error;
    });
    if (text === null) continue;
    const record = parse(parseJson(text));
    if (record === null) damaged.push(name);
    else records.push(record);
  }
  return { records, damaged };
}

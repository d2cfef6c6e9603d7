import { lstatSync } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { flagSource } from '../../core/safety/flag.ts';
import { temporaryName } from '../../lib/atomic-write-async.ts';
import { isMissing } from '../../lib/errors.ts';
import { InvalidListRequest } from '../errors.ts';
import { pathsOf } from './generation.ts';
import { DamagedList, type LoadedList, readListFile } from './list-file.ts';

/** A list, and what is wrong with the newest file of it if anything is. */
interface BestList {
  readonly list: LoadedList | null;
  readonly problem: string | null;
  /** Whether the file may turn out to be good without being changed. */
  readonly mayMend: boolean;
}

/** Where the list of a source lies, and the copy of the one before. */
export function listPaths(folder: string, source: string) {
  const path = join(pathsOf(folder).lists, `${source}.list`);
  return { current: path, previous: `${path}.previous` };
}

/** The source whose list a file name is, or null. */
export function sourceOfFile(name: string): string | null {
  return /^(.+)\.list$/.exec(name)?.[1] ?? null;
}

/**
 * The stored spelling of a source's name. It becomes a file name, also where case is not told apart.
 *
 * @throws InvalidListRequest when it cannot be one
 */
export function parseSourceName(text: string): string {
  const name = text.toLowerCase();
  if (flagSource(name) !== 'imported list') {
    throw new InvalidListRequest(
      `"${name}" already names a check of another kind. Choose another name for the list.`,
    );
  }
  if (/^[a-z0-9][a-z0-9._-]{0,63}$/.test(name) && !/\.(?:list|previous|tmp)$/.test(name))
    return name;
  throw new InvalidListRequest(
    `${JSON.stringify(text)} cannot name a source. Use 1 to 64 letters, digits, "-", "_" and ".", beginning with a letter or digit.`,
  );
}

/**
 * Opens the list of a source; one that is damaged or cannot be read is replaced by the copy of the one
 * before.
 *
 * @returns the list if there is a good one, and what is wrong with the newest if anything is
 */
export async function openBestList(folder: string, source: string): Promise<BestList> {
  const { current, previous } = listPaths(folder, source);
  const newest = await tryRead(current);
  if (newest.list !== null || newest.problem === null) return newest;
  const { list } = await tryRead(previous);
  const what = newest.mayMend ? 'cannot be read' : 'is damaged';
  return { ...newest, list, problem: `The list "${source}" ${what}. ${newest.problem}` };
}

/** Keeps the list, which has to be a good one, as the copy to fall back on. */
export async function keepAsPrevious(folder: string, source: string): Promise<void> {
  const { current, previous } = listPaths(folder, source);
  const temporary = temporaryName(previous);
  await link(current, temporary);
  await rename(temporary, previous);
  await rm(temporary, { force: true }); // renaming one name of a file to another of it does nothing
}

async function tryRead(path: string): Promise<BestList> {
  try {
    return { list: await readListFile(path), problem: null, mayMend: false };
  } catch (error) {
    if (isMissing(error)) {
      const isLink = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
      return { list: null, problem: isLink ? 'It links to no file.' : null, mayMend: isLink };
    }
    if (!(error instanceof Error)) throw error;
    return { list: null, problem: error.message, mayMend: !(error instanceof DamagedList) };
  }
}

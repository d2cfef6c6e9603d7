import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../lib/atomic-write-async.ts';
import { isMissing } from '../../lib/errors.ts';

/** The parts of the folder in which the lists and the operator's rules live. */
export function pathsOf(folder: string) {
  return {
    lists: join(folder, 'lists'),
    // The folder is named as the command line names them.
    rules: join(folder, 'entries'),
    sources: join(folder, 'sources'),
    updates: join(folder, 'updates'),
    generation: join(folder, 'generation'),
  };
}

/** Tells every process that lists or rules have changed. */
export async function announceChange(folder: string): Promise<void> {
  await replaceFile(pathsOf(folder).generation, randomUUID());
}

/**
 * A text that differs after every change of lists or rules, by whichever process. Cheap enough
 * (some 10 µs) to be asked on each check.
 *
 * The announced id tells apart what happened within one tick of the file system's clock; the times
 * of the folders tell what a process changed that died before it could announce it.
 */
export function generationOf(folder: string): string {
  const { lists, rules, generation } = pathsOf(folder);
  return `${changedNs(lists)}:${changedNs(rules)}:${announced(generation)}`;
}

function changedNs(folder: string): bigint {
  return statSync(folder, { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? 0n;
}

function announced(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if (isMissing(error)) return '';
    throw error;
  }
}

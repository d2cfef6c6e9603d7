import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeConnection, openForReading } from '../../src/sqlite/database/open.ts';
import { openStore } from '../../src/sqlite/database/store.ts';
import {
  countRows,
  integrityErrors,
  rejectCorrupt,
} from '../../src/sqlite/maintenance/integrity.ts';
import { afterPowerCut, type DiskFile, eventsIn, synced } from './write-trace.ts';

/** What the images of a trace held. */
export interface Examined {
  images: number;
  /** Images in which something was missing of what had not been synced. */
  torn: number;
  answers: number;
  readonly problems: string[];
}

/**
 * Cuts the power at every sync of a trace and in between, and opens what the disk would then hold.
 * Whatever had been answered before must be in it.
 *
 * @param before the database file as the traced program found it, and how many codes and hits it held
 * @param every of how many events one is followed by a cut
 * @param chance a number from 0 to 1, another one each time
 */
export function examinePowerCuts(
  trace: string,
  before: { file: Buffer; codes: number; hits: number },
  folder: string,
  { every, chance }: { every: number; chance: () => number },
): Examined {
  const files = new Map<string, DiskFile>([
    ['waymark.db', { certain: before.file, pending: [] }],
    ['waymark.db-wal', { certain: Buffer.alloc(0), pending: [] }],
  ]);
  const examined: Examined = { images: 0, torn: 0, answers: 0, problems: [] };
  let [codes, hits] = [before.codes, before.hits];

  const cut = (keeps: () => boolean) => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    for (const [name, file] of files) writeFileSync(join(folder, name), afterPowerCut(file, keeps));
    examined.images++;
    const problem = problemIn(folder, codes, hits);
    if (problem !== null) examined.problems.push(`after ${examined.answers} answers: ${problem}`);
  };

  for (const event of eventsIn(trace)) {
    if (event.what === 'answer') {
      examined.answers++;
      if (event.status === 201) codes++;
      if (event.status === 302) hits++;
      continue;
    }
    const file = files.get(event.file);
    if (file === undefined) continue;
    const isTorn = file.pending.length > 0;
    if (event.what === 'sync' ? isTorn : chance() * every < 1) {
      // Nothing of what is pending, all of it, and any part.
      const share = chance();
      cut(() => false);
      cut(() => chance() < share);
      examined.torn += 2;
    }
    if (event.what === 'sync') synced(file);
    else file.pending.push(event);
  }
  cut(() => true);
  return examined;
}

function problemIn(folder: string, codes: number, hits: number): string | null {
  try {
    lookForDamage(folder);
    const store = openStore(folder, { durability: 'process', busyTimeoutMs: 0 });
    try {
      const [flaw] = integrityErrors(store.$client);
      if (flaw !== undefined) return flaw;
      const found = countRows(store.$client);
      return found.qrs < codes || found.hits < hits
        ? `${codes} codes and ${hits} hits were answered, ${found.qrs} and ${found.hits} are there`
        : null;
    } finally {
      closeConnection(store);
    }
  } catch (error) {
    return String(error);
  }
}

/** The database file of a folder. */
export function databaseFile(folder: string): Buffer {
  return readFileSync(join(folder, 'waymark.db'));
}

/** Checks the integrity of a data folder's database, as a start does. @throws DatabaseUnusable */
function lookForDamage(folder: string): void {
  const connection = openForReading(folder);
  try {
    rejectCorrupt(folder, connection);
  } finally {
    connection.$client.close();
  }
}

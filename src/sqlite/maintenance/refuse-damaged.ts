import { existsSync, statSync } from 'node:fs';
import { damaged, missingSteps } from '../database/migrate.ts';
import { type Connection, databasePath } from '../database/open.ts';
import { explaining } from '../database/read-only.ts';
import { flawsOf, pageSizeOf } from './integrity.ts';
import { readsOfTables } from './table-reads.macro.ts' with { type: 'macro' };

// Printed codes lead nowhere while a start looks. With indexes held against their tables it takes
// 0.3 s for this size, without them half a second for 300 MB or a million codes.
const fullyCheckedBytes = 64 * 1024 * 1024;
const checkedBytes = 1024 * 1024 * 1024;

const tableReads = readsOfTables();

/**
 * Looks for damage in the database of a data folder before a server writes to it. What is larger than
 * a gigabyte is left to `waymark doctor`. A changed letter inside a stored text is no damage that
 * SQLite could see.
 *
 * @param connection reads it; one that may write would take the log into the file when it closes
 * @throws DatabaseUnusable when it is damaged; the database and its log are then as they were, to the
 *   byte
 */
export function refuseDamaged(dataFolder: string, connection: Connection): void {
  const path = databasePath(dataFolder);
  const { size } = statSync(path);
  if (size > checkedBytes) return;
  const flaw = flawIn(dataFolder, connection, size > fullyCheckedBytes ? 'quick' : 'full');
  if (flaw !== null) throw damaged(path, flaw);
}

/**
 * The first flaw of a database, of which a start refuses each; null when it is sound.
 *
 * @param depth as in soundness.ts
 * @throws DatabaseUnusable when it is too damaged to be looked at
 */
export function flawIn(
  dataFolder: string,
  connection: Connection,
  depth: 'full' | 'quick',
): string | null {
  const path = databasePath(dataFolder);
  const { $client } = connection;
  return explaining(path, () => {
    if (isCutOff(path, pageSizeOf($client))) return 'it is cut off in the middle of a page';
    touchTables(connection);
    return flawsOf($client, depth)[0] ?? null;
  });
}

/** Names every table and column once: SQLite takes a name with a changed letter for another name. */
function touchTables({ $client }: Connection): void {
  if (missingSteps($client).length > 0) return;
  for (const read of tableReads) $client.query(read).all();
}

/**
 * SQLite takes what is missing of the last page for zeros. While there is a log, a crash may have cut
 * off the taking in of a page, which the log still holds whole.
 */
function isCutOff(path: string, pageBytes: number): boolean {
  const log = `${path}-wal`;
  const isSettled = !existsSync(log) || statSync(log).size === 0;
  return isSettled && statSync(path).size % pageBytes !== 0;
}

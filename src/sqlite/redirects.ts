import type { RedirectStorage } from '../core/storage.ts';
import { createLinkStore } from './codes/link-targets.ts';
import { createDamageMonitor } from './damage/monitor.ts';
import { readableCodes } from './damage/readable-rows.ts';
import { corruptDatabase } from './database/errors.ts';
import { databasePath, databaseSizes, hasRoom } from './database/files.ts';
import { isAlone, openForReading } from './database/open.ts';
import { lastBackupMs } from './maintenance/last-backup.ts';

/**
 * Opens the database of a data folder for a server that only redirects. Writes nothing, and serves what
 * can be read of a damaged database.
 *
 * @throws DatabaseUnusable when it cannot be opened, or no code can be read
 */
export function openForRedirects(dataFolder: string, known: string | null): RedirectStorage {
  const connection = openForReading(dataFolder);
  const path = databasePath(dataFolder);
  const damage = createDamageMonitor(known);
  const [first] = readableCodes(connection.$client);
  if (first === undefined) {
    connection.$client.close();
    throw corruptDatabase(path, 'no code can be read');
  }
  return {
    linkStore: createLinkStore(connection, { record: async () => {} }, damage),
    conditions: [damage.condition],
    sizes: () => databaseSizes(dataFolder),
    isAlone: isAlone(connection),
    hasRoom: () => hasRoom(dataFolder),
    lastBackupMs: async () => lastBackupMs(connection),
    close: async () => connection.$client.close(),
  };
}

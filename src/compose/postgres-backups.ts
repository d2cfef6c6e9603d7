import { mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copySnapshot } from '../core/backups/snapshot.ts';
import { type Storage, WouldReplaceDatabase } from '../core/storage.ts';
import { withFileErrors } from '../lib/errors.ts';
import { createTemporaryFolder } from '../lib/files/temporary.ts';
import type { PostgresStorage } from '../postgres/storage.ts';
import { rejectExisting } from '../sqlite/maintenance/overwrite-guard.ts';
import { createSqliteStorage } from '../sqlite/storage.ts';

/**
 * Adds backups, which are SQLite files whatever the database is, by way of a temporary data folder.
 *
 * @param dataFolder where a restore keeps what it has replaced
 */
export function withBackups(database: PostgresStorage, dataFolder: string): Storage {
  return {
    ...database,
    backUp: async (file, options) => {
      if (!options.replace) rejectExisting(file);
      const backup = await inTemporaryFolder(dirname(file), async (folder) => {
        const storage = createSqliteStorage(folder);
        await database.readSnapshot((snapshot) => copySnapshot(snapshot, storage));
        return storage.backUp(file, options);
      });
      await database.recordBackup(options.nowMs);
      return backup;
    },
    restore: (file, options) =>
      database.whileStopped(async () => {
        const hasAccounts = await database.prepareRestore();
        withFileErrors(`${dataFolder} cannot be created`, () =>
          mkdirSync(dataFolder, { recursive: true, mode: 0o700 }),
        );
        return inTemporaryFolder(dataFolder, async (folder) => {
          const storage = createSqliteStorage(folder);
          if (hasAccounts) await database.readSnapshot((current) => copySnapshot(current, storage));
          const restored = await storage.restore(file, options).catch((error: unknown) => {
            if (!(error instanceof WouldReplaceDatabase)) throw error;
            throw new WouldReplaceDatabase(database.name, error.losses);
          });
          const { kept } = restored;
          if (kept !== null) renameSync(join(folder, kept), join(dataFolder, kept));
          // The backup may be of an earlier version.
          const upgraded = await storage.openForCommand({ upgrade: true });
          await upgraded.close();
          await storage.readSnapshot((backup) => copySnapshot(backup, database, true));
          return restored;
        });
      }),
  };
}

async function inTemporaryFolder<T>(
  parent: string,
  run: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = createTemporaryFolder(parent, '.waymark-');
  try {
    return await run(folder.path);
  } finally {
    folder.remove();
  }
}

import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import { copySnapshot } from '../core/backups/snapshot.ts';
import type { Storage } from '../core/storage.ts';
import { withFileErrors } from '../lib/errors.ts';
import type { BackupFiles } from '../postgres/storage.ts';
import { rejectExisting } from '../sqlite/maintenance/overwrite-guard.ts';
import { createSqliteStorage } from '../sqlite/storage.ts';

/** Creates the storage that the settings name. Opens nothing yet. */
export async function createStorage({
  data,
  databaseUrl,
}: Pick<Config, 'data' | 'databaseUrl'>): Promise<Storage> {
  if (databaseUrl === null) return createSqliteStorage(data);
  // Loaded on demand, because most servers use SQLite and start within milliseconds.
  const { createPostgresStorage } = await import('../postgres/storage.ts');
  return createPostgresStorage(databaseUrl, createBackupFiles(data));
}

/**
 * Creates backups of another database as SQLite files, by way of a temporary data folder.
 *
 * @param dataFolder where a restore keeps what it has replaced
 */
function createBackupFiles(dataFolder: string): BackupFiles {
  return {
    write: async (file, snapshot, options) => {
      if (!options.replace) rejectExisting(file);
      return inTemporaryFolder(dirname(file), async (folder) => {
        const storage = createSqliteStorage(folder);
        await copySnapshot(snapshot, (copied, verify) =>
          storage.writeSnapshot(copied, { replace: false, verify }),
        );
        return storage.backUp(file, options);
      });
    },
    restore: async (file, readCurrent, options, use) => {
      withFileErrors(`${dataFolder} cannot be created`, () =>
        mkdirSync(dataFolder, { recursive: true, mode: 0o700 }),
      );
      return inTemporaryFolder(dataFolder, async (folder) => {
        const storage = createSqliteStorage(folder);
        await readCurrent?.((current) =>
          copySnapshot(current, (copied, verify) =>
            storage.writeSnapshot(copied, { replace: false, verify }),
          ),
        );
        const restored = await storage.restore(file, options);
        const { kept } = restored;
        if (kept !== null) renameSync(join(folder, kept), join(dataFolder, kept));
        // The backup may be of an earlier version.
        const upgraded = await storage.openForCommand({ upgrade: true });
        await upgraded.close();
        await storage.readSnapshot(use);
        return restored;
      });
    },
  };
}

async function inTemporaryFolder<T>(
  parent: string,
  run: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = withFileErrors(`${parent} cannot be written`, () =>
    mkdtempSync(join(parent, '.waymark-')),
  );
  try {
    return await run(folder);
  } finally {
    if (existsSync(folder)) rmSync(folder, { recursive: true });
  }
}

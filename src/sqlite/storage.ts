import type { CommandStorage, Storage } from '../core/storage.ts';
import { runInTurns } from '../lib/event-loop.ts';
import { hasDatabase } from '../redirect/sqlite/files.ts';
import { isLocked, lockFolder } from '../redirect/sqlite/lock.ts';

/** Creates the storage in a data folder. Its parts are loaded on first use. */
export function createSqliteStorage(dataFolder: string): Storage {
  return {
    name: dataFolder,
    exists: async () => hasDatabase(dataFolder),
    isServed: async () => isLocked(dataFolder),
    whileStopped: async (run) => {
      const unlock = lockFolder(dataFolder);
      try {
        return await run();
      } finally {
        unlock();
      }
    },
    readSnapshot: async (use) => {
      const { openForCommand } = await import('./database/command.ts');
      const { readSnapshot } = await import('./maintenance/snapshot.ts');
      const { pinHits } = await import('./hits/pending.ts');
      const hits = pinHits(dataFolder);
      try {
        const connection = openForCommand(dataFolder, {});
        try {
          return await readSnapshot(connection, hits, use);
        } finally {
          connection.$client.close();
        }
      } finally {
        hits.close();
      }
    },
    writeSnapshot: async (snapshot, { verify }) => {
      const { writeSnapshot } = await import('./maintenance/snapshot.ts');
      await writeSnapshot(dataFolder, snapshot, verify);
    },
    openForServer: async (options) => {
      const { openForApp } = await import('./app.ts');
      return openForApp(dataFolder, options);
    },
    openForCommand: async (options) => {
      const { openForCommand } = await import('./database/command.ts');
      const { createPendingHits } = await import('./hits/pending.ts');
      const { openStores } = await import('./stores.ts');
      const connection = openForCommand(dataFolder, options);
      const hits = createPendingHits(connection.$client, dataFolder);
      const { stores, recorders } = openStores(connection, { hits });
      return {
        ...stores,
        ...recorders,
        eraseFreeSpace: async () => {
          const { eraseFreeSpace } = await import('./maintenance/erasure.ts');
          return eraseFreeSpace(connection.$client);
        },
        close: async () => {
          connection.$client.close();
          hits.close();
        },
      } satisfies CommandStorage;
    },
    acceptLoss: async () => {},
    openForReading: async () => {
      const { openForReading } = await import('../redirect/sqlite/connection.ts');
      const { readerOf } = await import('./reader.ts');
      return readerOf(dataFolder, openForReading(dataFolder));
    },
    backUp: async (file, options) => {
      const { backUpInSteps, recordBackup } = await import('./maintenance/backup.ts');
      const backup = await runInTurns(backUpInSteps(dataFolder, file, options));
      recordBackup(dataFolder, options.nowMs);
      return backup;
    },
    repair: async (file, options) => {
      const { repairInSteps } = await import('./maintenance/repair.ts');
      return runInTurns(repairInSteps(dataFolder, file, options));
    },
    restore: async (file, options) => {
      const { restoreInSteps } = await import('./maintenance/restore.ts');
      return runInTurns(restoreInSteps(file, dataFolder, options));
    },
  };
}

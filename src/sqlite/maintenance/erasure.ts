import type { Database } from 'bun:sqlite';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stores } from '../../core/storage.ts';
import { isDamage, isUnwritable, sqliteMessage } from '../database/errors.ts';

/**
 * The name of the file that exists while deleted text may be in the free space.
 * A server that is killed leaves it.
 */
const markPath = (dataFolder: string): string => join(dataFolder, 'erasure-pending');

/** Returns whether text was deleted since the database was written anew. */
export const isErasurePending = (dataFolder: string): boolean => existsSync(markPath(dataFolder));

/** Returns stores that mark a data folder when text is deleted for good, and tell so. */
export function notingErasure(stores: Stores, dataFolder: string, onErased: () => void): Stores {
  const note = () => {
    onErased();
    try {
      writeFileSync(markPath(dataFolder), '', { mode: 0o600 });
    } catch {
      // Only a killed server needs it.
    }
  };
  return {
    ...stores,
    accounts: {
      ...stores.accounts,
      remove: async (...given) => {
        const result = await stores.accounts.remove(...given);
        if (result === 'more' || result === 'removed') note();
        return result;
      },
    },
    domains: {
      forget: async (...given) => {
        const part = await stores.domains.forget(...given);
        note();
        return part;
      },
    },
  };
}

// The server writes its log back in milliseconds. Litestream reads without an end.
const longestWaitMs = 2000;
const retryDelayMs = 20;

/**
 * Writes a database anew, so that its file and its log have no deleted text.
 * `secure_delete` alone leaves some: when SQLite moves rows to another page, it leaves copies in the gap of the old
 * one.
 *
 * @param maxWaitMs how long to wait for other processes that use the log; it keeps deleted text then
 * @returns why that failed, or null. Some text may be left then
 */
export function eraseFreeSpace(
  database: Database,
  dataFolder: string,
  maxWaitMs = longestWaitMs,
): string | null {
  try {
    database.run('VACUUM');
    emptyLog(database, maxWaitMs);
    rmSync(markPath(dataFolder), { force: true });
    return null;
  } catch (error) {
    if (!isUnwritable(error) && !isDamage(error)) throw error;
    return sqliteMessage(error);
  }
}

/**
 * Checkpoints and truncates the write-ahead log.
 * Waits until no other process does so or reads an earlier state.
 */
function emptyLog(database: Database, maxWaitMs: number): void {
  const endMs = performance.now() + maxWaitMs;
  const checkpoint = database.query('PRAGMA wal_checkpoint(TRUNCATE)');
  // SQLite does not wait for a checkpoint of another process, whatever the busy timeout is.
  for (;;) {
    const [[isBusy] = []] = checkpoint.values();
    if (isBusy === 0 || performance.now() > endMs) return;
    Bun.sleepSync(retryDelayMs);
  }
}

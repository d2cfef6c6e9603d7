import type { Database } from 'bun:sqlite';
import { isDamage, isUnwritable, sqliteMessage } from '../../redirect/sqlite/errors.ts';

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
export function eraseFreeSpace(database: Database, maxWaitMs = longestWaitMs): string | null {
  try {
    database.run('VACUUM');
    emptyLog(database, maxWaitMs);
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

import { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { DatabaseRefused, missingSteps } from './migrate.ts';
import { databasePath, type Store } from './open.ts';

// Readers do not wait for writers; this is for the moment in which another process recovers a log.
const busyTimeoutMs = 10_000;

/**
 * Opens the database of a data folder to look at it: beside a running server, and without bringing
 * its schema up to date, so that a new program can look at what an older one serves.
 *
 * @throws DatabaseRefused when there is none, or when it is damaged, newer or not Waymark's
 */
export function openForReading(dataFolder: string): Store {
  const path = databasePath(dataFolder);
  if (!existsSync(path))
    throw new DatabaseRefused(
      `There is no database in ${dataFolder}. Name the data folder with --data or WAYMARK_DATA.`,
    );
  return explaining(path, () => {
    const client = new Database(path, { readonly: true, strict: true });
    try {
      client.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
      client.run('PRAGMA trusted_schema = OFF');
      missingSteps(client);
    } catch (error) {
      client.close();
      throw error;
    }
    return drizzle({ client });
  });
}

/**
 * Runs what reads a database file.
 *
 * @throws DatabaseRefused in place of what SQLite says of a damaged or unreadable file
 */
export function explaining<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const code = codeOf(error);
    if (/^SQLITE_(CORRUPT|NOTADB)/.test(code))
      throw new DatabaseRefused(
        `${path} is damaged or no SQLite database (${messageOf(error)}). Nothing was changed.`,
      );
    if (/^SQLITE_(CANTOPEN|IOERR|PERM|AUTH|BUSY|READONLY)/.test(code))
      throw new DatabaseRefused(
        `${path} cannot be read (${messageOf(error)}). Check its owner and its permissions.`,
      );
    throw error;
  }
}

/** SQLite's own name for what went wrong, such as `SQLITE_BUSY`, or nothing. */
export function codeOf(error: unknown): string {
  // drizzle wraps what the driver throws.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

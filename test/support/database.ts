import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { runOn } from './postgres.ts';
import type { Server } from './server.ts';

/** Runs a statement on the database of a server, which may be running, and returns the rows. */
export async function inDatabase(
  { database, dataFolder }: Pick<Server, 'database' | 'dataFolder'>,
  statement: string,
): Promise<Record<string, unknown>[]> {
  const url = database['WAYMARK_DATABASE_URL'];
  if (url !== undefined) return runOn(url, statement);
  const file = new Database(join(dataFolder, 'waymark.db'));
  file.run('PRAGMA busy_timeout = 5000');
  try {
    return file.query<Record<string, unknown>, []>(statement).all();
  } finally {
    file.close();
  }
}

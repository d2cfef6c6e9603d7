import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { SQL } from 'bun';
import type { Server } from './server.ts';

/** Runs a statement on the database of a server, which may be running, and returns the rows. */
export async function inDatabase(
  { database, dataFolder }: Pick<Server, 'database' | 'dataFolder'>,
  statement: string,
): Promise<Record<string, unknown>[]> {
  const url = database['WAYMARK_DATABASE_URL'];
  if (url !== undefined) {
    const sql = new SQL(url, { max: 1 });
    try {
      return await sql.unsafe(statement);
    } finally {
      await sql.close();
    }
  }
  const file = new Database(join(dataFolder, 'waymark.db'));
  file.run('PRAGMA busy_timeout = 5000');
  try {
    return file.query<Record<string, unknown>, []>(statement).all();
  } finally {
    file.close();
  }
}

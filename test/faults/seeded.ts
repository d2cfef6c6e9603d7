import { Database } from 'bun:sqlite';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { returnHits } from '../../src/redirect/sqlite/hits-file.ts';
import { startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';

/** A data folder after a crash: the newest rows are only in the write-ahead logs. */
export interface Seeded {
  readonly key: string;
  readonly codes: readonly { readonly code: string; readonly destination: string }[];
  /** Scans of every code. */
  readonly scans: number;
  /** Copies the folder to a new path. */
  copyTo(folder: string): string;
  /** Copies the folder as a clean stop leaves it: without a write-ahead log. */
  settledCopyTo(folder: string): string;
}

/**
 * Creates, edits and scans codes on a server, kills it, and copies its data.
 *
 * @param folder target of the copy; it must not exist
 */
export async function seed(folder: string, count: number): Promise<Seeded> {
  const server = await startServer({ WAYMARK_SHORT_URL: 'http://short.example.org' });
  try {
    const { api, key } = await server.account('alice@example.org');
    const codes: { code: string; destination: string }[] = [];
    for (let nth = 0; nth < count; nth++) {
      const { code } = await api.create(`https://example.org/first/${nth}`);
      const destination = `https://example.org/second/${nth}`;
      await api.call(`PATCH /qrs/${code}`, { url: destination });
      codes.push({ code, destination });
    }
    for (const { code } of codes)
      for (let turn = 0; turn < 3; turn++) await visit(`${server.origin}/${code}`);
    await server.kill();
    cpSync(server.dataFolder, folder, { recursive: true });
    const copyTo = (target: string) => {
      cpSync(folder, target, { recursive: true });
      rmSync(join(target, 'waymark.db-shm'), { force: true });
      return target;
    };
    const settledCopyTo = (target: string) => {
      const path = join(copyTo(target), 'waymark.db');
      returnHits(target);
      const database = new Database(path);
      database.run('PRAGMA wal_checkpoint(TRUNCATE)');
      database.close();
      for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
      return target;
    };
    return { key, codes, scans: 3, copyTo, settledCopyTo };
  } finally {
    await server.close();
  }
}

import { afterAll } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Durability } from '../../src/redirect/sqlite/connection.ts';
import { createSqlStores } from '../../src/sql/stores.ts';
import type { DrizzleConnection } from '../../src/sqlite/database/drizzle.ts';
import { openWithDrizzle } from '../../src/sqlite/database/drizzle.ts';
import { createSqliteDialect, type DialectParts } from '../../src/sqlite/dialect.ts';
import { addOwner } from './rows.ts';

/** Creates folders and connections, which are removed after the tests of the file. */
export function createFolders() {
  const root = mkdtempSync(join(tmpdir(), 'waymark-sqlite-'));
  const stores: DrizzleConnection[] = [];
  let folders = 0;

  afterAll(() => {
    for (const store of stores) store.$client.close();
    rmSync(root, { recursive: true, force: true });
  });

  return {
    /** An empty folder. */
    newFolder: (): string => {
      const folder = join(root, String(folders++));
      mkdirSync(folder, { mode: 0o700 });
      return folder;
    },
    /** Opens the database of a folder, without a busy timeout. */
    openIn: (folder: string, durability: Durability = 'process'): DrizzleConnection => {
      const store = openWithDrizzle(folder, { durability, busyTimeoutMs: 0 });
      stores.push(store);
      return store;
    },
  };
}

/** Creates the stores of a database, by default without a cache and without a scan log. */
export function storesOn(connection: DrizzleConnection, parts: DialectParts = {}) {
  return createSqlStores(createSqliteDialect(connection, parts));
}

/** Creates an account without a password and with the plain design. */
export const addAccount = (store: DrizzleConnection, email: string) =>
  addOwner(storesOn(store), { email });

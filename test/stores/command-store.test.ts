import { expect, test } from 'bun:test';
import { chownSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkOwner } from '../../src/cli/doctor/folder.ts';
import { openForCommand } from '../../src/sqlite/database/command-store.ts';
import { addAccount, createFolders } from './folder.ts';

const { newFolder } = createFolders();
const nobody = 65_534;

test.skipIf(process.getuid?.() !== 0)(
  'as root: a database that a command makes belongs to the owner of the folder, who serves it',
  async () => {
    const folder = newFolder();
    chownSync(folder, nobody, nobody);
    const store = openForCommand(folder, { create: true, mayUpgrade: () => false });
    await addAccount(store, 'anna@example.com');
    const owners = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).uid]);
    expect(owners.sort()).toEqual([
      ['waymark.db', nobody],
      ['waymark.db-shm', nobody],
      ['waymark.db-wal', nobody],
    ]);
    store.$client.close();
    expect(checkOwner(folder).status).toBe('ok');
  },
);

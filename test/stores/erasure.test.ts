import { expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { eraseFreeSpace } from '../../src/sqlite/maintenance/erasure.ts';
import { createFolders } from './folder.ts';

const { newFolder, openIn } = createFolders();

/** Holds the lock of checkpoints, as a server does while it writes its log back, until the log has grown. */
const checkpointing = `
  const { dlopen } = require('bun:ffi');
  const { openSync, statSync } = require('node:fs');
  const [database] = process.argv.slice(1);
  const { symbols } = dlopen('libc.so.6', { fcntl: { args: ['int', 'int', 'ptr'], returns: 'int' } });
  // WAL_CKPT_LOCK of SQLite's wal.c: one byte of the shared memory.
  const lock = new DataView(new ArrayBuffer(32));
  lock.setInt16(0, 1, true); // F_WRLCK
  lock.setBigInt64(8, 121n, true);
  lock.setBigInt64(16, 1n, true);
  const size = () => statSync(database + '-wal').size;
  const before = size();
  if (symbols.fcntl(openSync(database + '-shm', 'r+'), 6, new Uint8Array(lock.buffer)) !== 0) throw new Error('not locked');
  console.log('locked');
  while (size() === before) Bun.sleepSync(10);
  Bun.sleepSync(100);`;

test.skipIf(process.platform !== 'linux' || process.arch !== 'x64')(
  'the log is emptied after a checkpoint of another process, for which SQLite does not wait',
  async () => {
    const folder = newFolder();
    const { $client } = openIn(folder);
    const path = join(folder, 'waymark.db');
    const other = Bun.spawn([process.execPath, '-e', checkpointing, path], { stdout: 'pipe' });
    for await (const _ of other.stdout) break;
    // The other process may be slow.
    expect(eraseFreeSpace($client, 100_000)).toBeNull();
    expect(statSync(`${path}-wal`).size).toBe(0);
    expect(await other.exited).toBe(0);
  },
);

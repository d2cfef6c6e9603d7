import { describe, expect, test } from 'bun:test';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseUnusable } from '../../src/sqlite/database/errors.ts';
import { isLocked, lockFolder } from '../../src/sqlite/database/lock.ts';
import { createFolders } from './folder.ts';

const { newFolder } = createFolders();

/** A process that holds the lock of a folder. Resolves once it does. */
async function holder(folder: string) {
  const program = Bun.spawn([process.execPath, join(import.meta.dir, 'lock-holder.ts'), folder], {
    stdout: 'pipe',
    stderr: 'inherit',
    timeout: 30_000,
    killSignal: 'SIGKILL',
  });
  const { value } = await program.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toBe('locked\n');
  return program;
}

describe('a data folder belongs to one server', () => {
  test('a second one is refused until the first lets go', () => {
    const folder = newFolder();
    const unlock = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(DatabaseUnusable);
    expect(() => lockFolder(folder)).toThrow(/already running .*data folder/);
    unlock();
    lockFolder(folder)();
  });

  test('whether one runs can be seen without a trace', () => {
    const folder = newFolder();
    expect(isLocked(folder)).toBe(false);
    expect(existsSync(join(folder, 'server.lock'))).toBe(false);
    const unlock = lockFolder(folder);
    expect(isLocked(folder)).toBe(true);
    unlock();
    expect(isLocked(folder)).toBe(false);
    lockFolder(folder)();
  });

  test('of another process as well, and kill -9 lets go of it', async () => {
    const folder = newFolder();
    const first = await holder(folder);
    try {
      expect(() => lockFolder(folder)).toThrow(/already running/);
    } finally {
      first.kill('SIGKILL');
      await first.exited;
    }
    lockFolder(folder)();
  });

  test('a folder that is not there is made for its owner alone', () => {
    const folder = join(newFolder(), 'data');
    lockFolder(folder)();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test('a lock that cannot be taken for another reason says so', () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'server.lock'), 'not a lock at all\n'.repeat(100));
    expect(() => lockFolder(folder)).toThrow(DatabaseUnusable);
    expect(() => lockFolder(folder)).not.toThrow(/already running/);
    expect(() => lockFolder(folder)).toThrow(/not a database/);
    expect(() => isLocked(folder)).toThrow(/not a database/);
  });
});

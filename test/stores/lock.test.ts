import { describe, expect, test } from 'bun:test';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseUnusable } from '../../src/core/errors.ts';
import { isLocked, lockFolder } from '../../src/sqlite/database/lock.ts';
import { createFolders } from './folder.ts';

const { newFolder } = createFolders();

/** Starts a process that locks a folder, and waits until it has. */
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

describe('the lock of a data folder', () => {
  test('belongs to one server at a time', () => {
    const folder = newFolder();
    const unlock = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(DatabaseUnusable);
    expect(() => lockFolder(folder)).toThrow(/already running .*data folder/);
    unlock();
    lockFolder(folder)();
  });

  test('can be checked without creating it', () => {
    const folder = newFolder();
    expect(isLocked(folder)).toBe(false);
    expect(existsSync(join(folder, 'server.lock'))).toBe(false);
    const unlock = lockFolder(folder);
    expect(isLocked(folder)).toBe(true);
    unlock();
    expect(isLocked(folder)).toBe(false);
    lockFolder(folder)();
  });

  test('is released when its process is killed', async () => {
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

  test('creates a private folder', () => {
    const folder = join(newFolder(), 'data');
    lockFolder(folder)();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test('that cannot be opened gives the reason', () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'server.lock'), 'not a lock at all\n'.repeat(100));
    expect(() => lockFolder(folder)).toThrow(DatabaseUnusable);
    expect(() => lockFolder(folder)).not.toThrow(/already running/);
    expect(() => lockFolder(folder)).toThrow(/not a database/);
    expect(() => isLocked(folder)).toThrow(/not a database/);
  });
});

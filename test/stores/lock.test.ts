import { expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseUnusable } from '../../src/core/errors.ts';
import { isLocked, lockFolder } from '../../src/sqlite/database/lock.ts';
import { createFolders } from './folder.ts';

// test/faults/two-servers.test.ts has servers that lock a folder, and one that is killed.
const { newFolder } = createFolders();

test('the lock of a data folder can be checked without creating it', () => {
  const folder = newFolder();
  expect(isLocked(folder)).toBe(false);
  expect(existsSync(join(folder, 'server.lock'))).toBe(false);
  const unlock = lockFolder(folder);
  expect(isLocked(folder)).toBe(true);
  unlock();
  expect(isLocked(folder)).toBe(false);
  lockFolder(folder)();
});

test('a lock that cannot be opened gives the reason', () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'server.lock'), 'not a lock at all\n'.repeat(100));
  expect(() => lockFolder(folder)).toThrow(DatabaseUnusable);
  for (const use of [lockFolder, isLocked])
    expect(() => use(folder)).toThrow(/^(?!.*already running).*not a database/);
});

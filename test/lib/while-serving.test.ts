import { afterAll, describe, expect, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  namesIn,
  putInPlace,
  removeStaleTemporaries,
  replaceFile,
  syncFolder,
  temporaryName,
  writeTemporary,
} from '../../src/lib/atomic-write-async.ts';

const root = mkdtempSync(join(tmpdir(), 'waymark-files-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const newFolder = () => mkdtempSync(join(root, 'folder-'));

describe('a file that is replaced', () => {
  test('is there whole, private and alone', async () => {
    const folder = join(newFolder(), 'deep', 'folder');
    for (const content of ['first', 'second']) {
      await replaceFile(join(folder, 'list'), content);
      expect(readFileSync(join(folder, 'list'), 'utf8')).toBe(content);
    }
    expect((statSync(join(folder, 'list')).mode & 0o777).toString(8)).toBe('600');
    expect(readdirSync(folder)).toEqual(['list']);
  });

  test('that cannot be written to its end is told, and nothing of it is left', async () => {
    const folder = newFolder();
    const failing = writeTemporary(join(folder, 'list'), async (file) => {
      await file.writeFile('half');
      throw new Error('the disk is full');
    });
    await expect(failing).rejects.toThrow('the disk is full');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('that cannot take its place is told, and nothing of it is left', async () => {
    const folder = newFolder();
    const taken = join(folder, 'list');
    mkdirSync(taken);
    const temporary = temporaryName(taken);
    writeFileSync(temporary, 'finished');
    await expect(putInPlace(temporary, taken)).rejects.toThrow(/EISDIR/);
    expect(readdirSync(folder)).toEqual(['list']);
  });
});

describe('the names in a folder', () => {
  test('are sorted, and none where there is no folder', async () => {
    const folder = newFolder();
    for (const name of ['b', 'c', 'a']) writeFileSync(join(folder, name), '');
    expect(await namesIn(folder)).toEqual(['a', 'b', 'c']);
    expect(await namesIn(join(folder, 'missing'))).toEqual([]);
  });

  test('are not taken for none where they cannot be read', async () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    await expect(namesIn(file)).rejects.toThrow(/ENOTDIR/);
  });
});

test('of what is a day old only temporary files are removed, and no younger one', async () => {
  const folder = newFolder();
  const nowMs = Date.UTC(2026, 5, 2, 12);
  const dayMs = 86_400_000;
  for (const [name, ageMs] of [
    ['list', dayMs * 9],
    ['old.tmp', dayMs + 1000],
    ['young.tmp', dayMs - 1000],
  ] as const) {
    writeFileSync(join(folder, name), '');
    const changed = new Date(nowMs - ageMs);
    utimesSync(join(folder, name), changed, changed);
  }
  await removeStaleTemporaries(folder, nowMs);
  expect(readdirSync(folder).sort()).toEqual(['list', 'young.tmp']);
  await removeStaleTemporaries(join(folder, 'missing'), nowMs);
  expect(existsSync(join(folder, 'missing'))).toBe(false);
});

// A folder cannot be synced there, and a list that is in place would be told of as a failure.
test('Windows is not asked to sync a folder', async () => {
  const { platform } = process;
  const missing = join(newFolder(), 'missing');
  await expect(syncFolder(missing)).rejects.toThrow(/ENOENT/);
  Object.defineProperty(process, 'platform', { value: 'win32' });
  try {
    await syncFolder(missing);
  } finally {
    Object.defineProperty(process, 'platform', { value: platform });
  }
});

import { expect, test } from 'bun:test';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCommands } from './folder.ts';

const { folder, waymark, json } = createCommands();
const backups = join(folder, 'backups');
await json('account create alice@example.org');
const others = ['today.db', 'waymark.db', 'waymark-2020-01-01T00-00-00.000Z.db.gz'];

const dated = () =>
  readdirSync(backups)
    .filter((name) => !others.includes(name))
    .sort();

test('backup --keep writes dated files, and removes the oldest ones after the new one is written', async () => {
  expect((await waymark(`backup --keep 3 ${backups}`)).stderr).toContain('no such file or folder');
  mkdirSync(backups);
  for (const name of others) writeFileSync(join(backups, name), 'not ours');
  const old = ['waymark-2020-01-02T03-15-00.000Z.db', 'waymark-2020-01-03T03-15-00.000Z.db'];
  for (const name of old) writeFileSync(join(backups, name), 'an old backup');
  // Of a clock that was wrong.
  const future = 'waymark-2999-01-01T03-15-00.000Z.db';
  writeFileSync(join(backups, future), 'a backup');

  const first = await json(`backup --keep 3 ${backups}`);
  expect(first).toMatchObject({ accounts: 1, removed: [old[0]] });
  expect(dated()).toEqual([old[1] ?? '', expect.stringMatching(/^waymark-20/), future]);
  await json(`backup --keep 1 ${backups}`);
  const [last = '', ...rest] = dated();
  expect(rest).toEqual([]);
  expect((statSync(join(backups, last)).mode & 0o777).toString(8)).toBe('600');
  expect(readdirSync(backups)).toEqual(expect.arrayContaining(others));
  const restored = await waymark(`restore ${join(backups, last)} --data ${join(folder, 'new')}`);
  expect(restored.exitCode).toBe(0);
});

test('a backup that fails removes nothing', async () => {
  const before = readdirSync(backups);
  const { exitCode } = await waymark(`backup --keep 1 ${backups} --data ${join(folder, 'empty')}`);
  expect(exitCode).toBe(1);
  expect(readdirSync(backups)).toEqual(before);
});

test('--keep needs a folder and a number', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  for (const line of [`--keep 3 ${file}`, `--keep none ${backups}`, `--keep 0 ${backups}`])
    expect((await waymark(`backup ${line}`)).exitCode).toBe(2);
});

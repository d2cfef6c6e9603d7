import { expect, test } from 'bun:test';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pngSignature } from '../../src/render/png/file.ts';
import { createCommands } from './folder.ts';

const { folder, waymark, json } = createCommands();
const email = 'alice@example.org';
await json(`account create ${email}`);
const database = join(folder, 'data', 'waymark.db');
symlinkSync(database, join(folder, 'link.png'));
symlinkSync('data', join(folder, 'other-name'));

const commands = [`design preview ${email} --out`, 'export --force --out', 'backup --force'];
const databaseFiles = [
  'data/waymark.db-wal',
  'link.png',
  'other-name/waymark.db',
  'data/server.lock',
];

test.each([
  ...databaseFiles.map((file) => [commands[0], file]),
  ...commands.slice(1).map((command) => [command, databaseFiles[0]]),
])('%s rejects %s, which is the database or its lock', async (command = '', file = '') => {
  const before = readFileSync(database);
  const { exitCode, stdout, stderr } = await waymark(`${command} ${file}`);
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toBe(
    `waymark: ${command.startsWith('backup') ? join(folder, file) : file} is the database itself, or a file that it needs. Name another file.\n`,
  );
  expect(readFileSync(database).equals(before)).toBe(true);
});

test.each(commands)('%s rejects a folder or a device, and leaves it as it is', async (command) => {
  mkdirSync(join(folder, 'pictures'), { recursive: true });
  for (const file of ['pictures', '/dev/null']) {
    const { exitCode, stderr } = await waymark(`${command} ${file}`);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('is not a file. Name a file.');
  }
  expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
});

test('design preview replaces an earlier file and leaves no temporary one', async () => {
  await Bun.write(join(folder, 'empty.png'), '');
  for (const file of ['empty.png', 'new.png']) {
    await waymark(`design preview ${email} --size 200 --out ${file}`);
    expect([...readFileSync(join(folder, file)).subarray(0, 8)]).toEqual([...pngSignature]);
  }
  expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
});

test.each([
  [`design preview ${email}`, 2],
  [`design preview ${email} --out x.png --size 127`, 2],
  [`design preview ${email} --out data/waymark.db/x.png`, 1],
  [`design preview ${email} --out -`, 1],
  ['backup -', 1],
  // As on a disk that is not mounted.
  [`design preview ${email} --out unmounted/x.png`, 1],
  ['backup unmounted/x.db', 1],
  ['export --out unmounted/x.csv', 1],
])('waymark %s exits with %i, and no file is written', async (line, code) => {
  const { exitCode, stdout, stderr } = await waymark(line);
  expect([exitCode, stdout]).toEqual([code, '']);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(readdirSync(folder).filter((name) => /^-|^unmounted|^x/.test(name))).toEqual([]);
});

import { describe, expect, test } from 'bun:test';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pngSignature } from '../../src/render/png/file.ts';
import { createCommands } from './folder.ts';

/** Commands write the file that is named, whole, and never what the program lives on. */

const { folder, waymark, json } = createCommands();
const email = 'alice@example.org';
await json(`account create ${email}`);
const database = join(folder, 'data', 'waymark.db');
symlinkSync(database, join(folder, 'link.png'));
symlinkSync('data', join(folder, 'other-name'));

const commands = [`design preview ${email} --out`, 'export --force --out', 'backup --force'];

describe.each(commands)('%s', (command) => {
  test.each([
    ...['data/waymark.db', 'data/waymark.db-wal', 'link.png', 'other-name/waymark.db'],
    'data/server.lock',
  ])('refuses %s, which is the database or its lock', async (file) => {
    const before = readFileSync(database);
    const { exitCode, stdout, stderr } = await waymark(`${command} ${file}`);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `waymark: ${command.startsWith('backup') ? join(folder, file) : file} is the database itself, or what its server holds it by. Name another file.\n`,
    );
    expect(readFileSync(database).equals(before)).toBe(true);
  });

  test('refuses what is no file, and leaves it there', async () => {
    mkdirSync(join(folder, 'pictures'), { recursive: true });
    for (const file of ['pictures', '/dev/null']) {
      const { exitCode, stderr } = await waymark(`${command} ${file}`);
      expect(exitCode).toBe(1);
      expect(stderr).toContain('is not a file. Name a file.');
    }
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
  });
});

describe('design preview', () => {
  const preview = (file: string) => waymark(`design preview ${email} --size 200 --out ${file}`);

  test('takes the place of an earlier one, or of an empty file', async () => {
    await Bun.write(join(folder, 'empty.png'), '');
    for (const file of ['empty.png', 'empty.png', 'new.png']) {
      expect((await preview(file)).exitCode).toBe(0);
      expect([...readFileSync(join(folder, file)).subarray(0, 8)]).toEqual([...pngSignature]);
    }
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
  });

  test('does not replace what is no picture', async () => {
    const logo = '<svg xmlns="http://www.w3.org/2000/svg"/>';
    await Bun.write(join(folder, 'logo.svg'), logo);
    const { exitCode, stderr } = await preview('logo.svg');
    expect(exitCode).toBe(1);
    expect(stderr).toBe('waymark: logo.svg exists already and is not a PNG. Name another file.\n');
    expect(readFileSync(join(folder, 'logo.svg'), 'utf8')).toBe(logo);
  });
});

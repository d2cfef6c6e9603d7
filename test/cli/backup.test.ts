import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { programCommand, programEnv, runCommand } from '../support/program.ts';
import { createCommands } from './folder.ts';

const { folder, waymark, json } = createCommands();
const backups = join(folder, 'backups');
await json('account create alice@example.org');
const others = [
  ...['today.db', 'waymark.db', 'waymark-2020-01-01T00-00-00.000Z.db.gz'],
  // Times that never are.
  ...['waymark-2020-13-45T99-99-99.999Z.db', 'waymark-2020-02-31T00-00-00.000Z.db'],
];

const datedIn = (path: string) =>
  readdirSync(path)
    .filter((name) => !others.includes(name))
    .sort();
const dated = () => datedIn(backups);

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
  expect(first).toMatchObject({ accounts: 1, removed: [] });
  expect(dated()).toEqual([...old, expect.stringMatching(/^waymark-20/), future]);
  expect(await json(`backup --keep 3 ${backups}`)).toMatchObject({ removed: [old[0]] });
  // What cannot be read takes no place of what can.
  const cut = `waymark-${new Date().toISOString().replaceAll(':', '-')}.db`;
  for (const name of [cut, old[0] ?? '']) writeFileSync(join(backups, name), 'cut off');
  expect(await json(`backup --keep 3 ${backups}`)).toMatchObject({ removed: [...old, cut] });
  await json(`backup --keep 1 ${backups}`);
  const [last = '', ...rest] = dated();
  expect(rest).toEqual([future]);
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

test.each(['restore', 'verify'])(
  '%s refuses a long file of another kind before it copies it',
  async (verb) => {
    const file = join(folder, 'archive.zip');
    writeFileSync(file, 'PK');
    truncateSync(file, 8 * 1024 * 1024);
    // No file may become longer than 2 MiB.
    const limited = ['bash', '-c', 'ulimit -f 2048; exec "$@"', 'bash', ...programCommand()];
    const env = programEnv({ WAYMARK_DATA: join(folder, 'nothing') });
    const { exitCode, stderr } = await runCommand([...limited, verb, file], { cwd: folder, env });
    expect(stderr).toContain(
      'is damaged, or not a database that Waymark made (file is not a database)',
    );
    expect(exitCode).toBe(1);
  },
);

test('deleted accounts are not counted, whatever their codes do', async () => {
  const data = join(folder, 'deletions');
  const run = (line: string) => json(`${line} --data ${data}`);
  await run('account create stays@example.org');
  for (const codes of ['keep', 'stop', 'to:stays@example.org']) {
    await run('account create leaves@example.org --plan-until 2999-01-01');
    await run('code create https://example.com/ --account leaves@example.org');
    await run(`account delete leaves@example.org --codes ${codes} --yes`);
    const file = join(folder, `${codes.replaceAll(':', '-')}.db`);
    for (const command of [`backup ${file}`, `verify ${file}`, `repair --to ${file}.repaired`])
      expect(await run(command)).toMatchObject({ accounts: 1 });
    expect(await json(`restore ${file} --data ${file}.restored`)).toMatchObject({ accounts: 1 });
  }
});

test('--keep needs a folder and a number', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  for (const line of [`--keep 3 ${file}`, `--keep none ${backups}`, `--keep 0 ${backups}`])
    expect((await waymark(`backup ${line}`)).exitCode).toBe(2);
});

describe('a backup of a wrong clock', () => {
  const { folder: own, waymark: run, json: read } = createCommands();
  const into = join(own, 'backups');
  const files = () => datedIn(into);
  const restored = async () =>
    (await run(`restore ${into} --data ${join(own, 'new', crypto.randomUUID())}`)).stdout;

  test('is never the newest, by the time in its name or inside, and takes no place', async () => {
    await read('account create alice@example.org');
    mkdirSync(into);
    await read(`backup --keep 2 ${into}`);
    const [first = ''] = files();
    // Its name says when it was made.
    const future = 'waymark-2999-01-01T03-15-00.000Z.db';
    copyFileSync(join(into, first), join(into, future));
    expect(await restored()).toContain(`Restored ${join(into, first)} `);
    await read(`backup --keep 2 ${into}`);
    expect(files()).toEqual([first, expect.any(String), future]);
    await read(`backup --keep 2 ${into}`);
    expect(files()).toEqual([expect.not.stringContaining(first), expect.any(String), future]);

    // Its content says so, whatever its name is.
    const [, newest = ''] = files();
    const renamed = join(into, newest.replace(/\d{3}Z/, '999Z'));
    copyFileSync(join(into, newest), renamed);
    const database = new Database(renamed);
    database.run('UPDATE last_backup SET finished_at = ?', [Date.now() + 86_400_000]);
    database.close();
    expect(await restored()).toContain(`Restored ${join(into, newest)} `);
    rmSync(renamed);
  });

  test('is named by the list, which also says what restore takes', async () => {
    const [, newest = '', future = ''] = files();
    writeFileSync(join(into, 'waymark-2020-01-02T03-15-00.000Z.db'), 'not a database');
    for (const name of others) writeFileSync(join(into, name), 'not ours');
    mkdirSync(join(into, 'waymark-2020-01-03T03-15-00.000Z.db'));
    expect(await read(`backups ${into}`)).toEqual([
      expect.objectContaining({
        file: join(into, future),
        time: '2999-01-01T03:15:00.000Z',
        codes: 0,
        newest: false,
        problem: expect.stringContaining('wrong clock'),
      }),
      {
        file: join(into, newest),
        time: expect.any(String),
        age_seconds: expect.any(Number),
        bytes: statSync(join(into, newest)).size,
        codes: 0,
        newest: true,
        problem: null,
      },
      expect.objectContaining({ newest: false, problem: null }),
      expect.objectContaining({ codes: null, problem: expect.stringContaining('cannot be read') }),
    ]);
    rmSync(join(into, 'waymark-2020-01-03T03-15-00.000Z.db'), { recursive: true });
    const env = { WAYMARK_BACKUP_DIR: into };
    expect((await run('backups', { env })).stdout).toMatch(
      new RegExp(`\\d minutes? .*${newest} +← restore takes this one\n`),
    );
    expect(await run('backups')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('WAYMARK_BACKUP_DIR'),
    });
  });

  test('is taken where a newer one cannot be read, which is said', async () => {
    const [, newest = ''] = files().filter((name) => !name.includes('2020'));
    const [, date = '', hours = '', rest = ''] = /-(.*T)(\d\d)-(\d\d-.*)\.db/.exec(newest) ?? [];
    const atMs = Date.parse(`${date}${hours}:${rest.replace('-', ':')}`);
    // One of the future is of a wrong clock.
    const next = new Date(atMs + 1).toISOString().replaceAll(':', '-');
    const cut = join(into, `waymark-${next}.db`);
    writeFileSync(cut, 'cut off');
    const listed = (await read(`backups ${into}`)) as readonly Record<string, unknown>[];
    expect(listed.find((backup) => backup['newest'])).toMatchObject({ file: join(into, newest) });
    const restore = await run(`restore ${into} --data ${join(own, 'new', 'cut')}`);
    expect(restore.stdout).toContain(`Restored ${join(into, newest)} `);
    expect(restore.stderr).toContain(`${cut} is newer, but cannot be read`);
    expect(await run(`verify ${into}`)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(cut),
    });
    for (const name of files()) if (!name.includes('2999')) writeFileSync(join(into, name), '');
    expect(await run(`restore ${into} --data ${join(own, 'none')}`)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('can be read'),
    });
  });

  test('is not there for "verify", which ends with 1', async () => {
    const empty = join(own, 'empty');
    mkdirSync(empty);
    expect(await run(`verify ${empty}`)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('has no backup'),
    });
    expect((await run(`verify ${into}`)).exitCode).toBe(1);
  });

  test('is refused where there is no other', async () => {
    for (const name of files()) if (!name.includes('2999')) rmSync(join(into, name));
    expect(await run(`restore ${into} --data ${join(own, 'none')}`)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Set the clock, or name a file'),
    });
  });
});

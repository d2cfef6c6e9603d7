import { expect, jest, test } from 'bun:test';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkAddress, checkServer } from '../../src/cli/doctor/network.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { isCompleteRun } from '../support/sample.ts';
import { createCommands } from './folder.ts';

test.each([
  ['https://qr.example.com/q', 'ok', 'https://qr.example.com/q'],
  ['http://qr.example.com', 'warning', 'without https'],
  ['https://qr.example.com:8443', 'warning', 'port 8443'],
  ['https://203.0.113.7', 'warning', 'IP address'],
  ['https://[2001:db8::1]', 'warning', 'IP address'],
  ['http://localhost:3000', 'warning', 'only this machine'],
  ['http://127.8.9.10', 'warning', 'only this machine'],
  ['http://[::1]:3000', 'warning', 'only this machine'],
  ['http://192.168.1.20:3000', 'warning', 'local network'],
  ['http://172.31.255.255', 'warning', 'local network'],
  ['http://172.32.0.1', 'warning', 'without https'],
  ['http://[fd00::1]', 'warning', 'local network'],
  ['http://printer.local', 'warning', 'local network'],
  ['http://server', 'warning', 'local network'],
])('short links at %s: %s, %s', (shortUrl, status, message) => {
  const check = checkAddress({ shortUrl });
  expect([check.status, check.message]).toEqual([
    status as typeof check.status,
    expect.stringContaining(message),
  ]);
});

test('a server that does not answer is told, and one that does not run is not', async () => {
  const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
  const address = { host: '127.0.0.1', port: silent.port };
  jest.useFakeTimers();
  try {
    const checks = checkServer(address);
    jest.advanceTimersByTime(10_000);
    expect(await checks).toMatchObject([
      { status: 'broken', message: expect.stringContaining("doesn't respond: No answer within") },
    ]);
  } finally {
    jest.useRealTimers();
  }
  silent.stop(true);
  expect(await checkServer(address)).toEqual([]);
});

const { waymark } = createCommands();

test.skipIf(process.platform === 'win32').each([
  ['below a file', (path: string) => writeFileSync(path, ''), 'not a folder'],
  ['below a link to itself', (path: string) => symlinkSync(path, path), 'symbolic links'],
  ['a link that leads nowhere', (path: string) => symlinkSync('/nowhere', path), 'leads nowhere'],
  ['a file', (path: string) => writeFileSync(path, ''), 'a file, not a folder'],
])('a data folder that is %s is told, and every other check follows', async (kind, make, text) => {
  const path = join(mkdtempSync(join(tmpdir(), 'waymark-doctor-')), 'above');
  make(path);
  const data = kind.startsWith('below') ? join(path, 'data') : path;
  const { exitCode, stdout } = await waymark(`doctor --json --data ${data}`);
  const checks: { name: string; status: string; message: string }[] = JSON.parse(stdout).checks;
  expect(exitCode).toBe(1);
  expect(checks.find(({ name }) => name === 'data folder')).toMatchObject({
    status: 'broken',
    message: expect.stringContaining(text),
  });
  expect(checks.find(({ name }) => name === 'renderer')?.status).toBe('ok');
});

test.skipIf(!hasPostgres || !isCompleteRun)('PostgreSQL that is away or new is told', async () => {
  const postgres = await startPostgres();
  const check = async (url: string, name: string): Promise<unknown> => {
    const env = { WAYMARK_DATABASE_URL: url };
    const { stdout, stderr } = await waymark('doctor --json', { env });
    expect(stdout + stderr).not.toContain('secret');
    return JSON.parse(stdout).checks.find((one: { name: string }) => one.name === name);
  };
  const url = await postgres.createDatabase();
  expect(await check(url, 'database')).toMatchObject({ status: 'ok' });
  await waymark('account create anna@example.com', { env: { WAYMARK_DATABASE_URL: url } });
  expect(await check(url, 'database')).toMatchObject({ status: 'ok' });
  await postgres.close();
  expect(await check(url, 'database')).toMatchObject({
    status: 'broken',
    message: expect.stringContaining('Check that PostgreSQL runs'),
  });
});

test('a folder for backups without one of the last two days is broken', async () => {
  const own = createCommands();
  const backups = join(own.folder, 'backups');
  mkdirSync(backups);
  const day = 86_400_000;
  const exitCodeWith = async (dir: string | undefined) => {
    const { exitCode, stdout } = await own.waymark('doctor --json', {
      env: { WAYMARK_BACKUP_DIR: dir },
    });
    const checks: readonly { name: string; status: string }[] = JSON.parse(stdout).checks;
    return [exitCode, checks.find(({ name }) => name === 'backups')?.status];
  };
  await own.json('account create anna@example.com');
  expect(await exitCodeWith(backups)).toEqual([0, 'ok']);
  await own.rows(`UPDATE accounts SET created_at = ${Date.now() - 3 * day}`);
  expect(await exitCodeWith(backups)).toEqual([1, 'broken']);
  expect(await exitCodeWith(join(own.folder, 'missing'))).toEqual([1, 'broken']);
  expect(await exitCodeWith('off')).toEqual([0, undefined]);
  expect(await exitCodeWith(undefined)).toEqual([0, undefined]);
  await own.json(`backup --keep 3 ${backups}`);
  expect(await exitCodeWith(backups)).toEqual([0, 'ok']);

  // One that is old, cannot be read, or is of a wrong clock is not enough.
  await own.rows(`UPDATE last_backup SET finished_at = ${Date.now() + 9 * day}`);
  const [name = ''] = readdirSync(backups);
  for (const days of [-3, 3]) {
    const time = new Date(Date.now() + days * day).toISOString().replaceAll(':', '-');
    renameSync(join(backups, readdirSync(backups)[0] ?? name), join(backups, `waymark-${time}.db`));
    expect(await exitCodeWith(backups)).toEqual([1, 'broken']);
  }
  const now = new Date().toISOString().replaceAll(':', '-');
  writeFileSync(join(backups, `waymark-${now}.db`), 'cut off');
  expect(await exitCodeWith(backups)).toEqual([1, 'broken']);
});

import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { databasePath } from '../../src/redirect/sqlite/files.ts';
import { createApi } from '../support/api.ts';
import { runProgram } from '../support/program.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { createLaunches } from './launch.ts';
import { seed } from './seeded.ts';

const { newPath, launch, serve } = createLaunches();
const seeded = await seed(newPath(), 1);
const code = seeded.codes[0]?.code ?? '';

/** A program that is killed during a write to a database without a write-ahead log. */
const endsInAWrite = `
  const { Database } = require('bun:sqlite');
  const database = new Database(process.argv.at(-1));
  database.run('PRAGMA journal_mode = DELETE');
  database.run('PRAGMA cache_size = 1');
  database.run('BEGIN');
  database.run('CREATE TABLE half_done (words TEXT)');
  const add = database.query('INSERT INTO half_done VALUES (?)');
  for (let row = 0; row < 200; row++) add.run('x'.repeat(4000));
  process.kill(process.pid, 'SIGKILL');
`;

test('a write that was interrupted without a write-ahead log is rolled back by the next start', async () => {
  const folder = seeded.copyTo(newPath());
  const path = join(folder, 'waymark.db');
  const cutOff = Bun.spawn([process.execPath, '-e', endsInAWrite, path], { stderr: 'inherit' });
  await cutOff.exited;
  expect(cutOff.signalCode).toBe('SIGKILL');
  expect(existsSync(`${path}-journal`)).toBe(true);

  const server = await serve(folder);
  expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
  await server.stop();
  const database = new Database(path, { readonly: true });
  const half = database.query("SELECT 1 FROM sqlite_schema WHERE name = 'half_done'").get();
  database.close();
  expect(half).toBeNull();
});

/** A program that begins to read a database, says so, and goes on until its input ends. */
const readsForLong = `
  const { Database } = require('bun:sqlite');
  const database = new Database(process.argv.at(-1), { readonly: true });
  database.run('BEGIN');
  database.query('SELECT count(*) FROM sqlite_schema').get();
  console.log('reading');
  process.stdin.on('end', () => process.exit()).resume();
`;

test.skipIf(process.platform !== 'linux').each(['waymark.db', 'hits.db'])(
  'a program that reads %s for long, so that its log grows, is named by the health check',
  async (name) => {
    const folder = seeded.copyTo(newPath());
    const server = await serve(folder);
    const warnings = async (): Promise<string> =>
      (await (await fetch(`${server.origin}/healthz`)).json()).warnings.join();
    expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
    const path = join(folder, name);
    const reader = Bun.spawn([process.execPath, '-e', readsForLong, path], {
      stdin: 'pipe',
      stdout: 'pipe',
    });
    await reader.stdout.getReader().read();
    const writer = new Database(path);
    writer.run('PRAGMA busy_timeout = 10000');
    writer.run('PRAGMA synchronous = OFF');
    writer.run('CREATE TABLE added (bytes BLOB)');
    const add = writer.query('INSERT INTO added VALUES (randomblob(1000000))');
    for (let megabytes = 0; megabytes < 20; megabytes++) add.run();
    expect(await warnings()).not.toContain('-wal');
    for (let megabytes = 0; megabytes < 20; megabytes++) add.run();
    const pattern = new RegExp(`${name}-wal has \\d+ MB .*\\(process ${reader.pid}\\)`);
    expect(await warnings()).toMatch(pattern);
    const metrics = await visit(`${server.origin}/metrics`);
    expect(metrics.body).toContain(
      'waymark_health{condition="write_ahead_log_large",severity="warning"} 1',
    );
    reader.stdin.end();
    await reader.exited;
    add.run();
    await until(async () => !(await warnings()).includes('-wal'));
    writer.run('DROP TABLE added');
    writer.close();
    await server.stop();
  },
);

test('a write-ahead log without its database is kept by a refused start, and applied when the database is back', async () => {
  const folder = seeded.copyTo(newPath());
  const running = await serve(folder);
  expect((await visit(`${running.origin}/${code}`)).status).toBe(302);
  running.signal('SIGKILL');
  await running.ended;
  const path = join(folder, 'waymark.db');
  expect(existsSync(`${path}-wal`)).toBe(true);
  renameSync(path, `${path}.elsewhere`);

  const refused = launch(folder);
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toContain('waymark.db is missing, but');
  expect(existsSync(path)).toBe(false);

  renameSync(`${path}.elsewhere`, path);
  const again = await serve(folder);
  const { scans } = await createApi(again.origin, seeded.key).read(code);
  expect(scans).toBe(seeded.scans + 1);
  await again.stop();
});

/** Starts a server on a copy of the folder. */
async function start() {
  const folder = seeded.copyTo(newPath());
  const server = await serve(folder);
  const health = async () => {
    const response = await fetch(`${server.origin}/healthz`);
    return [response.status, await response.text()];
  };
  // The app takes its time on a busy machine.
  await until(async () => (await health())[0] === 200);
  const scan = async () => expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
  return { folder, server, health, scan };
}

test.skipIf(process.platform === 'win32')(
  'health reports a file that is moved, replaced or deleted, until it is back',
  async () => {
    const { folder, server, health, scan } = await start();
    for (const name of [
      ...['waymark.db', 'waymark.db-wal', 'waymark.db-shm', 'server.lock'],
      ...['hits.db', 'hits.db-wal', 'hits.db-shm'],
    ]) {
      const [path, aside] = [join(folder, name), `${folder}-aside`];
      const reported = [503, expect.stringContaining(`${name} was moved, deleted or replaced`)];

      renameSync(path, aside);
      expect(await health()).toEqual(reported);
      await scan();
      copyFileSync(aside, path);
      expect(await health()).toEqual(reported);
      rmSync(path);
      expect(await health()).toEqual(reported);
      renameSync(aside, path);
      expect([name, (await health())[0]]).toEqual([name, 200]);
    }
    await server.stop();
  },
);

test.skipIf(process.platform === 'win32').each([
  ['removed', (path: string, aside: string) => renameSync(path, aside)],
  ['replaced', replaceFile],
] as const)(
  'a database that is %s under the server: creates and edits are rejected, redirects go on',
  async (_, damage) => {
    const { folder, server, scan } = await start();
    const [path, aside] = [databasePath(folder), `${folder}-aside`];
    damage(path, aside);

    const write = (method: 'POST' | 'PATCH', path: string) =>
      fetch(`${server.origin}/api/v1${path}`, {
        method,
        headers: { Authorization: `Bearer ${seeded.key}`, 'Content-Type': 'application/json' },
        body: '{"url":"https://example.org/lost"}',
      });
    for (const response of [await write('POST', '/qrs'), await write('PATCH', `/qrs/${code}`)])
      expect([response.status, await response.json()]).toEqual([
        503,
        { error: { code: 'unavailable', message: expect.stringContaining('Nothing was changed') } },
      ]);
    const signIn = await fetch(`${server.origin}/account/sign-in`, { method: 'POST' });
    expect(signIn.status).toBe(503);
    expect(await signIn.text()).toContain('Changes are not possible');
    await scan();
    expect((await createApi(server.origin, seeded.key).read(code)).code).toBe(code);
    const metrics = await (await fetch(`${server.origin}/metrics`)).text();
    expect(metrics).toContain(
      'waymark_health{condition="database_files_replaced",severity="problem"} 1\n',
    );
    const env = { WAYMARK_DATA: folder, WAYMARK_PORT: new URL(server.origin).port };
    const doctor = await runProgram(['doctor'], { cwd: dirname(folder), env });
    expect(doctor.stdout).toMatch(/BROKEN {3}server: waymark\.db was moved, deleted or replaced/);
    expect(doctor.exitCode).toBe(1);
    expect(server.output().match(/ error waymark\.db was moved/g)).toHaveLength(1);

    renameSync(aside, path);
    await until(async () => (await fetch(`${server.origin}/healthz`)).ok);
    expect((await write('POST', '/qrs')).status).toBe(201);
    await server.stop();
  },
);

function replaceFile(path: string, aside: string): void {
  renameSync(path, aside);
  copyFileSync(aside, path);
}

test.skipIf(process.platform === 'win32')(
  'a stop saves all scans although the write-ahead log was deleted',
  async () => {
    const { folder, server, scan } = await start();
    rmSync(`${databasePath(folder)}-wal`);
    await scan();
    await server.stop();
    const next = await serve(folder);
    const { scans } = await createApi(next.origin, seeded.key).read(code);
    expect(scans).toBe(seeded.scans + 1);
    await next.stop();
  },
);

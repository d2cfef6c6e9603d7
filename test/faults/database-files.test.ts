import { Database } from 'bun:sqlite';
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { databasePath } from '../../src/sqlite/database/files.ts';
import { createApi } from '../support/api.ts';
import { visit } from '../support/visit.ts';
import { createLaunches } from './launch.ts';
import { seed } from './seeded.ts';

setDefaultTimeout(120_000);

const { newPath, launch } = createLaunches();
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

describe('a write that was interrupted without a write-ahead log', () => {
  test('is rolled back by the next start', async () => {
    const folder = seeded.copyTo(newPath());
    const path = join(folder, 'waymark.db');
    const cutOff = Bun.spawn([process.execPath, '-e', endsInAWrite, path], { stderr: 'inherit' });
    await cutOff.exited;
    expect(cutOff.signalCode).toBe('SIGKILL');
    expect(existsSync(`${path}-journal`)).toBe(true);

    const server = launch(folder);
    expect(await server.listening).toBe(true);
    expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
    const database = new Database(path, { readonly: true });
    const half = database.query("SELECT 1 FROM sqlite_schema WHERE name = 'half_done'").get();
    database.close();
    expect(half).toBeNull();
  });
});

describe('a write-ahead log without its database', () => {
  test('is kept by a refused start, and applied when the database is back', async () => {
    const folder = seeded.copyTo(newPath());
    const running = launch(folder);
    expect(await running.listening).toBe(true);
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
    const again = launch(folder);
    expect(await again.listening).toBe(true);
    const { scans } = await createApi(again.origin, seeded.key).read(code);
    expect(scans).toBe(seeded.scans + 1);
    again.signal('SIGTERM');
    expect(await again.ended).toBe(0);
  });
});

/** Starts a server on a copy of the folder. */
async function start() {
  const folder = seeded.copyTo(newPath());
  const server = launch(folder);
  expect(await server.listening).toBe(true);
  const health = async () => {
    const response = await fetch(`${server.origin}/healthz`);
    return [response.status, await response.text()];
  };
  expect((await health())[0]).toBe(200);
  const scan = async () => expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
  return { folder, server, health, scan };
}

test
  .skipIf(process.platform === 'win32')
  .each(['waymark.db', 'waymark.db-wal', 'waymark.db-shm', 'server.lock'])(
  '%s moved, replaced or deleted: health reports it until it is back',
  async (name) => {
    const { folder, server, health, scan } = await start();
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
    expect((await health())[0]).toBe(200);
    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
  },
);

test.skipIf(process.platform === 'win32')(
  'a stop saves all scans although the write-ahead log was deleted',
  async () => {
    const { folder, server, scan } = await start();
    rmSync(`${databasePath(folder)}-wal`);
    await scan();
    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
    const next = launch(folder);
    expect(await next.listening).toBe(true);
    const { scans } = await createApi(next.origin, seeded.key).read(code);
    expect(scans).toBe(seeded.scans + 1);
    next.signal('SIGTERM');
    expect(await next.ended).toBe(0);
  },
);

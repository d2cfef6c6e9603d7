import { Database } from 'bun:sqlite';
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { createApi } from '../support/api.ts';
import { visit } from '../support/visit.ts';
import { createLaunches } from './launch.ts';
import { seed } from './seeded.ts';

setDefaultTimeout(120_000);

const { newPath, launch } = createLaunches();
const seeded = await seed(newPath(), 1);
const code = seeded.codes[0]?.code ?? '';

/** A program that ends in the middle of a write to a database that has no write-ahead log. */
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

describe('a database whose last write was cut off while it had no log', () => {
  test('is what it was before that write, for a command and for a server', async () => {
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

describe('a log beside which there is no database', () => {
  test('is not deleted by a start, and its writes are there once the database is back', async () => {
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

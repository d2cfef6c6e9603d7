import { expect, setDefaultTimeout, test } from 'bun:test';
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { databasePath } from '../../src/sqlite/database/open.ts';
import { createApi } from '../support/api.ts';
import { visit } from '../support/visit.ts';
import { createLaunches } from './launch.ts';
import { seed } from './seeded.ts';

setDefaultTimeout(120_000);

const { newPath, launch } = createLaunches();
const seeded = await seed(newPath(), 1);
const code = seeded.codes[0]?.code ?? '';

/** A server on a copy of the folder, how it says that it is, and what a phone is answered. */
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

test.skipIf(process.platform === 'win32')(
  'a database that is moved or replaced under the server: redirects go on, health says so until it is back',
  async () => {
    const { folder, server, health, scan } = await start();
    const path = databasePath(folder);
    const aside = `${folder}-aside`;
    const noticed = [503, expect.stringContaining('the database was moved, removed or replaced')];

    renameSync(path, aside);
    expect(await health()).toEqual(noticed);
    await scan();
    // What a copy of an earlier state over the folder comes to.
    copyFileSync(aside, path);
    expect(await health()).toEqual(noticed);
    rmSync(path);
    renameSync(aside, path);
    expect((await health())[0]).toBe(200);

    renameSync(folder, aside);
    expect(await health()).toEqual(noticed);
    renameSync(aside, folder);
    expect((await health())[0]).toBe(200);
    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
  },
);

test.skipIf(process.platform === 'win32').each([
  ['waymark.db-wal', 'a crash now would lose what was written last'],
  ['waymark.db-shm', 'a command that writes now can damage the database'],
  ['server.lock', 'a second server could start beside this one'],
])(
  '%s moved, replaced or removed under the server: health says what may follow, and a stop saves everything',
  async (name, words) => {
    const { folder, server, health, scan } = await start();
    const [path, aside] = [join(folder, name), `${folder}-aside`];
    const noticed = [503, expect.stringContaining(`${name} was moved, removed or replaced`)];

    renameSync(path, aside);
    expect(await health()).toEqual(noticed);
    renameSync(aside, path);
    expect((await health())[0]).toBe(200);
    // As a copy of an earlier state does, and as who takes it for a left-over.
    copyFileSync(path, aside);
    renameSync(aside, path);
    expect(await health()).toEqual([503, expect.stringContaining(words)]);
    rmSync(path);
    expect(await health()).toEqual(noticed);

    await scan();
    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(existsSync(`${databasePath(folder)}-wal`)).toBe(false);
    const next = launch(folder);
    expect(await next.listening).toBe(true);
    const { scans } = await createApi(next.origin, seeded.key).read(code);
    expect(scans).toBe(seeded.scans + 1);
    expect((await fetch(`${next.origin}/healthz`)).status).toBe(200);
    next.signal('SIGTERM');
    expect(await next.ended).toBe(0);
  },
);

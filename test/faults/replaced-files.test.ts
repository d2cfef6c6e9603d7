import { expect, setDefaultTimeout, test } from 'bun:test';
import { copyFileSync, renameSync, rmSync } from 'node:fs';
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

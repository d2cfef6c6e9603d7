import { expect, setDefaultTimeout, test } from 'bun:test';
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { databasePath } from '../../src/sqlite/open.ts';
import { visit } from '../support/visit.ts';
import { makeLaunches } from './launch.ts';
import { seed } from './seeded.ts';

setDefaultTimeout(120_000);

const { newPath, launch } = makeLaunches();
const seeded = await seed(newPath(), 1);
const code = seeded.codes[0]?.code ?? '';

test.skipIf(process.platform === 'win32')(
  'a database that is moved or replaced under the server: redirects go on, health says so until it is back',
  async () => {
    const folder = seeded.copyTo(newPath());
    const path = databasePath(folder);
    const aside = `${folder}-aside`;
    const server = launch(folder);
    expect(await server.listening).toBe(true);
    const health = async () => {
      const response = await fetch(`${server.origin}/healthz`);
      return [response.status, await response.text()];
    };
    const noticed = [503, expect.stringContaining('moved, removed or replaced')];
    expect((await health())[0]).toBe(200);

    renameSync(path, aside);
    expect(await health()).toEqual(noticed);
    expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
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

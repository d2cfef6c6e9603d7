import { expect, test } from 'bun:test';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { hasPostgres, sharedPostgres } from '../support/postgres.ts';
import { visit } from '../support/visit.ts';
import { createLaunches } from './launch.ts';
import { seed } from './seeded.ts';

const { newPath, launch, serve } = createLaunches();
const seeded = await seed(newPath(), 1);
const code = seeded.codes[0]?.code ?? '';

test('a second server on a data folder is rejected, also through a link, until the first ends', async () => {
  const folder = seeded.copyTo(newPath());
  const link = newPath();
  symlinkSync(folder, link);
  const first = await serve(folder);
  for (const path of [folder, link]) {
    const second = launch(path);
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(
      /^waymark: Another Waymark server is already running[^\n]*\n$/m,
    );
    expect((await visit(`${first.origin}/${code}`)).status).toBe(302);
  }
  first.signal('SIGKILL');
  await first.ended;

  const next = await serve(link);
  expect((await visit(`${next.origin}/${code}`)).status).toBe(302);
});

test('of several servers that start together, one runs', async () => {
  const folder = newPath();
  const servers = Array.from({ length: 4 }, () => launch(folder));
  const listening = await Promise.all(servers.map((server) => server.listening));
  expect(listening.filter(Boolean)).toHaveLength(1);
});

test.skipIf(!hasPostgres)('copies on PostgreSQL may share a data folder', async () => {
  const folder = newPath();
  mkdirSync(folder);
  const url = await (await sharedPostgres()).createDatabase();
  const options = { env: { WAYMARK_DATABASE_URL: url } };
  const first = await serve(folder, options);
  const second = await serve(folder, options);
  await second.stop();
  // More than the connections that are open already.
  const pages = Array.from({ length: 20 }, () => visit(`${first.origin}/account/sign-in`));
  expect((await Promise.all(pages)).map(({ status }) => status)).toEqual(pages.map(() => 200));
  await first.stop();
  // The first had the file of the scans that PostgreSQL has not taken; none waits.
  expect(readdirSync(folder)).not.toContain('waymark.db');
});

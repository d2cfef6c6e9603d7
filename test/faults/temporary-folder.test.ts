import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { createApi } from '../support/api.ts';
import { runProgram } from '../support/program.ts';
import { visit } from '../support/visit.ts';
import { createLaunches } from './launch.ts';
import { canMount, createMounts } from './mounts.ts';
import { seed } from './seeded.ts';

// An executable unpacks its native rasterizer into the folder for temporary files. From source
// nothing is unpacked, and these pass for that reason.

setDefaultTimeout(120_000);

const { newPath, launch } = createLaunches();
const { mountWith } = createMounts();
const seeded = await seed(newPath(), 1);
const code = seeded.codes[0]?.code ?? '';
const usual = await images({});

/** Starts with an environment, creates a code, and takes the images of one from before. */
async function images(env: Record<string, string | undefined>) {
  const server = launch(seeded.copyTo(newPath()), { env });
  expect(await server.listening).toBe(true);
  const api = createApi(server.origin, seeded.key);
  await api.create('https://example.org/new');
  const [png, svg] = [
    await api.call(`GET /qrs/${code}.png`),
    await api.call(`GET /qrs/${code}.svg`),
  ];
  expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
  server.signal('SIGTERM');
  expect(await server.ended).toBe(0);
  return [png, svg].map(({ status, bytes }) => `${status} ${bytes.length} ${Bun.hash(bytes)}`);
}

test('a folder that is not there: codes are made, and images are the same to the byte', async () => {
  expect(await images({ TMPDIR: join(newPath(), 'missing') })).toEqual(usual);
});

test.skipIf(!canMount).each([
  ['read-only', 'ro'],
  ['of which no program may be loaded', 'noexec'],
  ['full', 'size=64k'],
])('a folder that is %s: the same', async (_, options) => {
  expect(await images({ TMPDIR: mountWith(options) })).toEqual(usual);
});

test('what an earlier start unpacked was cut off since: the same', async () => {
  const folder = newPath();
  mkdirSync(folder);
  expect(await images({ TMPDIR: folder })).toEqual(usual);
  for (const name of readdirSync(folder)) truncateSync(join(folder, name), 100_000);
  expect(await images({ TMPDIR: folder })).toEqual(usual);
});

test('no home, no locale, no fonts: the same', async () => {
  const bare = { HOME: undefined, LANG: 'C', LC_ALL: undefined, USER: undefined, PATH: '/usr/bin' };
  expect(await images({ ...bare, FONTCONFIG_PATH: '/nowhere' })).toEqual(usual);
});

test('verify draws with the other rasterizer what this one drew', async () => {
  const { exitCode, stdout } = await runProgram(['verify', '--all'], {
    cwd: seeded.copyTo(newPath()),
    env: { WAYMARK_DATA: seeded.copyTo(newPath()), TMPDIR: '/nowhere' },
  });
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('all are as printed')]);
});

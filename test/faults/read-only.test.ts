import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { visit } from '../support/visit.ts';
import { createLaunches, type LaunchOptions } from './launch.ts';
import { canMount, createMounts } from './mounts.ts';
import { seed } from './seeded.ts';

const { newPath, launch, serve } = createLaunches();
const { mountWith } = createMounts();
const seeded = await seed(newPath(), 2);

const isRoot = process.getuid?.() === 0;
const canDropRoot = isRoot && Bun.which('setpriv') !== null;
const nobody = 65_534;
const asNobody: LaunchOptions = {
  through: ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'],
};

/** Returns names, modes and sizes of the files in a folder. */
function filesOf(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const { mode, size } = statSync(join(folder, name));
      return `${name} ${(mode & 0o777).toString(8)} ${size}`;
    });
}

/** A data folder that cannot be written, and how to start a server on it. */
type Place = () => { folder: string; path: string; options?: LaunchOptions };

const readOnlyMount: Place = () => {
  const mount = mountWith('size=4m');
  const folder = seeded.settledCopyTo(join(mount, 'data'));
  spawnSync('mount', ['-o', 'remount,ro', mount]);
  return { folder, path: folder };
};

const readOnlyFile: Place = () => {
  const folder = seeded.settledCopyTo(newPath());
  const path = join(folder, 'waymark.db');
  chmodSync(dirname(folder), 0o755);
  spawnSync('chown', ['-R', `${nobody}:${nobody}`, folder]);
  chmodSync(path, 0o444);
  return { folder, path, options: asNobody };
};

const readOnlyFolder: Place = () => {
  const { folder, options } = readOnlyFile();
  chmodSync(join(folder, 'waymark.db'), 0o600);
  chmodSync(folder, 0o555);
  return { folder, path: folder, ...(options && { options }) };
};

describe.each([
  ['file system', canMount, readOnlyMount],
  ['database file', canDropRoot, readOnlyFile],
  ['data folder', canDropRoot, readOnlyFolder],
] as const)('a read-only %s', (_, isPossible, place) => {
  test.skipIf(!isPossible)('ends the start with the reason and changes nothing', async () => {
    const { folder, path, options } = place();
    const before = filesOf(folder);
    const server = launch(folder, options);
    expect(await server.ended).toBe(1);
    expect(server.output()).toMatch(
      /^waymark: [^\n]+ cannot be written: [^\n]+--redirect-only\.\n$/,
    );
    expect(server.output()).toContain(`waymark: ${path} cannot be written`);
    expect(filesOf(folder)).toEqual(before);
  });

  test.skipIf(!isPossible)('serves redirects when asked, and writes nothing', async () => {
    const { folder, options } = place();
    const before = filesOf(folder);
    const server = await serve(folder, { ...options, env: { WAYMARK_REDIRECT_ONLY: 'on' } });
    for (const { code: printed, destination } of seeded.codes)
      expect((await visit(`${server.origin}/${printed}`)).to).toBe(destination);
    expect((await visit(`${server.origin}/00000000`)).status).toBe(404);
    const health = await fetch(`${server.origin}/healthz`);
    expect(health.status).toBe(503);
    expect(await health.text()).toContain('scans are not counted');
    expect((await fetch(`${server.origin}/healthz/live`)).status).toBe(200);
    const metrics = await (await fetch(`${server.origin}/metrics`)).text();
    expect(metrics).toContain('waymark_health{condition="redirect_only",severity="problem"} 1\n');
    expect(metrics).toContain('waymark_hits_total{kind="scan",counted="no"} 2\n');
    await server.stop();
    expect(filesOf(folder)).toEqual(before);
  });
});

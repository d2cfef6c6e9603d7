import { describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageManager } from '../../package.json';
import { readPage, replaced } from './blocks.ts';

const hasSystemd = Bun.which('systemd-analyze') !== null;

async function analyze(unit: string, ...args: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-unit-'));
  const path = join(folder, 'waymark.service');
  await Bun.write(path, unit);
  const { exitCode, stdout, stderr } = Bun.spawnSync(['systemd-analyze', ...args, path]);
  await rm(folder, { recursive: true });
  return { exitCode, output: `${stdout}${stderr}` };
}

describe.skipIf(!hasSystemd)('the systemd unit', () => {
  test('is valid for systemd', async () => {
    // Only the executable is missing here.
    const unit = replaced(await readPage('deploy/waymark.service'), {
      '/usr/local/bin/waymark': process.execPath,
    });
    expect(await analyze(unit, 'verify', '--man=no')).toEqual({ exitCode: 0, output: '' });
    const wrong = await analyze(replaced(unit, { PrivateTmp: 'PrivateTemp' }), 'verify');
    expect(wrong.output).toContain('PrivateTemp');
  });

  test('is restarted without a limit', async () => {
    const unit = await readPage('deploy/waymark.service');
    expect(unit).toMatch(/^Restart=on-failure$/m);
    expect(unit).toMatch(/^StartLimitIntervalSec=0$/m);
  });

  test('has an exposure below two of ten points', async () => {
    const unit = await readPage('deploy/waymark.service');
    const { exitCode, output } = await analyze(
      unit,
      'security',
      '--offline=true',
      '--threshold=20',
    );
    expect([exitCode, output]).toEqual([0, expect.stringContaining('Overall exposure level')]);
  });
});

test('the image is built with the Bun of the project', async () => {
  const [, version] = packageManager.split('@');
  expect(await readPage('deploy/Containerfile')).toContain(`FROM docker.io/oven/bun:${version} `);
});

import { describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageManager } from '../../package.json';
import { blockOf, readPage, replaced } from './blocks.ts';

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
  expect(await readPage('deploy/Containerfile')).toContain(
    ` docker.io/oven/bun:${version} AS build`,
  );
});

describe('the compose file', () => {
  const compose = async () => Bun.YAML.parse(await readPage('deploy/compose.yaml'));

  test('runs the image as its first lines do, and trusts the network where only Caddy is', async () => {
    expect(await compose()).toMatchObject({
      services: {
        waymark: {
          build: { dockerfile: 'deploy/Containerfile' },
          environment: { WAYMARK_TRUST_PROXY: '172.30.85.0/24' },
          volumes: ['data:/data', 'backups:/backups'],
          read_only: true,
          tmpfs: ['/tmp'],
          cap_drop: ['ALL'],
          security_opt: ['no-new-privileges:true'],
        },
        caddy: { depends_on: { waymark: { condition: 'service_healthy' } } },
      },
      networks: { default: { ipam: { config: [{ subnet: '172.30.85.0/24' }] } } },
      volumes: { data: null, backups: null, certificates: null },
    });
  });

  test('asks for the domain when it is not set', async () => {
    expect(await readPage('deploy/compose.yaml')).toContain(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: of the compose file
      'https://${DOMAIN:?DOMAIN is not set, such as DOMAIN=qr.example.com}',
    );
  });

  test("has the Caddyfile of Caddy's page, with its own names", async () => {
    const withoutComments = (text: string) => text.replaceAll(/^\s*#.*\n/gm, '').trim();
    const page = replaced(await blockOf('docs/caddy.md', 'caddy'), {
      'qr.example.com {': '{$DOMAIN} {',
      '127.0.0.1:3000': 'waymark:3000',
    });
    expect(withoutComments(await readPage('deploy/Caddyfile'))).toBe(withoutComments(page));
  });
});

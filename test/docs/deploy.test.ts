import { describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageManager } from '../../package.json';
import { createUser } from '../../release/packages/files.ts';
import { publishedCompose, withProject } from '../../release/project.ts';
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
  test('trusts exactly the network where only Caddy is', async () => {
    const { services, networks } = Object(Bun.YAML.parse(await readPage('deploy/compose.yaml')));
    const [{ subnet }] = networks.default.ipam.config;
    expect(services.waymark.environment.WAYMARK_TRUST_PROXY).toBe(subnet);
  });

  test('asks for the domain when it is not set', async () => {
    expect(await readPage('deploy/compose.yaml')).toContain(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: of the compose file
      'https://${DOMAIN:?DOMAIN is not set, such as DOMAIN=qr.example.com}',
    );
  });

  test('has the Caddyfile of the page, with its own names', async () => {
    const withoutComments = (text: string) => text.replaceAll(/^\s*#.*\n/gm, '').trim();
    const page = replaced(await blockOf('docs/proxies.md', 'caddy'), {
      'qr.example.com {': '{$DOMAIN} {',
      '127.0.0.1:3000': 'waymark:3000',
    });
    expect(withoutComments(await readPage('deploy/Caddyfile'))).toBe(withoutComments(page));
  });
});

describe('the files of a release', () => {
  const elsewhere = {
    home: 'https://code.example/acme/waymark',
    image: 'registry.example/acme/waymark',
    maintainer: 'Acme <acme@example.org>',
  };

  test.each(['compose.yaml', 'compose.scale.yaml'])(
    '%s takes the published image',
    async (file) => {
      const text = publishedCompose(await readPage(`deploy/${file}`), '1.2.3', elsewhere);
      expect(text).not.toContain('waymark.invalid');
      const { services } = Object(Bun.YAML.parse(text));
      const { build, image } = services.waymark ?? services.first;
      expect(build).toBeUndefined();
      expect(image).toContain('WAYMARK_IMAGE:-registry.example/acme/waymark:1.2.3}');
    },
  );

  test.each(['README.md', 'docs/install.md', 'deploy/waymark.container'])(
    '%s has no placeholder left',
    async (file) => {
      const text = await readPage(file);
      expect(text).toContain('waymark.invalid');
      expect(withProject(text, elsewhere)).not.toContain('waymark.invalid');
    },
  );
});

test('the quadlet is as locked up as the compose file', async () => {
  const { services } = Object(Bun.YAML.parse(await readPage('deploy/compose.yaml')));
  expect(services.waymark).toMatchObject({
    read_only: true,
    tmpfs: ['/tmp'],
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
  });
  const lines = (await readPage('deploy/waymark.container')).split('\n');
  for (const line of ['ReadOnly=true', 'Tmpfs=/tmp', 'DropCapability=ALL', 'NoNewPrivileges=true'])
    expect(lines).toContain(line);
});

test('the unit and the settings allow the folder of the backups that the packages create', async () => {
  const folder = '/var/backups/waymark';
  expect(await readPage('deploy/waymark.env')).toContain(`WAYMARK_BACKUP_DIR=${folder}\n`);
  expect(await readPage('deploy/waymark.service')).toContain(`ReadWritePaths=-${folder}\n`);
  expect(createUser).toMatch(new RegExp(`^install -d -o waymark .*${folder}$`, 'm'));
});

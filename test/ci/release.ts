import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCheckout } from '../../release/checkout.ts';
import { isInstalled } from '../support/installed.ts';
import { type Env, outputOf } from '../support/program.ts';

/** Makes the release for one kind of machine, looks into it, and builds it again in a clone. */

setDefaultTimeout(240_000);

const root = join(import.meta.dir, '../..');
const { version, commit, isDirty } = readCheckout();
const tools = ['git', 'tar', 'zip', 'dpkg-deb', 'rpmbuild', 'rpm2archive'];
const isX64 = process.platform === 'linux' && process.arch === 'x64';

describe.skipIf(!isX64 || commit === 'unknown' || !tools.every(isInstalled))('a release', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waymark-ci-release-'));
    const target = ['--target', 'linux-x64'];
    const out = join(folder, 'out');
    await sh('"$BUN" release/release.ts --rebuild --out "$OUT" "$@"', root, { OUT: out }, target);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Runs a script and returns what it prints. */
  const sh = (script: string, cwd: string, env: Env = {}, args: readonly string[] = []) =>
    outputOf(['sh', '-ec', script, 'sh', ...args], {
      cwd,
      env: { ...process.env, BUN: process.execPath, ...env },
      deadlineMs: 240_000,
    });

  test('has archive, packages and list of software, with digests that fit', async () => {
    const checked = await sh('sha256sum --check SHA256SUMS', join(folder, 'out'));
    expect(checked.trimEnd().split('\n')).toEqual([
      `waymark-${version}-1.x86_64.rpm: OK`,
      `waymark-${version}-deploy.tar.gz: OK`,
      `waymark-${version}-linux-x64.tar.gz: OK`,
      `waymark-${version}.cdx.json: OK`,
      `waymark_${version}_amd64.deb: OK`,
    ]);
  });

  test('has the documents beside the files for containers', async () => {
    const listed = await sh('tar tzf out/*-deploy.tar.gz', folder);
    for (const file of ['README.md', 'docs/install.md', 'compose.yaml', 'prometheus/alerts.yaml'])
      expect(listed).toContain(`/${file}\n`);
  });

  test('has the same working executable in all three, and completions, manual and licences', async () => {
    const inside = join(folder, 'inside');
    await mkdir(inside);
    const listed = await sh(
      `tar xzf ../out/*-linux-x64.tar.gz
      dpkg-deb --extract ../out/*.deb deb
      mkdir rpm
      cat ../out/*.rpm | rpm2archive - | tar xz --directory rpm
      sha256sum */waymark */usr/bin/waymark | cut -c1-64 | uniq | wc -l
      for executable in */waymark */usr/bin/waymark; do ./$executable version | head -1; done
      find . -type f | sort`,
      inside,
    );
    const [digests, ...lines] = listed.trimEnd().split('\n');
    expect(digests).toBe('1');
    expect(lines.slice(0, 3)).toEqual(Array(3).fill(`waymark ${version}`));
    for (const name of ['deb', 'rpm'])
      for (const path of [
        'usr/share/man/man1/waymark.1.gz',
        'etc/waymark.env',
        'usr/sbin/waymarkctl',
      ])
        expect(lines).toContain(`./${name}/${path}`);
    const archive = `./waymark-${version}-linux-x64`;
    for (const path of [
      'LICENSES.txt',
      'waymark.1',
      'completions/_waymark',
      'systemd/waymark.service',
    ])
      expect(lines).toContain(`${archive}/${path}`);
  });

  // A clone has only what is committed.
  test.skipIf(isDirty)('is built again to the byte, in a clone', async () => {
    const sums = ['--sums', join(folder, 'out/SHA256SUMS'), '--target', 'linux-x64'];
    const output = await sh('"$BUN" release/reproduce.ts "$@"', root, {}, sums);
    expect(output).toContain('is reproducible: 5 equal artefacts');
  });
});

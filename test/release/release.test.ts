import { afterAll, expect, test } from 'bun:test';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '../../package.json';
import { readCommandTree } from '../../release/documents/command-tree.ts';
import { formatManual } from '../../release/documents/manual.ts';
import { createSbom } from '../../release/sbom.ts';
import { requireTools } from '../../release/tools.ts';

const root = join(import.meta.dir, '../..');
const folder = await mkdtemp(join(tmpdir(), 'waymark-release-test-'));
afterAll(() => rm(folder, { recursive: true }));

function run(command: readonly string[], cwd: string) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd });
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

test('a release without its tools names them and the packages that have them', () => {
  const without = (...missing: string[]) =>
    requireTools.bind(null, (name) => (missing.includes(name) ? null : `/usr/bin/${name}`));
  expect(without()).not.toThrow();
  expect(without('rpmbuild', 'zip')).toThrow(
    'A release needs zip, rpmbuild. Install: apt-get install zip rpm (Debian, Ubuntu) or dnf install zip rpm-build',
  );
});

test.skipIf(run(['git', 'rev-parse', 'HEAD'], root).exitCode !== 0)(
  'a version that has a tag is not released again, and files that differ are named in the version',
  async () => {
    const clone = join(folder, 'clone');
    expect(run(['git', 'clone', '--quiet', root, clone], folder).exitCode).toBe(0);
    await symlink(join(root, 'node_modules'), join(clone, 'node_modules'));
    const checkout = () =>
      run(
        [process.execPath, '-p', "require('./release/checkout.ts').readCheckout().version"],
        clone,
      );
    // The link to the packages is not ignored as their folder is.
    await Bun.write(join(clone, '.git/info/exclude'), 'node_modules\n');
    expect(checkout().stdout.trim()).toBe(version);
    await Bun.write(join(clone, 'README.md'), 'changed');
    expect(checkout().stdout.trim()).toBe(`${version}+dirty`);

    expect(run(['git', 'tag', `v${version}`], clone).exitCode).toBe(0);
    const release = [process.execPath, 'release/release.ts', '--out', join(folder, 'out')];
    const { exitCode, stderr } = run(release, clone);
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining(`v${version} is released. Raise the version in package.json`),
    ]);
    expect(await Bun.file(join(folder, 'out/SHA256SUMS')).exists()).toBe(false);
  },
);

test('an unknown target is refused', () => {
  const { exitCode, stderr } = run(
    [process.execPath, 'release/release.ts', '--target', 'amiga', '--out', join(folder, 'no')],
    root,
  );
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('linux-arm64-musl')]);
});

test('the list of software has each package once, with digest and licence', async () => {
  const { components, dependencies } = JSON.parse(await createSbom('1.2.3', 1_800_000_000));
  const purls = components.map(({ purl }: { purl: string }) => purl);
  expect(new Set(purls).size).toBe(purls.length);
  expect(purls).toContain(`pkg:github/oven-sh/bun@bun-v${Bun.version}`);
  expect(purls).toContain('pkg:npm/%40resvg/resvg-wasm@2.6.2');
  for (const { purl, hashes, licenses } of components) {
    expect([purl, licenses.length]).toEqual([purl, 1]);
    if (purl.startsWith('pkg:npm/')) expect(hashes[0].content).toMatch(/^[0-9a-f]{128}$/);
  }
  for (const { dependsOn } of dependencies)
    for (const ref of dependsOn) expect(purls).toContain(ref);
});

test('the changelog has a section for this version, with its date', async () => {
  const changelog = await Bun.file(join(root, 'CHANGELOG.md')).text();
  expect(changelog).toMatch(
    new RegExp(`^## \\[${RegExp.escape(version)}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm'),
  );
});

test('the manual tells every command and option, dated as the commit', async () => {
  const manual = formatManual(await readCommandTree(), '1.2.3', '2027-01-15');
  expect(manual).toStartWith('.TH WAYMARK 1 2027-01-15 "Waymark 1.2.3"\n');
  expect(manual).toContain('.SS "waymark account create <email>"\n');
  expect(manual).toContain('.B \\-\\-password\\-stdin\n');
  expect(manual).not.toMatch(/^.{81}/m);
});

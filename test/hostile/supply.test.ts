import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { Glob } from 'bun';
import { fieldsOf } from '../support/wire.ts';

// Security check 38 (ASVS 15.1, 15.2): packages are pinned, have permitted licences and run no install scripts.
const root = join(import.meta.dir, '../..');
const manifest = fieldsOf(await Bun.file(join(root, 'package.json')).json());
const lock = await Bun.file(join(root, 'bun.lock')).text();
const installed = [...new Glob('**/package.json').scanSync({ cwd: join(root, 'node_modules') })];

/** Licences that allow distribution within the executable. */
const allowed =
  /^\(?(0BSD|Apache-2\.0|BSD-2-Clause|BSD-3-Clause|BlueOak-1\.0\.0|CC0-1\.0|ISC|MIT|MPL-2\.0|OFL-1\.1|Unlicense)\)?$/;

/** Packages whose manifest names a file: DejaVu's fonts may be distributed inside of a program, but not sold alone. */
const read = new Map([['dejavu-fonts-ttf', 'SEE LICENSE IN README.md AND LICENSE']]);

/** Returns the manifests of all packages that the executable may contain. */
async function carried(): Promise<Map<string, Readonly<Record<string, unknown>>>> {
  const found = new Map<string, Readonly<Record<string, unknown>>>();
  const waiting = Object.keys(fieldsOf(manifest['dependencies']));
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const path = `${name}/package.json`;
    if (found.has(name) || !installed.includes(path)) continue;
    const its = fieldsOf(await Bun.file(join(root, 'node_modules', path)).json());
    found.set(name, its);
    for (const group of ['dependencies', 'optionalDependencies', 'peerDependencies'])
      waiting.push(...Object.keys(fieldsOf(its[group] ?? {})));
  }
  return found;
}

describe('security check 38: packages', () => {
  test('are locked to a version and a hash', () => {
    const packages = lock.slice(lock.indexOf('"packages": {')).split('\n').slice(1);
    const entries = packages.filter((line) => /^ {4}"[^"]+": \[/.test(line));
    expect(entries.length).toBeGreaterThan(50);
    for (const entry of entries) expect(entry).toMatch(/"sha512-[A-Za-z0-9+/]{86}=="\],?$/);
  });

  test('are direct dependencies in an exact version', () => {
    for (const group of ['dependencies', 'devDependencies'])
      for (const version of Object.values(fieldsOf(manifest[group])))
        expect(String(version)).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test('may not run install scripts', () => {
    // Without the field, Bun trusts a list of its own.
    expect(manifest['trustedDependencies']).toEqual([]);
    expect(lock).toContain('"trustedDependencies": [],');
  });

  test('have licences that allow distribution', async () => {
    const packages = await carried();
    expect(packages.size).toBeGreaterThan(20);
    for (const [name, { license }] of packages) {
      if (read.get(name) === license) continue;
      expect(`${name}: ${license}`).toMatch(
        new RegExp(`^${RegExp.escape(name)}: ${allowed.source.slice(1)}`),
      );
    }
  });
});

import { join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import manifest from '../package.json';
import { licenses } from '../src/cli/help/licenses/texts.ts';

const root = join(import.meta.dir, '..');

/** bun.lock, as far as it is read. */
interface Lockfile {
  /** By name: what was resolved, the registry, the package's own dependencies, the digest. */
  readonly packages: Readonly<
    Record<string, [resolved: string, registry: string, meta: Requirements, integrity: string]>
  >;
}

interface Requirements {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalPeers?: readonly string[];
}

/**
 * Lists the software that the program is built from, in the format CycloneDX 1.6: the runtime, and the packages
 * of bun.lock that it needs. Those that are not in the executable are marked as excluded.
 *
 * @throws Error when the list breaks the schema of CycloneDX
 */
export async function createSbom(version: string, seconds: number): Promise<string> {
  // The cast is safe: the package manager writes this file, and a wrong shape breaks the schema below.
  const lock = Bun.JSONC.parse(await Bun.file(join(root, 'bun.lock')).text()) as Lockfile;
  const direct = Object.keys(manifest.dependencies);
  const names = closure(lock, [...direct, ...inside.filter((name) => name !== 'bun')]);
  const self = `pkg:generic/waymark@${version}`;
  const runtime = `pkg:github/oven-sh/bun@bun-v${Bun.version}`;
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: new Date(seconds * 1000).toISOString(),
      component: {
        type: 'application',
        'bom-ref': self,
        name: 'waymark',
        version,
        description: manifest.description,
        licenses: [{ license: { id: manifest.license } }],
        purl: self,
      },
    },
    components: [
      {
        type: 'platform',
        'bom-ref': runtime,
        name: 'bun',
        version: Bun.version,
        scope: 'required',
        licenses: [{ license: { id: 'MIT' } }],
        purl: runtime,
      },
      ...(await Promise.all(names.map((name) => componentOf(lock, name)))),
    ],
    dependencies: [
      {
        ref: self,
        dependsOn: [runtime, ...purls(lock, direct)],
      },
      ...names.map((name) => ({
        ref: purlOf(lock, name),
        dependsOn: purls(lock, requiredBy(lock, name)),
      })),
    ],
  };
  const text = `${JSON.stringify(bom, null, 2)}\n`;
  const problem = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text);
  if (problem !== null)
    throw new Error(`The list of software breaks CycloneDX: ${JSON.stringify(problem)}`);
  return text;
}

/** Returns the names of packages and of all that they need, in alphabetical order. */
function closure(lock: Lockfile, names: readonly string[]): string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    // An optional peer may be missing.
    if (found.has(name) || lock.packages[name] === undefined) return;
    found.add(name);
    requiredBy(lock, name).forEach(visit);
  };
  names.forEach(visit);
  return [...found].sort();
}

function requiredBy(lock: Lockfile, name: string): string[] {
  const {
    dependencies = {},
    peerDependencies = {},
    optionalPeers,
  } = lock.packages[name]?.[2] ?? {};
  const peers = Object.keys(peerDependencies).filter((peer) => !optionalPeers?.includes(peer));
  return [...Object.keys(dependencies), ...peers]
    .map((required) => findInstalled(lock, packagesOf(name), required))
    .filter((required) => lock.packages[required] !== undefined);
}

/** Returns the key of a package as another one finds it: its own copy, or that of what contains it. */
function findInstalled(lock: Lockfile, from: readonly string[], name: string): string {
  const key = [...from, name].join('/');
  if (from.length === 0 || lock.packages[key] !== undefined) return key;
  return findInstalled(lock, from.slice(0, -1), name);
}

/** Takes a key apart: `elysia/@sinclair/typebox` is a copy of a package for another one. */
function packagesOf(key: string): string[] {
  return key.match(/(?:@[^/]+\/)?[^/]+/g) ?? [];
}

const inside = licenses.parts.map((part) => part.name);

async function componentOf(lock: Lockfile, name: string) {
  const resolved = lock.packages[name]?.[0] ?? name;
  const at = resolved.lastIndexOf('@');
  const [scope, ownName = scope] = resolved.slice(0, at).split('/');
  const installed = Bun.file(
    join(root, ...packagesOf(name).flatMap((one) => ['node_modules', one]), 'package.json'),
  );
  const { license } = await installed.json();
  const purl = purlOf(lock, name);
  return {
    type: 'library',
    'bom-ref': purl,
    ...(ownName !== scope && { group: scope }),
    name: ownName,
    version: resolved.slice(at + 1),
    scope: inside.includes(resolved.slice(0, at)) ? 'required' : 'excluded',
    hashes: [{ alg: 'SHA-512', content: digestOf(lock, name) }],
    licenses: [/ (OR|AND) /.test(license) ? { expression: license } : { license: { id: license } }],
    purl,
  };
}

function digestOf(lock: Lockfile, name: string): string {
  const integrity = lock.packages[name]?.[3] ?? '';
  return Uint8Array.fromBase64(integrity.replace(/^sha512-/, '')).toHex();
}

function purls(lock: Lockfile, names: readonly string[]): string[] {
  return [...new Set(names.map((name) => purlOf(lock, name)))].sort();
}

/** Returns the package URL, such as `pkg:npm/%40resvg/resvg-wasm@2.6.2`. */
function purlOf(lock: Lockfile, name: string): string {
  return `pkg:npm/${(lock.packages[name]?.[0] ?? name).replace(/^@/, '%40')}`;
}

import { existsSync } from 'node:fs';
import { chmod, mkdir, rename } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Target } from './targets.ts';

const registry = (process.env['npm_config_registry'] ?? 'https://registry.npmjs.org').replace(
  /\/$/,
  '',
);
const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'waymark-runtimes');

/**
 * Returns the path of Bun's runtime for a target. Downloads it from the npm registry on first use, checks it
 * against the digest in targets.ts, and keeps it in the user's cache.
 *
 * @throws Error that says what to do, when it cannot be downloaded or has another digest
 */
export async function runtimeFor(target: Target): Promise<string> {
  // Named by its digest, so that a file of the cache is never of another version.
  const path = join(cache, `${target.name}-${digestOf(target).slice(0, 16)}`);
  if (existsSync(path)) return path;
  const unpacked = `${path}.${process.pid}`;
  await mkdir(cache, { recursive: true });
  await Bun.write(unpacked, await download(target));
  await chmod(unpacked, 0o755);
  await rename(unpacked, path);
  return path;
}

async function download(target: Target): Promise<File> {
  const { runtimePackage, name } = target;
  const file = `${runtimePackage.split('/')[1]}-${Bun.version}.tgz`;
  const url = `${registry}/${runtimePackage}/-/${file}`;
  const response = await fetch(url).catch((error: unknown) => String(error));
  if (typeof response === 'string' || !response.ok)
    throw new Error(
      `Bun's runtime for ${name} cannot be downloaded from ${url}: ` +
        `${typeof response === 'string' ? response : response.status}. Check the connection to the npm ` +
        `registry (npm_config_registry names another), or build other targets.`,
    );
  const packed = await response.bytes();
  const digest = new Bun.CryptoHasher('sha512').update(packed).digest('hex');
  if (digest !== digestOf(target))
    throw new Error(
      `${url} is not the file that release/targets.ts names: its SHA-512 is ${digest}. Someone changed it on ` +
        `the way, or the Bun of this machine (${Bun.version}) is not that of package.json.`,
    );
  const files = await new Bun.Archive(packed).files();
  const executable = [...files].find(([path]) => /^package\/bin\/bun(\.exe)?$/.test(path));
  if (executable === undefined) throw new Error(`${url} contains no bin/bun.`);
  return executable[1];
}

function digestOf({ runtimeIntegrity }: Target): string {
  return Uint8Array.fromBase64(runtimeIntegrity.replace(/^sha512-/, '')).toHex();
}

import { join } from 'node:path';

/**
 * Bundles a script for browsers when Waymark itself is bundled or started (a Bun macro).
 *
 * @param path of the entry in src/
 * @throws Error when the bundler fails; its messages are on stderr
 */
export function bundleScript(path: string): string {
  const entry = join(import.meta.dir, '../..', path);
  // In a process of its own: inside a macro, the bundler cannot wait for itself.
  const { stdout, exitCode } = Bun.spawnSync(
    [process.execPath, 'build', entry, '--target=browser', '--minify'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (exitCode !== 0) throw new Error(`${entry} cannot be bundled`);
  return stdout.toString();
}

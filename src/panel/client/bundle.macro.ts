import { join } from 'node:path';

/**
 * The panel's script for browsers as JavaScript, bundled while the program itself is (a Bun macro), so
 * that source and executable carry the same and nothing has to be built first.
 *
 * @throws Error when it cannot be bundled; the bundler has said why on stderr
 */
export function bundleClient(): string {
  const entry = join(import.meta.dir, 'main.ts');
  // By another process: a bundler that waits for its own work waits for ever.
  const { stdout, exitCode } = Bun.spawnSync(
    [process.execPath, 'build', entry, '--target=browser', '--minify'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (exitCode !== 0) throw new Error(`${entry} cannot be bundled`);
  return stdout.toString();
}

import { programCommand } from '../../lib/build/program-command.ts';

/** Bun's `fetch` has 256 requests under way at most, unless this variable says otherwise when the process starts. */
const limit = 'BUN_CONFIG_MAX_HTTP_REQUESTS';

/**
 * Starts this program again in the same process (execve), with an environment in which any number of requests can be
 * passed on to the app at a time. Returns when it has been, or where that is not possible.
 */
export function allowManyRequests(args: readonly string[]): void {
  if (process.env[limit] !== undefined || process.platform === 'win32') return;
  const [file = '', ...program] = programCommand();
  const env = { ...process.env, [limit]: '65535' };
  process.execve?.(file, [process.argv0, ...program, ...args], env);
}

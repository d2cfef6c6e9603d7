import { spawnSync } from 'node:child_process';
import { childrenOf } from '../support/processes.ts';

/** Whether strace may attach to processes here. In CI on Linux it must: tests may not be skipped unseen. */
export const canTrace =
  process.platform === 'linux' && (process.env['CI'] === 'true' || mayAttach());

function mayAttach(): boolean {
  if (Bun.which('strace') === null) return false;
  const script = 'sleep 5 & strace -qq -o /dev/null -p $! & sleep 0.3; kill %1 && wait %2';
  return spawnSync('bash', ['-c', script]).status === 0;
}

/**
 * Returns the command that runs a program under strace. Signals reach the program itself.
 *
 * @param expressions of strace's `-e`, such as `inject=fsync:error=EIO:when=12+`
 * @param options.paths confines the calls to these files
 */
export function tracing(
  expressions: readonly string[],
  options: { paths?: readonly string[]; log?: string } = {},
): string[] {
  const { paths = [], log = '/dev/null' } = options;
  return [
    ...['strace', '-D', '-f', '-qq', '-yy', '-o', log],
    ...paths.flatMap((path) => ['-P', path]),
    ...expressions.flatMap((expression) => ['-e', expression]),
  ];
}

/**
 * Changes what the system answers to a running program and the processes that it has started.
 *
 * @param expressions of strace's `-e`, such as `inject=fsync:error=EIO`
 * @param paths confines the calls to these files
 * @returns ends it
 */
export async function intercept(
  pid: number,
  expressions: readonly string[],
  paths: readonly string[],
): Promise<() => Promise<void>> {
  const pids = [pid, ...childrenOf(pid)];
  const tracer = Bun.spawn(
    [
      ...['strace', '-f', '-o', '/dev/null'],
      ...pids.flatMap((one) => ['-p', String(one)]),
      ...paths.flatMap((path) => ['-P', path]),
      ...expressions.flatMap((expression) => ['-e', expression]),
    ],
    { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
  );
  const { promise: attached, resolve } = Promise.withResolvers<string>();
  // Read to the end: strace would die of a closed pipe.
  const read = async () => {
    let output = '';
    for await (const chunk of tracer.stderr) {
      output += new TextDecoder().decode(chunk);
      // It attaches to one process after the other.
      if (pids.every((one) => output.includes(`Process ${one} attached`))) resolve('');
    }
    resolve(output);
  };
  void read();
  const failure = await attached;
  if (failure !== '') throw new Error(`strace: ${failure}`);
  return async () => {
    tracer.kill('SIGINT');
    await tracer.exited;
  };
}

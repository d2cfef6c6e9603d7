import { spawnSync } from 'node:child_process';

/**
 * Whether a tracer may stop programs here and change what the system answers them. In CI on Linux it
 * must, so that the tests that need it never stay away unseen.
 */
export const canTrace =
  process.platform === 'linux' && (process.env['CI'] === 'true' || mayAttach());

function mayAttach(): boolean {
  if (Bun.which('strace') === null) return false;
  const script = 'sleep 5 & strace -qq -o /dev/null -p $! & sleep 0.3; kill %1 && wait %2';
  return spawnSync('bash', ['-c', script]).status === 0;
}

/**
 * The command that runs a program under the tracer. The process stays the program's own, so that
 * signals reach it; the tracer is a child that nobody sees.
 *
 * @param expressions of strace's `-e`, such as `inject=fsync:error=EIO:when=12+`
 * @param options files to which calls are confined, the log, and further flags
 */
export function tracing(
  expressions: readonly string[],
  options: { paths?: readonly string[]; log?: string; flags?: readonly string[] } = {},
): string[] {
  const { paths = [], log = '/dev/null', flags = [] } = options;
  return [
    ...['strace', '-D', '-f', '-qq', '-o', log, ...flags],
    ...paths.flatMap((path) => ['-P', path]),
    ...expressions.flatMap((expression) => ['-e', expression]),
  ];
}

/**
 * Puts itself between a running program and the system.
 *
 * @param expressions of strace's `-e`, such as `inject=fsync:error=EIO`
 * @param paths only calls on these files
 * @returns lets go of the program again
 */
export async function intercept(
  pid: number,
  expressions: readonly string[],
  paths: readonly string[],
): Promise<() => Promise<void>> {
  const tracer = Bun.spawn(
    [
      ...['strace', '-f', '-o', '/dev/null', '-p', String(pid)],
      ...paths.flatMap((path) => ['-P', path]),
      ...expressions.flatMap((expression) => ['-e', expression]),
    ],
    { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
  );
  const { promise: attached, resolve } = Promise.withResolvers<string>();
  // Read to the end: the tracer would die of a pipe that nobody holds.
  const listen = async () => {
    let said = '';
    for await (const chunk of tracer.stderr) {
      said += new TextDecoder().decode(chunk);
      if (/ attached/.test(said)) resolve('');
    }
    resolve(said);
  };
  void listen();
  const refusal = await attached;
  if (refusal !== '') throw new Error(`strace: ${refusal}`);
  return async () => {
    tracer.kill('SIGINT');
    await tracer.exited;
  };
}

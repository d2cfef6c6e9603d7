import { spawnSync } from 'node:child_process';

/**
 * Whether a tracer may stop programs here and change what the system answers them. In CI on Linux it
 * must, so that the tests that need it never stay away unseen.
 */
export const canTrace =
  process.platform === 'linux' && (process.env['CI'] === 'true' || mayAttach());

function mayAttach(): boolean {
  if (Bun.which('strace') === null) return false;
  return spawnSync('strace', ['-D', '-f', '-qq', '-o', '/dev/null', 'true']).status === 0;
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

import { resolve } from 'node:path';

/** How a finished command left. */
export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Environment variables; undefined takes one away. */
export type Env = Readonly<Record<string, string | undefined>>;

export interface RunOptions {
  readonly env?: Env;
  readonly stdin?: string;
  /** Working directory; a folder of the test's own, so that nothing is left in the checkout. */
  readonly cwd: string;
  /** The program is killed when it takes longer. */
  readonly deadlineMs?: number;
}

/**
 * The program as its users start it: the executable that `WAYMARK_BIN` names, or the source with the
 * Bun that runs the tests.
 */
export function programCommand(): string[] {
  const binary = process.env['WAYMARK_BIN'];
  if (binary !== undefined && binary !== '') return [resolve(binary)];
  return [process.execPath, resolve(import.meta.dir, '../../src/main.ts')];
}

/**
 * The environment of this process without what the test runner (`NODE_ENV=test`) or the person who
 * runs it (`WAYMARK_*`) brought in, and with what the test asks for.
 */
export function programEnv(extra: Env = {}): Env {
  const inherited = Object.entries(process.env).filter(
    ([name]) => name !== 'NODE_ENV' && !name.startsWith('WAYMARK_'),
  );
  return { ...Object.fromEntries(inherited), ...extra };
}

/** Runs one command of the program to its end. */
export async function runProgram(args: readonly string[], options: RunOptions): Promise<Outcome> {
  const child = Bun.spawn([...programCommand(), ...args], {
    cwd: options.cwd,
    env: programEnv(options.env),
    stdin: new Blob([options.stdin ?? '']),
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: options.deadlineMs ?? 60_000,
    killSignal: 'SIGKILL',
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, stdout, stderr };
}

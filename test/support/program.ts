import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The result of a finished command. */
export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Environment variables; undefined unsets one. */
export type Env = Readonly<Record<string, string | undefined>>;

export interface RunOptions {
  readonly env?: Env;
  readonly stdin?: string;
  /** Working directory: a folder of the test, so that nothing is left in the checkout. */
  readonly cwd: string;
  /** Kills the program after this time. */
  readonly deadlineMs?: number;
}

/** Returns the command of the program: the executable in `WAYMARK_BIN`, or the source with this Bun. */
export function programCommand(): string[] {
  const binary = process.env['WAYMARK_BIN'];
  if (binary !== undefined && binary !== '') return [resolve(binary)];
  return [process.execPath, resolve(import.meta.dir, '../../src/main.ts')];
}

/**
 * Delays the compilers of Bun in tests: in hundreds of short processes they cost more time than they save. Benchmarks,
 * which do not run as tests, keep the defaults.
 */
const compilers: Env =
  process.env.NODE_ENV === 'test'
    ? {
        BUN_JSC_thresholdForJITAfterWarmUp: '5000',
        BUN_JSC_thresholdForOptimizeAfterWarmUp: '20000',
        BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: '1000000',
        BUN_JSC_useOMGJIT: '0',
      }
    : {};

/**
 * Returns the environment of this process without `NODE_ENV=test` and `WAYMARK_*`, and with `extra`. Backups are off
 * unless it says otherwise, so that a server is healthy without a warning.
 */
export function programEnv(extra: Env = {}): Env {
  const inherited = Object.entries(process.env).filter(
    ([name]) => name !== 'NODE_ENV' && !name.startsWith('WAYMARK_'),
  );
  return { ...Object.fromEntries(inherited), ...compilers, WAYMARK_BACKUP_DIR: 'off', ...extra };
}

/** Runs a command of the program to its end. */
export function runProgram(args: readonly string[], options: RunOptions): Promise<Outcome> {
  return runCommand([...programCommand(), ...args], { ...options, env: programEnv(options.env) });
}

/** Runs a command to its end. */
export async function runCommand(
  command: readonly string[],
  options: RunOptions,
): Promise<Outcome> {
  const child = Bun.spawn([...command], {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdin: new Blob([options.stdin ?? '']),
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: options.deadlineMs ?? 110_000,
    killSignal: 'SIGKILL',
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, stdout, stderr };
}

/** Runs a command that must succeed, and returns what it prints. */
export async function outputOf(command: readonly string[], options: RunOptions): Promise<string> {
  const { exitCode, stdout, stderr } = await runCommand(command, options);
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: exit ${exitCode}\n${stdout}${stderr}`);
  return stdout + stderr;
}

/** Processes whose stdout and stderr are appended to one file. If this process ends first, they end with its folder. */
export interface LoggedProcesses {
  spawn(command: readonly string[], options: { cwd: string; env: Env }): Bun.Subprocess;
  /** Returns the content of the file. Unlike a pipe, it has everything written before any other effect. */
  log(): string;
}

export function createLoggedProcesses(file: string): LoggedProcesses {
  writeFileSync(file, '', { flag: 'a' });
  return {
    spawn: (command, options) => {
      const output = openSync(file, 'a');
      try {
        const child = Bun.spawn([...command], { ...options, stdio: ['ignore', output, output] });
        guardAgainstOrphan(child, dirname(file));
        return child;
      } finally {
        closeSync(output);
      }
    },
    log: () => readFileSync(file, 'utf8'),
  };
}

/**
 * Kills a process and removes a folder if this process ends first: `bun test` runs neither `afterAll` nor `exit`
 * handlers for a file that fails while it is loaded. A shell waits for the end of a pipe that only this process holds.
 */
export function guardAgainstOrphan(child: Bun.Subprocess, folder: string): void {
  const script = 'cat > /dev/null; kill -9 "$1"; rm -rf "$2"';
  const guard = Bun.spawn(['sh', '-c', script, 'sh', String(child.pid), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  void child.exited.then(() => guard.kill('SIGKILL'));
}

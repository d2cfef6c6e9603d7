import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { type Env, type LoggedProcesses, programCommand, programEnv } from './program.ts';
import { until } from './until.ts';

/** One of several server processes on one database, with its own port. */
export interface Copy {
  /** `http://127.0.0.1:port`, unchanged by restarts. */
  readonly origin: string;
  /**
   * Starts the process, and waits until it responds.
   *
   * @param command of another version of the program
   */
  start(command?: readonly string[]): Promise<void>;
  /** Sends SIGTERM. Resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Simulates a crash with SIGKILL. Does nothing if there is no process. */
  kill(): Promise<void>;
  /** Stands still until `resume`. */
  pause(): void;
  resume(): void;
}

/**
 * Creates a copy, whose process is not started yet.
 *
 * @param folder of the whole test
 */
export function createCopy(folder: string, env: Env, processes: LoggedProcesses): Copy {
  const port = freePort();
  const origin = `http://127.0.0.1:${port}`;
  const data = join(folder, `data-${port}`);
  let child: Bun.Subprocess | null = null;
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const ending = child;
    child = null;
    ending?.kill(signal);
    await ending?.exited;
    return ending?.exitCode ?? null;
  };
  return {
    origin,
    start: async (command = programCommand()) => {
      mkdirSync(data, { recursive: true });
      const started = processes.spawn([...command, 'serve'], {
        cwd: data,
        env: programEnv({ ...env, WAYMARK_DATA: data, WAYMARK_PORT: String(port) }),
      });
      child = started;
      await until(async () => {
        if (started.exitCode !== null) throw new Error(`A copy ended:\n${processes.log()}`);
        const response = await fetch(`${origin}/healthz/live`, { keepalive: false }).catch(
          () => null,
        );
        return response?.ok === true;
      });
    },
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL');
    },
    pause: () => child?.kill('SIGSTOP'),
    resume: () => child?.kill('SIGCONT'),
  };
}

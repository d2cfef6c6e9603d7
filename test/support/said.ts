import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Env } from './program.ts';

/** How a process was started, and what it and those before it wrote. */
export interface Said {
  /** Starts a process that writes to the end of the file. */
  spawn(
    command: readonly string[],
    options: { readonly cwd: string; readonly env: Env },
  ): Bun.Subprocess;
  /** Everything written to stdout and stderr until now. */
  read(): string;
}

/**
 * Keeps what processes say in a file. It holds what was written by the time that it has an effect,
 * whoever has read it; what went into a pipe is seen some time after the process has ended.
 */
export function saidIn(file: string): Said {
  return {
    spawn: (command, options) => {
      const end = openSync(file, 'a');
      try {
        return Bun.spawn([...command], { ...options, stdio: ['ignore', end, end] });
      } finally {
        closeSync(end);
      }
    },
    read: () => readFileSync(file, 'utf8'),
  };
}

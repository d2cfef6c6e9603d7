import { writeFileSync } from 'node:fs';

/** Commands that only this program itself uses, for processes of its own. */
export const internalCommands = { app: 'serve-app', readFile: 'read-file' } as const;

/** Returns the command that starts this program: the executable, or Bun on the entry point. */
export function programCommand(): string[] {
  // An upgrade may have replaced the file of the running program.
  const running = process.platform === 'linux' ? '/proc/self/exe' : process.execPath;
  const isCompiled = /\$bunfs|~BUN/.test(import.meta.path);
  if (isCompiled) return [running];
  return [running, Bun.fileURLToPath(new URL('../../main.ts', import.meta.url))];
}

/**
 * Names this process in the lists of `ps` and `top`, on Linux.
 * They show `exe` for what {@link programCommand} started.
 *
 * @param name at most 15 characters
 */
export function nameProcess(name: string): void {
  try {
    writeFileSync('/proc/self/comm', name);
  } catch {
    // Another system.
  }
}

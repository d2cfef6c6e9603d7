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

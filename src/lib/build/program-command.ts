import { writeFileSync } from 'node:fs';

/** Commands that only this program itself uses, for processes of its own. */
export const internalCommands = { app: 'serve-app', readFile: 'read-file' } as const;

/** The argument of an app server that must not create a database: its redirect server has served one. */
export const databaseRequired = 'database-required';

/**
 * Variables that the redirect server is started with.
 * Bun's `fetch` has 256 requests under way otherwise. The compilers and the garbage collector of JavaScriptCore start
 * threads whenever they have work, and end the process where the system allows none: without those of their own they
 * work on the thread of the server, which costs a redirect nothing once it is compiled.
 */
const redirectRuntime = {
  BUN_CONFIG_MAX_HTTP_REQUESTS: '65535',
  BUN_JSC_useConcurrentJIT: '0',
  BUN_JSC_useConcurrentGC: '0',
  BUN_JSC_numberOfGCMarkers: '1',
} as const;

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the environment of a redirect server; null if this one is. */
export function redirectServerEnv(env: Env): Env | null {
  const isSet = Object.keys(redirectRuntime).every((name) => env[name] !== undefined);
  return isSet ? null : { ...redirectRuntime, ...env };
}

/** Returns the environment of the app server: without what keeps the redirect server on one thread. */
export function appServerEnv(env: Env): Env {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !/^BUN_JSC_(use|number)/.test(name) || !(name in redirectRuntime),
    ),
  );
}

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

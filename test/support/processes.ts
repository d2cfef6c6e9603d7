import { readdirSync, readFileSync } from 'node:fs';

/** Returns the ids of the processes that a process has started, on Linux. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => statOf(child)?.parent === pid);
}

/** Returns whether a process exists and has not ended. */
export function isRunning(pid: number): boolean {
  const state = statOf(pid)?.state;
  return state !== undefined && !'ZX'.includes(state);
}

/** Returns the arguments of a process, with which `ps` shows it. */
export function argumentsOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
}

/** Returns the app server of a server; throws while there is none. */
export function appOf(serverPid: number): number {
  const app = childrenOf(serverPid).find((pid) => argumentsOf(pid).includes('serve-app'));
  if (app === undefined) throw new Error('the app server is not running');
  return app;
}

function statOf(pid: number): { state: string; parent: number } | null {
  try {
    // The name, in parentheses, may contain anything.
    const [state = '', parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return null;
  }
}

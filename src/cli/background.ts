import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import type { Command } from 'commander';

// 19 would leave it a thirtieth of a busy processor.
const backgroundNiceness = 10;

/**
 * Has a command that takes long give way to the server beside it, because phones wait for redirects and
 * nobody for upkeep: its niceness (setpriority(2), from -20 to 19) is that of the render workers, or what it
 * was where that is more.
 */
export function inBackground(command: Command): Command {
  return command.hook('preAction', giveWay);
}

function giveWay(): void {
  for (const task of tasks()) {
    try {
      setPriority(task, Math.max(backgroundNiceness, getPriority(task)));
    } catch {
      // A service manager may forbid the call, and a thread may just have ended.
    }
  }
}

/** On Linux each thread has a priority of its own; elsewhere 0 is the whole program. */
function tasks(): readonly number[] {
  return process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0];
}

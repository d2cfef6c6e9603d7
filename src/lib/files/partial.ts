import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errnoOf, refusing } from './refused.ts';

/** The name beside a file under which this command writes it. */
export function partialName(target: string): string {
  return `${target}.partial-${process.pid}`;
}

/**
 * Removes what earlier commands that wrote this file left behind when they were cut off, as by a power
 * cut, with what SQLite may have put beside it.
 *
 * @throws FileError
 */
export function removeLeftovers(target: string): void {
  const folder = dirname(target);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const [, written, pid] = /^(.*)\.partial-(\d+)(?:-\w+)?$/.exec(name) ?? [];
    if (written !== basename(target)) continue;
    // In a container every command may have the same number, so one's own is no other's either.
    if (Number(pid) === process.pid || !isRunning(Number(pid)))
      refusing(`${name} cannot be removed`, () => rmSync(join(folder, name), { force: true }));
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Someone else's process may not be asked, but is there.
    return errnoOf(error) === 'EPERM';
  }
}

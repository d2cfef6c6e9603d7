import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Memory of a process in MB (2^20 bytes): resident now, the most there ever was, or the part of what is
 * resident that no file stands behind. Linux only.
 */
export function memoryMb(pid: number, name: 'VmRSS' | 'VmHWM' | 'RssAnon'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}

/** How many files, sockets and the like a process has open. Linux only. */
export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Size of the database in a data folder, or of its log, in MB (10^6 bytes). */
export function databaseMb(dataFolder: string, ending: '' | '-wal'): number {
  return (
    (statSync(join(dataFolder, `waymark.db${ending}`), { throwIfNoEntry: false })?.size ?? 0) / 1e6
  );
}

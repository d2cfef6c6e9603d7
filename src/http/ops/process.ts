import { readdirSync, readFileSync } from 'node:fs';

/** Open file descriptors of this process and their limit; null where the system does not tell. */
export interface Descriptors {
  readonly open: number | null;
  readonly limit: number | null;
}

/** Reads the number of open file descriptors from `/proc`, which only Linux has. */
export function readDescriptors(): Descriptors {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
    // Without the descriptor of the folder that is being read.
    const open = readdirSync('/proc/self/fd').length - 1;
    return { open, limit: soft === undefined ? null : Number(soft) };
  } catch {
    return { open: null, limit: null };
  }
}

/** What the operating system counts of a process. */
export interface ProcessReadings {
  readonly pid: number;
  /** User and system time since the start. */
  readonly cpuSeconds: number;
  /** Start time, in seconds since the Unix epoch. */
  readonly startSeconds: number;
  /** Null where it cannot be read, such as at the limit of file descriptors. */
  readonly residentBytes: number | null;
  readonly descriptors: Descriptors;
}

/** Reads what the operating system counts of this process. */
export function readProcess(): ProcessReadings {
  const { user, system } = process.cpuUsage();
  return {
    pid: process.pid,
    cpuSeconds: (user + system) / 1e6,
    startSeconds: performance.timeOrigin / 1000,
    residentBytes: readResidentBytes(),
    descriptors: readDescriptors(),
  };
}

function readResidentBytes(): number | null {
  try {
    return process.memoryUsage.rss();
  } catch {
    return null;
  }
}

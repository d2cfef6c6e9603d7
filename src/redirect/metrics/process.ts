import { type Descriptors, readDescriptors } from '../listening/descriptors.ts';

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

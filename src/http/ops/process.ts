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

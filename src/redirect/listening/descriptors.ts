import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import type { HealthCondition } from '../../core/health.ts';
import { errnoOf } from '../../lib/errors.ts';

const intervalMs = 250;
// Enough for some clients, and for the files that a request opens.
const largestReserve = 16;

/**
 * Watches whether the process can open more files and connections.
 * At the limit, accepting fails without end and keeps a processor busy.
 *
 * @param onChange called with false at the limit, and with true once some descriptors are free again; once more when it
 *   throws
 * @returns a function that stops watching. Until it is called, the process keeps running, even if nothing listens
 */
export function watchDescriptors(onChange: (areFree: boolean) => void): () => void {
  // Under a low limit, there may never be as many.
  const reserve = Math.max(1, Math.floor(countFree(2 * largestReserve) / 2));
  let wereFree = true;
  const timer = setInterval(() => {
    const areFree = canOpen(wereFree ? 1 : reserve);
    if (areFree === wereFree) return;
    try {
      onChange(areFree);
      wereFree = areFree;
    } catch {
      // Somebody has taken them, or the port, meanwhile. The next turn tries again.
    }
  }, intervalMs);
  return () => clearInterval(timer);
}

function canOpen(files: number): boolean {
  return countFree(files) === files;
}

/** Returns how many descriptors are free, at most the given number. */
function countFree(atMost: number): number {
  const opened: number[] = [];
  try {
    while (opened.length < atMost) opened.push(openSync('/', 'r'));
    return atMost;
  } catch (error) {
    return /^E[MN]FILE$/.test(errnoOf(error)) ? opened.length : atMost;
  } finally {
    for (const file of opened) closeSync(file);
  }
}

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

// Each connection needs one, and the database a few.
const amplePart = 0.1;

/** That the process, which has the connections of all clients, can soon open no more. */
export const descriptorsCondition: HealthCondition = {
  name: 'file_descriptors_low',
  severity: 'warning',
  check: () => {
    const { open, limit } = readDescriptors();
    if (open === null || limit === null || limit - open >= limit * amplePart) return [];
    return [
      `${open} of ${limit} file descriptors are open: new connections will be refused soon. Raise the limit ` +
        '(LimitNOFILE of systemd, or ulimit -n), or limit connections in the proxy.',
    ];
  },
};

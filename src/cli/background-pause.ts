import { readFileSync } from 'node:fs';
import type { Pause } from '../lib/event-loop.ts';

/** What a thread has had of a processor since it began, and for how long it had to wait for one. */
export interface Turns {
  readonly workMs: number;
  readonly waitMs: number;
}

// Less than a turn of Linux's scheduler, in which whoever wakes up may have to wait for it; shorter pieces
// are put together.
const shortestWorkMs = 2;
// A thread that has a processor to itself waits for a fiftieth of its work.
const crowdedShare = 0.1;
// Twice and four times the work lost more redirects beside it (test/bench/results.md, "Quiet neighbours").
const pausePerWork = 8;
// However long a piece has taken, the command goes on three times a second.
const longestPauseMs = 300;

/**
 * Lets a long command leave processors to the server beside it, more than its niceness does: what is
 * called between two pieces of its work pauses for eight times as long as they took, if they had to wait
 * for a processor. Where processors are to spare it does not pause.
 *
 * @param turns of the thread that works; null where the system does not tell, and then it never pauses
 */
export function createBackgroundPause(
  turns: () => Turns | null = mainThreadTurns,
  sleep: (ms: number) => Promise<void> = Bun.sleep,
): Pause {
  let before = turns();
  return async () => {
    const now = turns();
    if (before === null || now === null) return;
    const workMs = now.workMs - before.workMs;
    if (workMs < shortestWorkMs) return;
    const isCrowded = now.waitMs - before.waitMs > workMs * crowdedShare;
    if (isCrowded) await sleep(Math.min(workMs * pausePerWork, longestPauseMs));
    // Whoever is woken may have to wait as well.
    before = turns();
  };
}

/**
 * Two numbers of nanoseconds and one more: Documentation/scheduler/sched-stats.rst of Linux. A kernel that
 * does not count has zeros there; elsewhere, and in some sandboxes, there is no such file.
 */
function mainThreadTurns(): Turns | null {
  try {
    const [workNs, waitNs] = readFileSync('/proc/self/schedstat', 'latin1').split(' ').map(Number);
    return { workMs: (workNs ?? 0) / 1e6, waitMs: (waitNs ?? 0) / 1e6 };
  } catch {
    return null;
  }
}

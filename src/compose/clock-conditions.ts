import { uptime } from 'node:os';
import type { HealthCondition } from '../core/health.ts';
import { clockDifferenceMs } from '../lib/shared-clock.ts';
import { latestTimeMs, realClock } from './runtime.ts';

const maxDifferenceMs = 2000;

/** That the clock of this machine is not that of the database, which times what copies share. */
export const clockDiffersCondition: HealthCondition = {
  name: 'clock_differs',
  severity: 'warning',
  check: () => {
    const aheadMs = clockDifferenceMs();
    if (Math.abs(aheadMs) <= maxDifferenceMs) return [];
    const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
    const found =
      aheadMs > 0
        ? `The clock of this machine is ${seconds} s ahead of PostgreSQL's.`
        : `The clock of this machine is ${seconds} s behind PostgreSQL's.`;
    return [
      `${found} Planned changes, sessions, links and scans follow PostgreSQL's clock, and the log this one. Let both ` +
        'follow a time server ("timedatectl").',
    ];
  },
};

const clockToleranceMs = 3_600_000;
// A warning of a clock that was set forward ends: it may have been set right.
const jumpShownMs = 86_400_000;

/**
 * Creates the condition that the clock is wrong, or was.
 *
 * @param newestMs the newest entry of the database at the start; null if there is none
 */
export function createClockCondition(newestMs: number | null): HealthCondition {
  let last = readClocks();
  let jump: { readonly fromMs: number; readonly toMs: number } | null = null;

  const jumpProblem = (): string | null => {
    const now = readClocks();
    const expectedMs = last.nowMs + now.bootMs - last.bootMs;
    if (now.nowMs - expectedMs > clockToleranceMs) jump = { fromMs: expectedMs, toMs: now.nowMs };
    last = now;
    const isShown = jump !== null && now.nowMs >= jump.toMs && now.nowMs < jump.toMs + jumpShownMs;
    if (jump === null || !isShown) return null;
    const [from, to] = [jump.fromMs, jump.toMs].map(minuteOf);
    return (
      `the clock was set forward from ${from} to ${to} UTC while the server ran: it is wrong now, or was wrong before. ` +
      'Every scan is counted, but some dates are wrong'
    );
  };
  return {
    name: 'clock_wrong',
    severity: 'warning',
    check: () => {
      const set = jumpProblem();
      const problem =
        clockProblem(newestMs, last.nowMs) ?? setBackProblem(latestTimeMs(), last.nowMs) ?? set;
      if (problem === null) return [];
      const sentence = problem.charAt(0).toUpperCase() + problem.slice(1);
      return [`${sentence}. Let the clock follow a time server ("timedatectl").`];
    },
  };
}

/** Reads the clock, and the time since the machine was started, which nobody can set. */
function readClocks() {
  return { nowMs: realClock.nowMs(), bootMs: uptime() * 1000 };
}

/** Returns what is wrong where the newest time of a database is in the future, or null. */
export function clockProblem(newestMs: number | null, nowMs: number): string | null {
  if (newestMs === null || newestMs <= nowMs + clockToleranceMs) return null;
  return (
    `the newest entry of the database is of ${minuteOf(newestMs)} UTC, but the clock says ${minuteOf(nowMs)} UTC: it ` +
    'is wrong now, or was wrong then. Every scan is counted, but its date is wrong'
  );
}

function setBackProblem(latestMs: number, nowMs: number): string | null {
  if (latestMs <= nowMs + clockToleranceMs) return null;
  return (
    `the clock was set back from ${minuteOf(latestMs)} to ${minuteOf(nowMs)} UTC while the server ran: it is wrong now, ` +
    'or was wrong before. Every scan is counted, but some dates are wrong'
  );
}

function minuteOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}

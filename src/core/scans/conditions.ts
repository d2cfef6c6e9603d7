import type { HealthCondition } from '../health.ts';
import type { HitLogStatus } from '../storage.ts';

/** Returns the condition that scans cannot be written. @param text says why, and what to do */
export function notWrittenCondition(
  status: () => HitLogStatus,
  text: (buffered: number, problem: string) => string,
): HealthCondition {
  return {
    name: 'scans_not_written',
    severity: 'problem',
    check: () => {
      const { problem, buffered } = status();
      return problem === null ? [] : [text(buffered, problem)];
    },
  };
}

/**
 * Returns the condition that scans that were written cannot be aggregated.
 *
 * @param text says why, and what to do
 */
export function notAggregatedCondition(
  problem: () => string | null,
  text: (problem: string) => string,
): HealthCondition {
  return {
    name: 'scans_not_aggregated',
    severity: 'problem',
    check: () => {
      const found = problem();
      return found === null ? [] : [text(found)];
    },
  };
}

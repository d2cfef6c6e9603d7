import type { HealthCondition } from '../health.ts';

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

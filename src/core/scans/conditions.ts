import type { HealthCondition } from '../health.ts';
import type { ScanLogStatus } from '../storage.ts';

/**
 * Returns the conditions that scans cannot be written, and that they cannot be aggregated.
 *
 * @param texts say why, and what to do
 */
export function scanConditions(
  status: () => ScanLogStatus,
  texts: {
    readonly notWritten: (buffered: number, problem: string) => string;
    readonly notAggregated: (problem: string) => string;
  },
): HealthCondition[] {
  return [
    {
      name: 'scans_not_written',
      severity: 'problem',
      check: () => {
        const { problem, buffered } = status();
        return problem === null ? [] : [texts.notWritten(buffered, problem)];
      },
    },
    {
      name: 'scans_not_aggregated',
      severity: 'problem',
      check: () => {
        const { aggregationProblem } = status();
        return aggregationProblem === null ? [] : [texts.notAggregated(aggregationProblem)];
      },
    },
  ];
}

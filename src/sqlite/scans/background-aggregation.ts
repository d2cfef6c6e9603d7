import type { Database } from 'bun:sqlite';
import { errorMessage } from '../../lib/errors.ts';
import { isUnwritable } from '../database/errors.ts';
import { type Aggregator, createAggregator } from './aggregate.ts';

/** Aggregates committed hits into the counters while the server runs. */
export interface BackgroundAggregation extends Pick<Aggregator, 'add' | 'pending'> {
  /** Returns why hits cannot be aggregated, or null. Only a damaged database causes it. */
  problem(): string | null;
  /** Aggregates the rest. Nothing may be added afterwards. */
  close(): void;
}

// Many hits together are cheaper to aggregate. Until then, the server's totals lack them.
const accumulateMs = 1000;
// At 500 codes per step, this aggregates up to 25,000 codes a second.
const stepDelayMs = 20;
const retryDelayMs = 500;

/**
 * Starts the aggregation, also of hits that an earlier process left in the log.
 *
 * @param onProblem called when hits cannot be aggregated
 */
export function createBackgroundAggregation(
  database: Database,
  onProblem: (problem: string) => void,
): BackgroundAggregation {
  const aggregator = createAggregator(database);
  let problem: string | null = null;

  const step = () => {
    timer = null;
    try {
      const result = aggregator.step();
      problem = null;
      if (result !== 'empty')
        timer = setTimeout(step, result === 'more' ? stepDelayMs : accumulateMs);
    } catch (error) {
      report(error);
      timer = setTimeout(step, retryDelayMs);
    }
  };

  const report = (error: unknown) => {
    // A full disk or another process's lock is reported when the next hits are written.
    if (isUnwritable(error) || problem !== null) return;
    problem = errorMessage(error);
    onProblem(problem);
  };

  let timer: Timer | null = setTimeout(step, accumulateMs);

  return {
    add: (entries, rowId) => {
      aggregator.add(entries, rowId);
      timer ??= setTimeout(step, accumulateMs);
    },
    pending: aggregator.pending,
    problem: () => problem,
    close: () => {
      if (timer !== null) clearTimeout(timer);
      try {
        while (aggregator.step() !== 'empty');
      } catch (error) {
        // The rest stays in the log until the next start.
        report(error);
      }
    },
  };
}

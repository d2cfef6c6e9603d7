import type { Database } from 'bun:sqlite';
import { errorMessage } from '../../lib/errors.ts';
import { isUnwritable } from '../database/errors.ts';
import { type Aggregator, createAggregator } from './aggregate.ts';

/** Aggregates committed hits into the counters while the server runs. */
export interface BackgroundAggregation extends Pick<Aggregator, 'add' | 'pending'> {
  /** Returns why hits cannot be aggregated, which only damage explains, or null. */
  problem(): string | null;
  /** Aggregates the rest. Nothing may be added afterwards. */
  close(): void;
}

// Many hits at once are cheaper to aggregate. Until then, the totals of all codes do not show them.
const gatherMs = 1000;
// One piece per delay aggregates 25,000 codes a second.
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
  const damage = aggregator.unreadableRows > 0 ? 'a row of scan_log cannot be read' : null;
  if (damage !== null) onProblem(damage);
  let problem: string | null = null;

  const step = () => {
    timer = null;
    try {
      const result = aggregator.step();
      problem = null;
      if (result !== 'empty') timer = setTimeout(step, result === 'more' ? stepDelayMs : gatherMs);
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

  let timer: Timer | null = setTimeout(step, gatherMs);

  return {
    add: (entries, rowId) => {
      aggregator.add(entries, rowId);
      timer ??= setTimeout(step, gatherMs);
    },
    pending: aggregator.pending,
    problem: () => damage ?? problem,
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

import type { Database } from 'bun:sqlite';
import { errorMessage } from '../../lib/errors.ts';
import { isUnwritable } from '../database/write.ts';
import { createFold, type Fold, type FoldStep } from './aggregate.ts';
import { UnreadableRow } from './batch.ts';

/** Hits that are committed to the scan log and not yet in the counters, on their way there. */
export interface Unfolded extends Pick<Fold, 'add' | 'counts'> {
  /** Why what is written cannot be added up, which only damage explains; null while it can. */
  problem(): string | null;
  /** Folds what is left. Nothing may be added afterwards. */
  finish(): void;
}

// Hits gather before they are folded, because many at once are cheaper. What is read of a code counts
// them at once; the totals of all codes show them when they are folded.
const gatherMs = 1000;
// One piece per delay folds 25,000 codes a second. A larger burst stays in the log until it is over, unless
// adding it up again after a crash would take seconds. Putting rows in order is always hurried, because it
// shrinks what is left to fold.
const stepDelayMs = 20;
const hurriedStepDelayMs = 4;
const longBacklog = 20;
const retryDelayMs = 500;

/**
 * Folds what is committed to the scan log in steps that no redirect notices, and before it returns what
 * an earlier process left behind, unless another process writes just then.
 *
 * @param onProblem told when what is written cannot be added up
 */
export function createUnfolded(database: Database, onProblem: (problem: string) => void): Unfolded {
  const fold = createFold(database);
  let timer: Timer | null = null;
  let hasLeftovers = true;
  let leftoverProblem: string | null = null;
  let problem: string | null = null;

  /** Rows that cannot be read stay where they are, and stop nothing else. */
  const takeLeftovers = (take: () => void) => {
    if (!hasLeftovers) return;
    try {
      take();
    } catch (error) {
      if (!(error instanceof UnreadableRow)) throw error;
      leftoverProblem = error.message;
      onProblem(leftoverProblem);
    }
    hasLeftovers = false;
  };

  const step = () => {
    timer = null;
    try {
      takeLeftovers(fold.foldLeftovers);
      const taken = fold.step();
      problem = null;
      if (taken !== null) timer = setTimeout(step, delayBehind(taken));
    } catch (error) {
      failed(error);
      timer = setTimeout(step, retryDelayMs);
    }
  };

  const delayBehind = ({ ordered, more }: FoldStep) => {
    if (ordered || fold.backlog() > longBacklog) return hurriedStepDelayMs;
    return more ? stepDelayMs : gatherMs;
  };

  /** The log keeps everything until it can be folded, and what is read of a code counts it. */
  const failed = (error: unknown) => {
    // A full disk or another process shows when the next hits are written.
    if (isUnwritable(error) || problem !== null) return;
    problem = errorMessage(error);
    onProblem(problem);
  };

  // What is left behind belongs in the counters before anyone reads them. While another process writes it
  // cannot get there, and is counted as what is written from now on.
  try {
    takeLeftovers(fold.foldLeftovers);
  } catch (error) {
    failed(error);
    timer = setTimeout(step, retryDelayMs);
    try {
      takeLeftovers(fold.noteLeftovers);
    } catch (unread) {
      failed(unread);
    }
  }

  return {
    add: (entries, row) => {
      fold.add(entries, row);
      timer ??= setTimeout(step, gatherMs);
    },
    counts: fold.counts,
    problem: () => leftoverProblem ?? problem,
    finish: () => {
      if (timer !== null) clearTimeout(timer);
      try {
        takeLeftovers(fold.foldLeftovers);
        while (fold.step() !== null);
      } catch (error) {
        // What is in the log and not folded waits for the next start.
        failed(error);
      }
    },
  };
}

/**
 * Numbers the statements of this copy that write hits. Copy and number are a unique key, so that a statement
 * can be repeated after a lost connection without counting twice.
 */
export interface WriteSequence {
  /** Identifies this process among all that ever wrote to the database. */
  readonly copy: number;
  /** Returns the number of a new statement. */
  next(): number;
  /** Notes that a statement will not be repeated. */
  finish(number: number): void;
  /** Notes the same of a statement that was repeated. The first attempt may still be running. */
  settleRepeated(number: number): void;
  /** Returns the number up to which no statement will be repeated. */
  finishedThrough(): number;
}

// A server process that lost its client executes what it has received. It notices the end after that.
const firstAttemptMs = 60_000;

/** @param copy a random number below 2^53 */
export function createWriteSequence(
  copy: number,
  monotonicMs: () => number = performance.now.bind(performance),
): WriteSequence {
  let last = 0;
  /** In ascending order. */
  const open = new Set<number>();
  /** When each repeated number is finished. */
  const repeated = new Map<number, number>();

  return {
    copy,
    next: () => {
      last++;
      open.add(last);
      return last;
    },
    finish: (number) => void open.delete(number),
    settleRepeated: (number) => void repeated.set(number, monotonicMs() + firstAttemptMs),
    finishedThrough: () => {
      for (const [number, finishedAtMs] of repeated)
        if (finishedAtMs <= monotonicMs()) {
          repeated.delete(number);
          open.delete(number);
        }
      const [first] = open;
      return first === undefined ? last : first - 1;
    },
  };
}

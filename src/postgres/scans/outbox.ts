import { createHitCounts } from '../../core/scans/hit-counts.ts';
import {
  type HitEntries,
  hitCount,
  numbersPerEntry,
  splitEntries,
} from '../../core/scans/hit-entries.ts';

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

/** Hits in memory that wait for the database. */
export interface Outbox {
  /** Adds hits that no statement contained. */
  add(entries: HitEntries): void;
  /** Adds the hits of a statement that may have been executed. */
  addUncertain(number: number, entries: HitEntries): void;
  /** Returns the number of hits. */
  size(): number;
  /**
   * Writes all hits, each statement with the number that it had before.
   *
   * @param write writes the hits of a statement unless its number is in the database
   * @throws what `write` throws; the rest waits for the next call
   */
  flush(write: (number: number, entries: HitEntries) => Promise<void>): Promise<void>;
}

// About 100 MB. A hundred thousand codes reach it after ten hours.
const maxCounts = 1_000_000;

// One statement; it takes about 10 ms.
const countsPerStatement = 5000;

/** Creates an outbox whose memory is bounded by the number of codes, not by that of their hits. */
export function createOutbox(sequence: WriteSequence, capacity = maxCounts): Outbox {
  let counts = createHitCounts();
  const statements = new Map<number, HitEntries>();
  let size = 0;
  let fullSinceMs: number | null = null;

  /** When full, adds hits to the counts of one hour: totals stay exact, later hours do not. */
  const inBounds = (entries: HitEntries): HitEntries => {
    if (counts.size() < capacity) return entries;
    const [, atMs = 0] = entries;
    fullSinceMs ??= atMs;
    return entries.map((number, index) =>
      index % numbersPerEntry === 1 ? (fullSinceMs ?? 0) : number,
    );
  };

  return {
    add: (entries) => {
      counts.add(inBounds(entries));
      size += hitCount(entries);
    },
    addUncertain: (number, entries) => {
      statements.set(number, entries);
      size += hitCount(entries);
    },
    size: () => size,
    flush: async (write) => {
      const writeStatements = async () => {
        for (const [number, entries] of statements) {
          await write(number, entries);
          statements.delete(number);
          sequence.settleRepeated(number);
          size -= hitCount(entries);
        }
      };
      await writeStatements();
      // Only now, because a failure from here on leaves statements that may have been executed.
      for (const entries of splitEntries(counts.sorted(), countsPerStatement))
        statements.set(sequence.next(), entries);
      counts = createHitCounts();
      fullSinceMs = null;
      await writeStatements();
    },
  };
}

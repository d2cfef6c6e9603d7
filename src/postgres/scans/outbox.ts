import { createHitCounts } from '../../core/scans/hit-counts.ts';
import { type HitEntries, hitCount, splitEntries } from '../../core/scans/hit-entries.ts';

/**
 * The statements of a copy that write hits, and the hits in memory that wait for the database.
 * Statements are numbered: copy and number are a unique key, so that one can be repeated after a lost connection
 * without counting twice.
 */
export interface Outbox {
  /** Returns the number of a new statement. */
  begin(): number;
  /** Notes that a statement will not be repeated. */
  finish(number: number): void;
  /** Returns the number up to which no statement will be repeated. */
  finishedThrough(): number;
  /** Adds hits that no statement contained. */
  add(entries: HitEntries): void;
  /** Adds the hits of a statement that may have been executed. */
  addUncertain(number: number, entries: HitEntries): void;
  /** Returns the number of hits that wait. */
  size(): number;
  /**
   * Writes all hits, each statement with the number that it had before.
   *
   * @param write writes the hits of a statement unless its number is in the database
   * @throws what `write` throws; the rest waits for the next call
   */
  flush(write: (number: number, entries: HitEntries) => Promise<void>): Promise<void>;
}

// A server process that lost its client executes what it has received. It notices the end after that.
const firstAttemptMs = 60_000;

// One statement; it takes about 10 ms.
const countsPerStatement = 5000;

/**
 * Creates the outbox of a copy that has written nothing yet.
 * Its memory is bounded by codes and hours, not by hits.
 */
export function createOutbox(): Outbox {
  let last = 0;
  /** In ascending order. */
  const open = new Set<number>();
  /** When the first attempt of each repeated statement has ended. */
  const repeated = new Map<number, number>();
  let counts = createHitCounts();
  const statements = new Map<number, HitEntries>();
  let size = 0;

  const begin = () => {
    last++;
    open.add(last);
    return last;
  };

  return {
    begin,
    finish: (number) => void open.delete(number),
    finishedThrough: () => {
      for (const [number, endedAtMs] of repeated)
        if (endedAtMs <= performance.now()) {
          repeated.delete(number);
          open.delete(number);
        }
      const [first] = open;
      return first === undefined ? last : first - 1;
    },
    add: (entries) => {
      counts.add(entries);
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
          repeated.set(number, performance.now() + firstAttemptMs);
          size -= hitCount(entries);
        }
      };
      await writeStatements();
      // Only now, because a failure from here on leaves statements that may have been executed.
      for (const entries of splitEntries(counts.sorted(), countsPerStatement))
        statements.set(begin(), entries);
      counts = createHitCounts();
      await writeStatements();
    },
  };
}

import type { QrCursor } from '../ports.ts';

/** The interfaces that adapters implement for scans, see `core/ports.ts`. */

/** Scans in the hour that begins at `hourMs`. */
export interface HourlyScans {
  readonly hourMs: number;
  readonly scans: number;
}

/** Reads the counters of all codes of an account in batches. */
export interface OverviewStore {
  /**
   * Returns the counters of up to `limit` codes after a cursor, newest first. Scans that are not yet
   * aggregated may be missing.
   *
   * @param cursor null starts at the newest code
   */
  readCounters(
    scope: CounterScope,
    window: CounterWindow,
    cursor: QrCursor | null,
    limit: number,
  ): Promise<CounterBatch>;
}

/** The codes whose scans are counted. */
export interface CounterScope {
  readonly accountId: number;
  /**
   * Those of a folder that are not archived, null for those in none.
   * All codes of the account when left out.
   */
  readonly folder?: string | null;
}

/** What counts. All are the beginning of an hour. */
export interface CounterWindow {
  /** From when scans per hour are returned. */
  readonly sinceMs: number;
  /** Until when, exclusively. */
  readonly untilMs: number;
  /** From when scans count as `lateScans`. */
  readonly lateMs: number;
}

/** The counters of some codes of an account. */
export interface CounterBatch {
  /** Scans of all these codes per hour, in any order. */
  readonly hours: readonly HourlyScans[];
  /** Newest first. */
  readonly codes: readonly CodeCounters[];
}

/** The counters of a code. */
export interface CodeCounters extends QrCursor {
  readonly scans: number;
  readonly lastScanMs: number | null;
  /** Scans since `lateMs`. */
  readonly lateScans: number;
}

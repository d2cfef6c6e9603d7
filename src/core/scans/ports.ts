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
   * @param sinceMs beginning of an hour, from which scans per hour are returned
   * @param lateMs beginning of an hour, from which scans count as `lateScans`
   * @param cursor null starts at the newest code
   */
  readCounters(
    accountId: number,
    window: { readonly sinceMs: number; readonly lateMs: number },
    cursor: QrCursor | null,
    limit: number,
  ): Promise<CounterBatch>;
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

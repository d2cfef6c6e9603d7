import { gt, lte, or, type SQL } from 'drizzle-orm';
import type { Tables } from '../tables.ts';

type LeaseColumn = Tables['batches']['leaseUntilMs'] | Tables['accounts']['bulkEditUntilMs'];

// More than any lease, and than clocks of copies differ.
const longestMs = 3_600_000;

/** Returns the condition that a lease can be taken: it has expired, or was taken by a clock that was ahead. */
export function isFreeLease(column: LeaseColumn, nowMs: number): SQL | undefined {
  return or(lte(column, nowMs), gt(column, nowMs + longestMs));
}

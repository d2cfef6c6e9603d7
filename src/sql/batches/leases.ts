import { gt, lte, or, type SQL } from 'drizzle-orm';
import type { Tables } from '../tables.ts';

type LeaseColumn = Tables['batches']['leaseUntilMs'] | Tables['accounts']['bulkEditUntilMs'];

// Longer than any lease, and than the difference of clocks of copies.
const maxAheadMs = 3_600_000;

/**
 * Returns the condition that a lease can be taken.
 * It has expired, or ends so far ahead that a clock must have been wrong.
 */
export function isFreeLease(column: LeaseColumn, nowMs: number): SQL | undefined {
  return or(lte(column, nowMs), gt(column, nowMs + maxAheadMs));
}

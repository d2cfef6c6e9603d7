import { gt, lte, or, type SQL } from 'drizzle-orm';
import type { Tables } from '../tables.ts';

type LeaseColumn = Tables['batches']['leaseUntilMs'] | Tables['accounts']['bulkEditUntilMs'];

/**
 * Returns the condition that a lease can be taken: it has expired, or was taken by a clock that was ahead.
 * Clocks of copies may differ by as long as a lease.
 */
export function isFreeLease(column: LeaseColumn, nowMs: number, untilMs: number): SQL | undefined {
  return or(lte(column, nowMs), gt(column, untilMs + (untilMs - nowMs)));
}

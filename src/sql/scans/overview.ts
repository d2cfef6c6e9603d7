import { and, asc, desc, eq, gt, gte, inArray, sql } from 'drizzle-orm';
import type { QrCursor } from '../../core/ports.ts';
import { hourMs } from '../../core/scans/hit-counts.ts';
import type { OverviewStore } from '../../core/scans/ports.ts';
import { beforeNewest, isAfterCursor, newestFirst } from '../codes/qr-rows.ts';
import { type Builder, type Dialect, rowsOf } from '../dialect.ts';

/** Creates the store that overviews are computed from. */
export function createOverviewStore({ tables, read }: Dialect): OverviewStore {
  const { hourlyScans, qrs, scanCounters } = tables;
  const batchOf = (db: Builder, accountId: number, cursor: QrCursor, limit: number) =>
    db
      .select({ id: qrs.id, code: qrs.code, createdAtMs: qrs.createdAtMs })
      .from(qrs)
      .where(isAfterCursor(qrs, accountId, cursor))
      .orderBy(...newestFirst(qrs))
      .limit(limit)
      .as('batch');

  return {
    readCounters: (accountId, { sinceMs, lateMs }, cursor, limit) =>
      read(function* (db) {
        const batch = batchOf(db, accountId, cursor ?? beforeNewest, limit);
        const ids = db.select({ id: batch.id }).from(batch);
        const lastHour = sql`${scanCounters.lastScanMs} - ${scanCounters.lastScanMs} % ${sql.raw(String(hourMs))}`;
        const codes = yield* rowsOf(
          db
            .select({
              code: batch.code,
              createdAtMs: batch.createdAtMs,
              scans: sql`coalesce(${scanCounters.scans}, 0)`.mapWith(Number),
              lastScanMs: sql<number | null>`nullif(${scanCounters.lastScanMs}, 0)`.mapWith(Number),
              lateScans: sql`coalesce((select sum(${hourlyScans.scans}) from ${hourlyScans}
                  where ${hourlyScans.qrId} = ${batch.id} and ${hourlyScans.hourMs} >= ${lateMs}), 0)
                + case when ${scanCounters.lastScanMs} >= ${lateMs} then ${scanCounters.scansInHour} else 0 end`.mapWith(
                Number,
              ),
            })
            .from(batch)
            .leftJoin(scanCounters, eq(scanCounters.qrId, batch.id))
            .orderBy(desc(batch.createdAtMs), asc(batch.code)),
        );
        const full = db
          .select({ hourMs: sql`${hourlyScans.hourMs}`.as('hour'), scans: hourlyScans.scans })
          .from(hourlyScans)
          .where(and(inArray(hourlyScans.qrId, ids), gte(hourlyScans.hourMs, sinceMs)));
        const last = db
          .select({ hourMs: lastHour.as('hour'), scans: scanCounters.scansInHour })
          .from(scanCounters)
          .where(
            and(
              inArray(scanCounters.qrId, ids),
              gte(scanCounters.lastScanMs, sinceMs),
              gt(scanCounters.scansInHour, 0),
            ),
          );
        const all = full.unionAll(last).as('hours');
        const hours = yield* rowsOf(
          db
            .select({
              hourMs: sql`${all.hourMs}`.mapWith(Number),
              scans: sql`sum(${all.scans})`.mapWith(Number),
            })
            .from(all)
            .groupBy(all.hourMs),
        );
        return { codes, hours };
      }),
  };
}

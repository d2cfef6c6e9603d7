import { asc, desc, eq, inArray, sql } from 'drizzle-orm';
import type { OverviewStore } from '../../core/scans/ports.ts';
import { beforeNewest, isAfterCursor, newestFirst } from '../codes/qr-rows.ts';
import { scansByHour } from '../codes/statistics.ts';
import { type Dialect, pick, rowsOf } from '../dialect.ts';

/** Creates the store that overviews are computed from. */
export function createOverviewStore({ tables, read }: Dialect): OverviewStore {
  const { hourlyScans, qrs, scanCounters } = tables;

  return {
    readCounters: (accountId, { sinceMs, lateMs }, cursor, limit) =>
      read(function* (db) {
        const batch = db
          .select(pick(qrs, 'id', 'code', 'createdAtMs'))
          .from(qrs)
          .where(isAfterCursor(qrs, accountId, cursor ?? beforeNewest))
          .orderBy(...newestFirst(qrs))
          .limit(limit)
          .as('batch');
        const { scans, lastScanMs, lastHourMs, scansInHour } = scanCounters;
        const late = sql`coalesce((select sum(${hourlyScans.scans}) from ${hourlyScans}
            where ${hourlyScans.qrId} = ${batch.id} and ${hourlyScans.hourMs} >= ${lateMs}), 0)
          + case when ${lastHourMs} >= ${lateMs} then ${scansInHour} else 0 end`;
        const codes = yield* rowsOf(
          db
            .select({
              ...pick(batch, 'code', 'createdAtMs'),
              scans: sql`coalesce(${scans}, 0)`.mapWith(Number),
              lastScanMs: sql<number | null>`nullif(${lastScanMs}, 0)`.mapWith(Number),
              lateScans: late.mapWith(Number),
            })
            .from(batch)
            .leftJoin(scanCounters, eq(scanCounters.qrId, batch.id))
            .orderBy(desc(batch.createdAtMs), asc(batch.code)),
        );
        const ids = db.select({ id: batch.id }).from(batch);
        const counted = scansByHour(tables, (id) => inArray(id, ids), sinceMs);
        const hours = yield* rowsOf(
          db
            .select({
              hourMs: sql`hour`.mapWith(Number),
              scans: sql`sum(scans)`.mapWith(Number),
            })
            .from(sql`(${counted}) as hours`)
            .groupBy(sql`hour`),
        );
        return { codes, hours };
      }),
  };
}

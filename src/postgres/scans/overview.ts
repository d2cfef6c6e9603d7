import { and, asc, desc, eq, gt, gte, inArray, lt, lte, or, sql } from 'drizzle-orm';
import type { QrCursor } from '../../core/ports.ts';
import type { OverviewStore } from '../../core/scans/overview.ts';
import { hourlyScans, qrs, scanCounters } from '../database/schema.ts';
import type { Store } from '../database/store.ts';

const hourMs = sql.raw('3600000');

/** Creates the store that overviews are computed from. */
export function createOverviewStore(store: Store): OverviewStore {
  const batchOf = (accountId: number, cursor: QrCursor | null, limit: number) =>
    store
      .select({ id: qrs.id, code: qrs.code, createdAtMs: qrs.createdAtMs })
      .from(qrs)
      .where(
        and(
          eq(qrs.accountId, accountId),
          // The first bound repeats part of the second, so that the index can be used.
          cursor === null ? undefined : lte(qrs.createdAtMs, cursor.createdAtMs),
          cursor === null
            ? undefined
            : or(lt(qrs.createdAtMs, cursor.createdAtMs), gt(qrs.code, cursor.code)),
        ),
      )
      .orderBy(desc(qrs.createdAtMs), asc(qrs.code))
      .limit(limit)
      .as('batch');

  return {
    readCounters: async (accountId, { sinceMs, lateMs }, cursor, limit) => {
      const batch = batchOf(accountId, cursor, limit);
      const ids = store.select({ id: batch.id }).from(batch);
      const codes = await store
        .select({
          code: batch.code,
          createdAtMs: batch.createdAtMs,
          scans: sql<number>`coalesce(${scanCounters.scans}, 0)`.mapWith(Number),
          lastScanMs: sql<number | null>`nullif(${scanCounters.lastScanMs}, 0)`.mapWith(Number),
          lateScans: sql<number>`coalesce((select sum(${hourlyScans.scans}) from ${hourlyScans}
              where ${hourlyScans.qrId} = ${batch.id} and ${hourlyScans.hourMs} >= ${lateMs}), 0)
            + case when ${scanCounters.lastScanMs} >= ${lateMs} then ${scanCounters.scansInHour} else 0 end`.mapWith(
            Number,
          ),
        })
        .from(batch)
        .leftJoin(scanCounters, eq(scanCounters.qrId, batch.id))
        .orderBy(desc(batch.createdAtMs), asc(batch.code));
      const full = store
        .select({ hour: sql`${hourlyScans.hourMs}`.as('hour'), scans: hourlyScans.scans })
        .from(hourlyScans)
        .where(and(inArray(hourlyScans.qrId, ids), gte(hourlyScans.hourMs, sinceMs)));
      const last = store
        .select({
          hour: sql`${scanCounters.lastScanMs} - ${scanCounters.lastScanMs} % ${hourMs}`.as('hour'),
          scans: scanCounters.scansInHour,
        })
        .from(scanCounters)
        .where(
          and(
            inArray(scanCounters.qrId, ids),
            gte(scanCounters.lastScanMs, sinceMs),
            gt(scanCounters.scansInHour, 0),
          ),
        );
      const hours = await store.execute(
        sql`select hour, sum(scans) as scans from (${full} union all ${last}) as hours(hour, scans) group by hour`,
      );
      return {
        codes,
        hours: hours.map((row) => ({
          hourMs: Number(row['hour']),
          scans: Number(row['scans']),
        })),
      };
    },
  };
}

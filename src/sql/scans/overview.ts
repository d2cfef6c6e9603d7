import { asc, desc, eq, inArray, sql } from 'drizzle-orm';
import type { OverviewStore } from '../../core/scans/ports.ts';
import { indexOfAll, rowsAfter } from '../codes/list-filters.ts';
import { scansByHour } from '../codes/statistics.ts';
import type { Builder, Dialect } from '../dialect.ts';

/** Creates the store that overviews are computed from. */
export function createOverviewStore({ tables, read, prepare }: Dialect): OverviewStore {
  const { hourlyScans, scanCounters } = tables;
  const index = indexOfAll(tables);
  const { placeholder } = sql;
  const batch = sql`(${rowsAfter(index)} limit ${placeholder('limit')}) as batch`;
  const ids = (db: Builder) => db.select({ id: sql`id` }).from(batch);
  const codesOf = prepare((db) => {
    const { scans, lastScanMs, lastHourMs, scansInHour } = scanCounters;
    const isLate = sql`>= ${placeholder('lateMs')}`;
    const late = sql`coalesce((select sum(${hourlyScans.scans}) from ${hourlyScans}
        where ${hourlyScans.qrId} = batch.id and ${hourlyScans.hourMs} ${isLate}), 0)
      + case when ${lastHourMs} ${isLate} then ${scansInHour} else 0 end`;
    return db
      .select({
        createdAtMs: sql`batch.major`.mapWith(Number),
        code: sql`batch.minor`.mapWith(String),
        scans: sql`coalesce(${scans}, 0)`.mapWith(Number),
        lastScanMs: sql<number | null>`nullif(${lastScanMs}, 0)`.mapWith(Number),
        lateScans: late.mapWith(Number),
      })
      .from(batch)
      .leftJoin(scanCounters, eq(scanCounters.qrId, sql`batch.id`))
      .orderBy(desc(sql`batch.major`), asc(sql`batch.minor`));
  });
  const hoursOf = prepare((db) => {
    const counted = scansByHour(tables, (id) => inArray(id, ids(db)), placeholder('sinceMs'));
    return db
      .select({ hourMs: sql`hour`.mapWith(Number), scans: sql`sum(scans)`.mapWith(Number) })
      .from(sql`(${counted}) as hours`)
      .groupBy(sql`hour`);
  });

  return {
    readCounters: (accountId, { sinceMs, lateMs }, cursor, limit) =>
      read(function* (db) {
        const from =
          cursor === null ? index.start : { major: cursor.createdAtMs, minor: cursor.code };
        const values = { accountId, ...from, limit };
        const codes = yield* codesOf.within(db, { ...values, lateMs });
        const hours = yield* hoursOf.within(db, { ...values, sinceMs });
        return { codes, hours };
      }),
  };
}

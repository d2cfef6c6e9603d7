import { asc, desc, eq, inArray, sql } from 'drizzle-orm';
import type { OverviewStore } from '../../core/scans/ports.ts';
import { createFilters, indexOfAll, type ListIndex, rowsAfter } from '../codes/list-filters.ts';
import { scansByHour } from '../codes/statistics.ts';
import type { Builder, Dialect } from '../dialect.ts';

/** Creates the store that overviews are computed from. */
export function createOverviewStore(dialect: Dialect): OverviewStore {
  const { tables, read, prepare } = dialect;
  const { hourlyScans, scanCounters } = tables;
  const { placeholder } = sql;
  const batchOf = (index: ListIndex) =>
    sql`(${rowsAfter(index)} limit ${placeholder('limit')}) as batch`;
  const countersOf = (index: ListIndex) => (db: Builder) => {
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
      .from(batchOf(index))
      .leftJoin(scanCounters, eq(scanCounters.qrId, sql`batch.id`))
      .orderBy(desc(sql`batch.major`), asc(sql`batch.minor`));
  };
  const hoursOf = (index: ListIndex) => (db: Builder) => {
    const ids = db.select({ id: sql`id` }).from(batchOf(index));
    const counted = scansByHour(
      tables,
      (id) => inArray(id, ids),
      placeholder('sinceMs'),
      placeholder('untilMs'),
    );
    return db
      .select({ hourMs: sql`hour`.mapWith(Number), scans: sql`sum(scans)`.mapWith(Number) })
      .from(sql`(${counted}) as hours`)
      .groupBy(sql`hour`);
  };
  const all = indexOfAll(tables);
  const ofAll = {
    index: all,
    counters: prepare(countersOf(all)),
    hours: prepare(hoursOf(all)),
  };
  const filterBy = createFilters(dialect);
  const ofFolder = (accountId: number, folder: string | null) => {
    const { index, prepare: prepareAs } = filterBy(accountId, { folder }, 'newest');
    return {
      index,
      counters: prepareAs('counters', countersOf(index)),
      hours: prepareAs('hours', hoursOf(index)),
    };
  };

  return {
    readCounters: ({ accountId, folder }, { sinceMs, untilMs, lateMs }, cursor, limit) =>
      read(function* (db) {
        const { index, counters, hours } =
          folder === undefined ? ofAll : ofFolder(accountId, folder);
        const from =
          cursor === null ? index.start : { major: cursor.createdAtMs, minor: cursor.code };
        const values = { accountId, ...(typeof folder === 'string' && { folder }), ...from, limit };
        const codes = yield* counters.within(db, { ...values, lateMs });
        return { codes, hours: yield* hours.within(db, { ...values, sinceMs, untilMs }) };
      }),
  };
}

import { and, count, desc, eq, gte, isNull, type SQL, sql } from 'drizzle-orm';
import type { CodeFilter, CodeListStore, CodeSort } from '../../core/codes/ports.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { type Builder, type Dialect, type Operation, rowOf, rowsOf } from '../dialect.ts';
import type { Tables } from '../tables.ts';
import { createQrRows, newestFirst } from './qr-rows.ts';

const dayMs = 86_400_000;

// Sorting these takes a few milliseconds.
const fewCodes = 1000;

/** Tells whether a code is selected, archived or not. */
function isSelected({ flags, qrs, scanCounters }: Tables, filter: CodeFilter): SQL | undefined {
  const { status, folder, designId, isFlagged, isNeverScanned, quietSinceMs } = filter;
  const hasCounters = (condition: SQL) =>
    sql`exists (select 1 from ${scanCounters} where ${scanCounters.qrId} = ${qrs.id} and ${condition})`;
  return and(
    status === undefined ? undefined : eq(qrs.status, status),
    folder === undefined
      ? undefined
      : folder === null
        ? isNull(qrs.folder)
        : eq(qrs.folder, folder),
    designId === undefined ? undefined : eq(qrs.designId, designId),
    isFlagged ? sql`${qrs.id} in (select ${flags.qrId} from ${flags})` : undefined,
    isNeverScanned ? hasCounters(sql`${scanCounters.scans} = 0`) : undefined,
    quietSinceMs === undefined
      ? undefined
      : hasCounters(
          sql`${scanCounters.scans} > 0 and ${scanCounters.lastScanMs} < ${quietSinceMs}`,
        ),
  );
}

/** Returns the condition on the codes that a filter selects. */
export function isListed(tables: Tables, accountId: number, filter: CodeFilter): SQL | undefined {
  return and(
    eq(tables.qrs.accountId, accountId),
    eq(tables.qrs.isArchived, filter.isArchived ?? false),
    isSelected(tables, filter),
  );
}

/** Returns whether a code is selected by its scans also with those that are not aggregated yet. */
export function isStillSelected({ isNeverScanned, quietSinceMs }: CodeFilter) {
  return ({ scans, lastScanMs }: Qr): boolean =>
    (!isNeverScanned || scans === 0) &&
    (quietSinceMs === undefined || (lastScanMs ?? 0) < quietSinceMs);
}

/** Creates the store of lists and folders. */
export function createCodeListStore(dialect: Dialect): CodeListStore {
  const { tables, read, write, isOneOf } = dialect;
  const { accounts, hourlyScans, qrs, scanCounters } = tables;
  const { select, toQr } = createQrRows(dialect);

  /** Counts codes by an index; most lists have only few codes less than all that the account has. */
  function* countCodes(db: Builder, accountId: number, filter: CodeFilter): Operation<number> {
    const countOf = function* (counted: CodeFilter) {
      const codes = db.select({ codes: count() }).from(qrs);
      return (yield* rowOf(codes.where(isListed(tables, accountId, counted))))?.codes ?? 0;
    };
    const { isArchived, ...others } = filter;
    const [first, second] = Object.keys(others);
    if (isArchived || second !== undefined || (first !== undefined && first !== 'isNeverScanned'))
      return yield* countOf(filter);
    const all =
      first === undefined
        ? db.select({ codes: accounts.qrCount }).from(accounts).where(eq(accounts.id, accountId))
        : db
            .select({ codes: count() })
            .from(scanCounters)
            .where(and(eq(scanCounters.accountId, accountId), eq(scanCounters.scans, 0)));
    const archived = yield* countOf({ ...filter, isArchived: true });
    return ((yield* rowOf(all))?.codes ?? 0) - archived;
  }

  /** Selects ids in the order of scans, along the index of the counters. */
  const idsByScans = (db: Builder, accountId: number, where: SQL | undefined) =>
    db
      .select({ id: qrs.id })
      .from(scanCounters)
      .innerJoin(qrs, eq(qrs.id, scanCounters.qrId))
      .where(and(eq(scanCounters.accountId, accountId), where));
  const idsOfPage = (db: Builder, accountId: number, where: SQL | undefined, sort: CodeSort) => {
    if (sort === 'scans' || sort === 'last-scan') {
      const rank = sort === 'scans' ? scanCounters.scans : scanCounters.lastScanMs;
      return idsByScans(db, accountId, where).orderBy(desc(rank), desc(scanCounters.qrId));
    }
    const order = sort === 'newest' ? newestFirst(qrs) : [qrs.nameKey, qrs.id];
    return db
      .select({ id: qrs.id })
      .from(qrs)
      .where(where)
      .orderBy(...order);
  };
  /** Selects few codes without their order: along the index of an order, many others would come between them. */
  const idsOfFew = (db: Builder, accountId: number, filter: CodeFilter) => {
    const where = isListed(tables, accountId, filter);
    return filter.isNeverScanned
      ? idsByScans(db, accountId, and(eq(scanCounters.scans, 0), where))
      : db.select({ id: qrs.id }).from(qrs).where(where);
  };

  return {
    sortedPage: (accountId, filter, sort, limit, offset) =>
      read(function* (db) {
        const total = yield* countCodes(db, accountId, filter);
        let where = isListed(tables, accountId, filter);
        if (total <= fewCodes) {
          const few = yield* rowsOf(idsOfFew(db, accountId, filter));
          if (few.length === 0) return { qrs: [], total: 0 };
          where = isOneOf(
            qrs.id,
            few.map(({ id }) => id),
          );
        }
        // Codes without scans are equal in the order of scans.
        const order = filter.isNeverScanned && sort !== 'name' ? 'newest' : sort;
        // For those that were scanned in the last second.
        const spareCodes = filter.isNeverScanned ? 25 : 0;
        const page = idsOfPage(db, accountId, where, order)
          .limit(limit + spareCodes)
          .offset(offset);
        const ids = (yield* rowsOf(page)).map(({ id }) => id);
        const rows = ids.length === 0 ? [] : yield* rowsOf(select(db, ids));
        const found = new Map(rows.map((row) => [row.id, toQr(row)]));
        const listed = ids.flatMap((id) => found.get(id) ?? []).filter(isStillSelected(filter));
        return { qrs: listed.slice(0, limit), total };
      }),
    folders: (accountId) =>
      read((db) =>
        rowsOf(
          db
            .select({ name: qrs.folder, codes: count() })
            .from(qrs)
            .where(isListed(tables, accountId, {}))
            .groupBy(qrs.folder)
            .orderBy(qrs.folder),
        ),
      ),
    renameFolder: async (accountId, name, newName) => {
      const isIn = and(eq(qrs.accountId, accountId), eq(qrs.folder, name));
      const changed = await write((db) =>
        db.update(qrs).set({ folder: newName }).where(isIn).returning({ id: qrs.id }),
      );
      return changed.length;
    },
    dailyScans: (qrIds, sinceMs) =>
      read((db) => {
        const day = sql.raw(String(dayMs));
        const past = db
          .select({
            qrId: hourlyScans.qrId,
            dayMs: sql`${hourlyScans.hourMs} - ${hourlyScans.hourMs} % ${day}`.as('day'),
            scans: hourlyScans.scans,
          })
          .from(hourlyScans)
          .where(and(isOneOf(hourlyScans.qrId, qrIds), gte(hourlyScans.hourMs, sinceMs)));
        const last = db
          .select({
            qrId: scanCounters.qrId,
            dayMs: sql`${scanCounters.lastScanMs} - ${scanCounters.lastScanMs} % ${day}`.as('day'),
            scans: scanCounters.scansInHour,
          })
          .from(scanCounters)
          .where(and(isOneOf(scanCounters.qrId, qrIds), gte(scanCounters.lastScanMs, sinceMs)));
        const all = past.unionAll(last).as('days');
        return rowsOf(
          db
            .select({
              qrId: all.qrId,
              dayMs: sql`${all.dayMs}`.mapWith(Number),
              scans: sql`sum(${all.scans})`.mapWith(Number),
            })
            .from(all)
            .groupBy(all.qrId, all.dayMs),
        );
      }),
  };
}

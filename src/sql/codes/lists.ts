import { and, count, desc, eq, gte, isNull, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { CodeFilter, CodeListStore, CodeSort } from '../../core/codes/ports.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { type Builder, type Dialect, type Operation, rowOf, rowsOf } from '../dialect.ts';
import type { Tables } from '../tables.ts';
import { createQrRows, newestFirst } from './qr-rows.ts';

const dayMs = 86_400_000;

// Sorting these takes a few milliseconds.
const fewCodes = 1000;

/** Tells whether a filter selects a code by its row. */
function isSelected({ flags, qrs }: Tables, filter: CodeFilter): SQL | undefined {
  const { isArchived = false, status, folder, designId, isFlagged } = filter;
  const inFolder = folder === null ? isNull(qrs.folder) : folder && eq(qrs.folder, folder);
  return and(
    eq(qrs.isArchived, isArchived),
    status && eq(qrs.status, status),
    inFolder || undefined,
    designId === undefined ? undefined : eq(qrs.designId, designId),
    isFlagged ? sql`${qrs.id} in (select ${flags.qrId} from ${flags})` : undefined,
  );
}

/** Tells whether a filter selects a code by its counters; undefined if it does not ask for them. */
function isCounted({ scanCounters }: Tables, filter: CodeFilter): SQL | undefined {
  const { isNeverScanned, quietSinceMs } = filter;
  const isQuiet = sql`${scanCounters.scans} > 0 and ${scanCounters.lastScanMs} < ${quietSinceMs}`;
  return and(
    isNeverScanned ? eq(scanCounters.scans, 0) : undefined,
    quietSinceMs === undefined ? undefined : isQuiet,
  );
}

/** Returns the condition on the codes that a filter selects. */
export function isListed(tables: Tables, accountId: number, filter: CodeFilter): SQL | undefined {
  const { qrs, scanCounters } = tables;
  const counted = isCounted(tables, filter);
  return and(
    // The few flagged codes are read one by one. A plus keeps the indexes of the account out of that.
    filter.isFlagged ? sql`+${qrs.accountId} = ${accountId}` : eq(qrs.accountId, accountId),
    isSelected(tables, filter),
    counted &&
      sql`exists (select 1 from ${scanCounters} where ${scanCounters.qrId} = ${qrs.id} and ${counted})`,
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
  const { tables, read, write, prepare, isOneOf, list } = dialect;
  const { accounts, hourlyScans, qrs, scanCounters } = tables;
  const { select, toQr } = createQrRows(dialect);
  const byIds = prepare((db) => select(db, sql.placeholder('ids')));

  const idsByRow = (db: Builder, accountId: number, filter: CodeFilter) =>
    db
      .select({ id: qrs.id })
      .from(qrs)
      .where(isListed(tables, accountId, filter))
      .$dynamic();
  /** Selects the same ids along an index of the counters: only they have the account as a condition. */
  const idsByCounters = (db: Builder, accountId: number, filter: CodeFilter) =>
    db
      .select({ id: qrs.id })
      .from(scanCounters)
      .innerJoin(qrs, eq(qrs.id, scanCounters.qrId))
      .where(
        and(
          eq(scanCounters.accountId, accountId),
          isCounted(tables, filter),
          isSelected(tables, filter),
        ),
      )
      .$dynamic();
  const idsOf = (db: Builder, accountId: number, filter: CodeFilter) =>
    isCounted(tables, filter)
      ? idsByCounters(db, accountId, filter)
      : idsByRow(db, accountId, filter);

  /** Selects few codes and sorts them: along the index of an order, many others would come between them. */
  const idsOfFew = (db: Builder, accountId: number, filter: CodeFilter, sort: CodeSort) => {
    const counter = (column: AnyPgColumn) =>
      sql`(select ${column} from ${scanCounters} where ${scanCounters.qrId} = ${qrs.id}) desc`;
    // Expressions are not read from an index.
    const order = {
      newest: [sql`${qrs.createdAtMs} + 0 desc`, qrs.code],
      name: [sql`${qrs.nameKey} || ''`, qrs.id],
      scans: [counter(scanCounters.scans), desc(qrs.id)],
      'last-scan': [counter(scanCounters.lastScanMs), desc(qrs.id)],
    }[sort];
    return idsOf(db, accountId, filter).orderBy(...order);
  };
  const idsOfMany = (db: Builder, accountId: number, filter: CodeFilter, sort: CodeSort) => {
    if (sort === 'newest') return idsByRow(db, accountId, filter).orderBy(...newestFirst(qrs));
    if (sort === 'name') return idsByRow(db, accountId, filter).orderBy(qrs.nameKey, qrs.id);
    const rank = sort === 'scans' ? scanCounters.scans : scanCounters.lastScanMs;
    return idsByCounters(db, accountId, filter).orderBy(desc(rank), desc(scanCounters.qrId));
  };

  const ofAccount = prepare((db) =>
    db
      .select({ codes: accounts.qrCount })
      .from(accounts)
      .where(eq(accounts.id, sql.placeholder('accountId'))),
  );
  /** Counts the codes of a list. Returns null when that takes more than `max` steps of an index. */
  function* countCodes(
    db: Builder,
    accountId: number,
    filter: CodeFilter,
    max: number,
  ): Operation<number | null> {
    // An account has few archived codes.
    const isAll = Object.keys(filter).length === 0;
    const counted = idsOf(db, accountId, isAll ? { isArchived: true } : filter).limit(max + 1);
    const rows = db.select({ codes: count() }).from(counted.as('counted'));
    const { codes } = (yield* rowOf(rows)) ?? { codes: 0 };
    if (codes > max) return null;
    if (!isAll) return codes;
    const [account] = yield* ofAccount.within(db, { accountId });
    return (account?.codes ?? 0) - codes;
  }

  /** Selects the names of folders, each by one step of the index of folders. */
  const folderNames = (accountId: number) => {
    const next = (after: SQL) =>
      sql`select min(${qrs.folder}) as name from ${qrs} where ${isListed(tables, accountId, {})} and ${after}`;
    return sql`(with recursive names as (${next(sql`true`)} union all
      select (${next(sql`${qrs.folder} > names.name`)}) from names where names.name is not null
    ) select name from names) as folders`;
  };

  return {
    sortedPage: (accountId, filter, sort, limit, offset, maxTotal) =>
      read(function* (db) {
        const total = yield* countCodes(db, accountId, filter, maxTotal);
        const isFew = total !== null && total <= fewCodes && Object.keys(filter).length > 0;
        // Codes without scans are equal in the order of scans.
        const key = filter.isNeverScanned && sort !== 'name' ? 'newest' : sort;
        const ids = (isFew ? idsOfFew : idsOfMany)(db, accountId, filter, key)
          // One shows that there are more. Others replace those that were scanned in the last second.
          .limit(limit + 1 + (filter.isNeverScanned ? 25 : 0))
          .offset(offset);
        const order = (total === 0 ? [] : yield* rowsOf(ids)).map(({ id }) => id);
        const rows = order.length === 0 ? [] : yield* byIds.within(db, { ids: list(order) });
        const found = new Map(rows.map((row) => [row.id, toQr(row)]));
        const listed = order.flatMap((id) => found.get(id) ?? []).filter(isStillSelected(filter));
        return { qrs: listed.slice(0, limit), total, hasMore: listed.length > limit };
      }),
    folders: (accountId, maxCodes) =>
      read(function* (db) {
        const [account] = yield* ofAccount.within(db, { accountId });
        const isCounted = (account?.codes ?? 0) <= maxCodes;
        const name = isCounted ? qrs.folder : sql<string | null>`name`;
        const codes = isCounted ? count() : sql<null>`null`;
        const folders = db.select({ name, codes });
        return yield* rowsOf(
          isCounted
            ? folders
                .from(qrs)
                .where(isListed(tables, accountId, {}))
                .groupBy(qrs.folder)
            : folders.from(folderNames(accountId)),
        );
      }),
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

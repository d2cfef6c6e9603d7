import {
  and,
  count,
  desc,
  eq,
  gt,
  gte,
  isNull,
  lt,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { CodeFilter, CodeListStore, CodeSort } from '../../core/codes/ports.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { type Builder, type Dialect, type Operation, rowOf, rowsOf } from '../dialect.ts';
import type { Tables } from '../tables.ts';
import { createQrRows, newestFirst } from './qr-rows.ts';
import { lowestRank } from './scan-ranks.ts';
import { scansByHour } from './statistics.ts';

type Owner = number | Placeholder;

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
  const { scans, lastScanMs, lastHourMs } = scanCounters;
  return and(
    // The hour, of which there is an index, follows from the other condition.
    isNeverScanned ? and(eq(scans, 0), eq(lastHourMs, 0)) : undefined,
    quietSinceMs === undefined
      ? undefined
      : and(gt(scans, 0), lt(lastScanMs, quietSinceMs), lt(lastHourMs, quietSinceMs)),
  );
}

/** Returns the condition on the codes that a filter selects. */
export function isListed(tables: Tables, accountId: Owner, filter: CodeFilter): SQL | undefined {
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
  const { accounts, qrs, scanCounters } = tables;
  const { select, toQr } = createQrRows(dialect);
  const owner = sql.placeholder('accountId');
  const [askedIds, sinceMs] = [sql.placeholder('ids'), sql.placeholder('sinceMs')];
  const byIds = prepare((db) => select(db, askedIds));
  const scansByDay = prepare((db) => {
    const hours = scansByHour(tables, (id) => isOneOf(id, askedIds), sinceMs);
    const day = sql`hour - hour % ${sql.raw(String(dayMs))}`;
    return db
      .select({
        qrId: sql`id`.mapWith(Number),
        dayMs: day.mapWith(Number),
        scans: sql`sum(scans)`.mapWith(Number),
      })
      .from(sql`(${hours}) as hours`)
      .groupBy(sql`id, ${day}`);
  });

  const idsByRow = (db: Builder, accountId: Owner, filter: CodeFilter) =>
    db
      .select({ id: qrs.id })
      .from(qrs)
      .where(isListed(tables, accountId, filter))
      .$dynamic();
  const areCountersListed = (accountId: Owner, filter: CodeFilter) =>
    and(
      eq(scanCounters.accountId, accountId),
      isCounted(tables, filter),
      isSelected(tables, filter),
    );
  /** Selects the same ids along an index of the counters: only they have the account as a condition. */
  const idsByCounters = (db: Builder, accountId: Owner, filter: CodeFilter, isRanked?: SQL) =>
    db
      .select({ id: qrs.id })
      .from(scanCounters)
      .innerJoin(qrs, eq(qrs.id, scanCounters.qrId))
      .where(and(areCountersListed(accountId, filter), isRanked))
      .$dynamic();
  const idsOf = (db: Builder, accountId: Owner, filter: CodeFilter) =>
    (isCounted(tables, filter) ? idsByCounters : idsByRow)(db, accountId, filter);

  /** Selects few codes and sorts them: along the index of an order, many others would come between them. */
  const idsOfFew = (db: Builder, accountId: Owner, filter: CodeFilter, sort: CodeSort) => {
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
  const idsInOrder = (db: Builder, accountId: Owner, filter: CodeFilter, sort: 'newest' | 'name') =>
    idsByRow(db, accountId, filter).orderBy(
      ...(sort === 'newest' ? newestFirst(qrs) : [qrs.nameKey, qrs.id]),
    );
  /** Selects codes in an order by scans. Reads as many as may be on the pages up to an end, along the index of ranks. */
  function* idsByScans(
    db: Builder,
    accountId: number,
    filter: CodeFilter,
    sort: 'scans' | 'last-scan',
    end: number,
  ) {
    const { scans, rankedScans, lastScanMs, lastHourMs, qrId } = scanCounters;
    const [exact, rank] = sort === 'scans' ? [scans, rankedScans] : [lastScanMs, lastHourMs];
    const ranks = db.select({ rank }).from(scanCounters).innerJoin(qrs, eq(qrs.id, qrId));
    const last = yield* rowOf(
      ranks
        .where(areCountersListed(accountId, filter))
        .orderBy(desc(rank), desc(qrId))
        .limit(1)
        .offset(end - 1),
    );
    // As many codes as the pages have at least this rank, so none with fewer scans is on them.
    const least = sort === 'scans' ? lowestRank(last?.rank ?? 0) : (last?.rank ?? 0);
    const ids = idsByCounters(db, accountId, filter, gte(rank, least));
    return ids.orderBy(desc(exact), desc(qrId));
  }

  const countUpTo = (db: Builder, max: number | Placeholder, ...of: [Owner, CodeFilter]) =>
    db.select({ codes: count() }).from(
      idsOf(db, ...of)
        .limit(max)
        .as('counted'),
    );

  // What most requests run.
  const ofAccount = prepare((db) =>
    db.select({ codes: accounts.qrCount }).from(accounts).where(eq(accounts.id, owner)),
  );
  const archived = prepare((db) =>
    countUpTo(db, sql.placeholder('max'), owner, { isArchived: true }),
  );
  const all = (sort: 'newest' | 'name') =>
    prepare((db) =>
      idsInOrder(db, owner, {}, sort)
        .limit(sql.placeholder('limit'))
        .offset(sql.placeholder('offset')),
    );
  const allInOrder = { newest: all('newest'), name: all('name') };
  const countedFolders = prepare((db) =>
    db
      .select({ name: qrs.folder, codes: count() })
      .from(qrs)
      .where(isListed(tables, owner, {}))
      .groupBy(qrs.folder),
  );
  /** Finds each folder by one step of their index. */
  const uncountedFolders = prepare((db) => {
    const next = (after: SQL) =>
      sql`select min(${qrs.folder}) as name from ${qrs} where ${isListed(tables, owner, {})} and ${after}`;
    const names = sql`(with recursive names as (${next(sql`true`)} union all
      select (${next(sql`${qrs.folder} > names.name`)}) from names where names.name is not null
    ) select name from names) as folders`;
    return db.select({ name: sql<string | null>`name`, codes: sql<null>`null` }).from(names);
  });

  /** Counts the codes of a list. Returns null when that takes more than `max` steps of an index. */
  function* countCodes(
    db: Builder,
    accountId: number,
    filter: CodeFilter,
    max: number,
  ): Operation<number | null> {
    const isAll = Object.keys(filter).length === 0;
    // Of all codes of an account, few are archived.
    const [counted] = isAll
      ? yield* archived.within(db, { accountId, max: max + 1 })
      : yield* rowsOf(countUpTo(db, max + 1, accountId, filter));
    const codes = counted?.codes ?? 0;
    if (codes > max) return null;
    const [account] = isAll ? yield* ofAccount.within(db, { accountId }) : [];
    return account === undefined ? codes : account.codes - codes;
  }

  return {
    sortedPage: (accountId, filter, sort, limit, offset, maxTotal) =>
      read(function* (db) {
        const total = yield* countCodes(db, accountId, filter, maxTotal);
        if (total === 0) return { qrs: [], total, hasMore: false };
        const isFiltered = Object.keys(filter).length > 0;
        const isIndexed = !isFiltered && (sort === 'newest' || sort === 'name');
        const isFew = !isIndexed && total !== null && total <= fewCodes;
        // Codes without scans are equal in the order of scans.
        const order = filter.isNeverScanned && sort !== 'name' ? 'newest' : sort;
        // One shows that there are more. Others replace those that were scanned in the last second.
        const most = limit + 1 + (filter.isNeverScanned ? 25 : 0);
        const page = function* () {
          if (!isFiltered && (order === 'newest' || order === 'name'))
            return yield* allInOrder[order].within(db, { accountId, limit: most, offset });
          const query = isFew
            ? idsOfFew(db, accountId, filter, order)
            : order === 'newest' || order === 'name'
              ? idsInOrder(db, accountId, filter, order)
              : yield* idsByScans(db, accountId, filter, order, offset + most);
          return yield* rowsOf(query.limit(most).offset(offset));
        };
        const ids = (yield* page()).map(({ id }) => id);
        const rows = ids.length === 0 ? [] : yield* byIds.within(db, { ids: list(ids) });
        const found = new Map(rows.map((row) => [row.id, toQr(row)]));
        const listed = ids.flatMap((id) => found.get(id) ?? []).filter(isStillSelected(filter));
        return { qrs: listed.slice(0, limit), total, hasMore: listed.length > limit };
      }),
    folders: (accountId, maxCodes) =>
      read(function* (db) {
        const [account] = yield* ofAccount.within(db, { accountId });
        const isCounted = account !== undefined && account.codes <= maxCodes;
        return yield* (isCounted ? countedFolders : uncountedFolders).within(db, { accountId });
      }),
    renameFolder: (accountId, name, newName) => {
      const isIn = and(eq(qrs.accountId, accountId), eq(qrs.folder, name));
      return write((db) => db.update(qrs).set({ folder: newName }).where(isIn));
    },
    dailyScans: (qrIds, sinceMs) => scansByDay.all({ ids: list(qrIds), sinceMs }),
  };
}

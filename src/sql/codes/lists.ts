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
import type { Builder, Dialect, Operation, Prepared, Query } from '../dialect.ts';
import type { Tables } from '../tables.ts';
import { createQrRows, newestFirst } from './qr-rows.ts';
import { lowestRank } from './scan-ranks.ts';
import { scansByHour } from './statistics.ts';

type Owner = number | Placeholder;

/** A filter, whose values may be parameters of a prepared statement. */
type AnyFilter = { readonly [Name in keyof CodeFilter]: CodeFilter[Name] | Placeholder };

// Sorting these takes a few milliseconds.
const fewCodes = 1000;

/** Returns a filter with a placeholder for each value, by its name. What a field only switches on stays. */
function withPlaceholders(filter: CodeFilter): AnyFilter {
  const fields = Object.entries(filter).map(([name, value]) => [
    name,
    typeof value === 'number' || typeof value === 'string' ? sql.placeholder(name) : value,
  ]);
  // The cast is safe: the entries have the same names.
  return Object.fromEntries(fields) as AnyFilter;
}

/** Tells whether a filter selects a code by its row. */
function isSelected({ flags, qrs }: Tables, filter: AnyFilter): SQL | undefined {
  const { isArchived = false, status, folder, designId, isFlagged } = filter;
  return and(
    eq(qrs.isArchived, isArchived),
    status && eq(qrs.status, status),
    folder === undefined
      ? undefined
      : folder === null
        ? isNull(qrs.folder)
        : eq(qrs.folder, folder),
    designId === undefined ? undefined : eq(qrs.designId, designId),
    isFlagged ? sql`${qrs.id} in (select ${flags.qrId} from ${flags})` : undefined,
  );
}

/** Tells whether a filter selects a code by its counters; undefined if it does not ask for them. */
function isCounted({ scanCounters }: Tables, filter: AnyFilter): SQL | undefined {
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
export function isListed(tables: Tables, accountId: Owner, filter: AnyFilter): SQL | undefined {
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
  // Sums per day would be sorted first, which takes longer than reading the hours.
  const scansOf = prepare((db) => {
    const hours = scansByHour(tables, (id) => isOneOf(id, askedIds), sinceMs);
    return db
      .select({
        qrId: sql`id`.mapWith(Number),
        hourMs: sql`hour`.mapWith(Number),
        scans: sql`scans`.mapWith(Number),
      })
      .from(sql`(${hours}) as hours`);
  });

  /** Prepares a query for each order and each set of fields that filters have. */
  const byFilter = <Row>(
    query: (db: Builder, filter: AnyFilter, sort: CodeSort) => ReturnType<Query<Row>>,
  ) => {
    const prepared = new Map<string, Prepared<Row>>();
    return (filter: CodeFilter, sort: CodeSort = 'newest'): Prepared<Row> => {
      const asked = withPlaceholders(filter);
      const key = JSON.stringify([sort, asked]);
      const found = prepared.get(key) ?? prepare((db) => query(db, asked, sort));
      prepared.set(key, found);
      return found;
    };
  };

  const idsByRow = (db: Builder, filter: AnyFilter) =>
    db
      .select({ id: qrs.id })
      .from(qrs)
      .where(isListed(tables, owner, filter))
      .$dynamic();
  const areCountersListed = (filter: AnyFilter) =>
    and(eq(scanCounters.accountId, owner), isCounted(tables, filter), isSelected(tables, filter));
  /** Selects the same ids along an index of the counters: only they have the account as a condition. */
  const idsByCounters = (db: Builder, filter: AnyFilter, isRanked?: SQL) =>
    db
      .select({ id: qrs.id })
      .from(scanCounters)
      .innerJoin(qrs, eq(qrs.id, scanCounters.qrId))
      .where(and(areCountersListed(filter), isRanked))
      .$dynamic();
  const idsOf = (db: Builder, filter: AnyFilter) =>
    (isCounted(tables, filter) ? idsByCounters : idsByRow)(db, filter);
  const [askedLimit, askedOffset] = [sql.placeholder('limit'), sql.placeholder('offset')];

  /** Selects few codes and sorts them: along the index of an order, many others would come between them. */
  const idsOfFew = byFilter((db, filter, sort) => {
    const counter = (column: AnyPgColumn) =>
      sql`(select ${column} from ${scanCounters} where ${scanCounters.qrId} = ${qrs.id}) desc`;
    // Expressions are not read from an index.
    const order = {
      newest: [sql`${qrs.createdAtMs} + 0 desc`, qrs.code],
      name: [sql`${qrs.nameKey} || ''`, qrs.id],
      scans: [counter(scanCounters.scans), desc(qrs.id)],
      'last-scan': [counter(scanCounters.lastScanMs), desc(qrs.id)],
    }[sort];
    const ids = idsOf(db, filter).orderBy(...order);
    return ids.limit(askedLimit).offset(askedOffset);
  });
  const idsInOrder = byFilter((db, filter, sort) => {
    const order = sort === 'name' ? [qrs.nameKey, qrs.id] : newestFirst(qrs);
    const ids = idsByRow(db, filter).orderBy(...order);
    return ids.limit(askedLimit).offset(askedOffset);
  });
  const { scans, rankedScans, lastScanMs, lastHourMs, qrId } = scanCounters;
  const rankOf = (sort: CodeSort) => (sort === 'scans' ? rankedScans : lastHourMs);
  /** Selects the rank of the code that comes after some others in the order of ranks. */
  const rankAfter = byFilter((db, filter, sort) =>
    db
      .select({ rank: rankOf(sort) })
      .from(scanCounters)
      .innerJoin(qrs, eq(qrs.id, qrId))
      .where(areCountersListed(filter))
      .orderBy(desc(rankOf(sort)), desc(qrId))
      .limit(1)
      .offset(sql.placeholder('others')),
  );
  /** Selects codes in an order by scans. Reads those with a rank or a higher one, along the index of ranks. */
  const idsByRank = byFilter((db, filter, sort) => {
    const isRanked = gte(rankOf(sort), sql.placeholder('least'));
    const exact = sort === 'scans' ? scans : lastScanMs;
    const ids = idsByCounters(db, filter, isRanked).orderBy(desc(exact), desc(qrId));
    return ids.limit(askedLimit).offset(askedOffset);
  });
  const counts = byFilter((db, filter) => {
    const listed = idsOf(db, filter).limit(sql.placeholder('max'));
    return db.select({ codes: count() }).from(listed.as('counted'));
  });

  const ofAccount = prepare((db) =>
    db.select({ codes: accounts.qrCount }).from(accounts).where(eq(accounts.id, owner)),
  );
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
    const of = isAll ? { isArchived: true } : filter;
    const [counted] = yield* counts(of).within(db, { ...of, accountId, max: max + 1 });
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
        const values = { ...filter, accountId, limit: most, offset };
        const page = function* () {
          if (isFew) return yield* idsOfFew(filter, order).within(db, values);
          if (order === 'newest' || order === 'name')
            return yield* idsInOrder(filter, order).within(db, values);
          // As many codes as are on the pages up to this one have at least this rank, so none with fewer scans is on them.
          const others = offset + most - 1;
          const [last] = yield* rankAfter(filter, order).within(db, { ...values, others });
          const rank = last?.rank ?? 0;
          const least = order === 'scans' ? lowestRank(rank) : rank;
          return yield* idsByRank(filter, order).within(db, { ...values, least });
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
    hourlyScans: (qrIds, sinceMs) => scansOf.all({ ids: list(qrIds), sinceMs }),
  };
}

import { and, count, desc, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { CodeFilter, CodeListStore, CodeSort, ListCursor } from '../../core/codes/ports.ts';
import { createActivityLog } from '../activity/log.ts';
import { type Builder, type Dialect, type Operation, pick, rowsOf } from '../dialect.ts';
import { inParts } from '../parts.ts';
import { createFilters, rowsAfter } from './list-filters.ts';
import { createQrRows, newestFirst } from './qr-rows.ts';
import { scansByHour } from './statistics.ts';

/** Codes that a statement reads, looks up and sorts: some milliseconds. */
const codesPerSlice = 1000;
/** Codes that a statement moves into another folder, each with an entry of an index: some milliseconds. */
const movedPerPart = 500;

/** Creates the store of lists and folders. */
export function createCodeListStore(dialect: Dialect): CodeListStore {
  const { tables, read, transaction, all, prepare, isOneOf, list } = dialect;
  const { accounts, folderDomains, qrs, scanCounters } = tables;
  const { select, toQr } = createQrRows(dialect);
  const log = createActivityLog(dialect);
  const prepared = createFilters(dialect);
  const { placeholder } = sql;
  const owner = placeholder('accountId');
  const askedIds = placeholder('ids');
  const id = sql`id`.mapWith(Number);

  const byIds = prepare((db) => select(db, askedIds));
  const ofAccount = prepare((db) =>
    db.select({ codes: accounts.qrCount }).from(accounts).where(eq(accounts.id, owner)),
  );
  // Sums per day would be sorted first, which takes longer than reading the hours.
  const scansOf = prepare((db) => {
    const hours = scansByHour(tables, (id) => isOneOf(id, askedIds), placeholder('sinceMs'));
    return db
      .select({ qrId: id, hourMs: sql`hour`.mapWith(Number), scans: sql`scans`.mapWith(Number) })
      .from(sql`(${hours}) as hours`);
  });

  const sumsOf = prepare((db) => {
    const { hourlyScans } = tables;
    const { qrId, lastHourMs, scansInHour } = scanCounters;
    const [since, until] = [placeholder('sinceMs'), placeholder('untilMs')];
    const isWithin = (hour: AnyPgColumn) => sql`${hour} >= ${since} and ${hour} < ${until}`;
    const asked = sql`(
      select ${qrId} as id, case when ${isWithin(lastHourMs)} then ${scansInHour} else 0 end as late
      from ${scanCounters} where ${isOneOf(qrId, askedIds)}) as asked`;
    const earlier = sql`(
      select sum(${hourlyScans.scans}) from ${hourlyScans}
      where ${hourlyScans.qrId} = asked.id and ${isWithin(hourlyScans.hourMs)})`;
    const scans = sql`asked.late + coalesce(${earlier}, 0)`.mapWith(Number);
    return db.select({ qrId: sql`asked.id`.mapWith(Number), scans }).from(asked);
  });

  /** By what codes are sorted, see `ListedCode`. */
  const scansOrNone = sql`coalesce(${scanCounters.scans}, 0)`.mapWith(Number);
  const lastScanOrNone = sql`coalesce(${scanCounters.lastScanMs}, 0)`.mapWith(Number);
  const sortedBy = {
    newest: { key: qrs.createdAtMs, tie: qrs.code, order: newestFirst(qrs) },
    name: { key: qrs.nameKey, tie: qrs.id, order: [qrs.nameKey, qrs.id] },
    scans: { key: scansOrNone, tie: qrs.id, order: [desc(scansOrNone), desc(qrs.id)] },
    'last-scan': { key: lastScanOrNone, tie: qrs.id, order: [desc(lastScanOrNone), desc(qrs.id)] },
  } satisfies Record<CodeSort, unknown>;

  /** Counts codes along an index that has exactly these. */
  const countIndexed = async (accountId: number, filter: CodeFilter, max: number) => {
    const { index, count } = prepared(accountId, filter, 'newest');
    return index.rest === undefined ? ((await count(max)) ?? 'many') : null;
  };

  /** Gives the domain of new codes of a folder to another one that has none. */
  function* moveFolderDomain(
    db: Builder,
    accountId: number,
    name: string,
    newName: string | null,
  ): Operation<void> {
    const isFolder = (folder: string) =>
      and(eq(folderDomains.accountId, accountId), eq(folderDomains.folder, folder));
    const former = db.delete(folderDomains).where(isFolder(name));
    const [own] = yield* rowsOf(former.returning(pick(folderDomains, 'domain')));
    if (own === undefined || newName === null) return;
    const values = { accountId, folder: newName, ...own };
    yield db.insert(folderDomains).values(values).onConflictDoNothing();
  }

  return {
    count: async (accountId, filter, max) => {
      if (Object.keys(filter).length > 0) return countIndexed(accountId, filter, max);
      // Of all codes of an account, few are archived.
      const archived = await countIndexed(accountId, { isArchived: true }, max);
      if (typeof archived !== 'number') return archived;
      const [account] = await ofAccount.all({ accountId });
      return (account?.codes ?? 0) - archived;
    },
    indexedPage: async (accountId, filter, sort, limit, offset, total) => {
      const { index, page } = prepared(accountId, filter, sort);
      if (index.rest !== undefined || index.sort !== sort) return null;
      const isFromEnd = total !== null && offset > total / 2;
      // The last page may be shorter.
      const shown = isFromEnd ? Math.min(limit, total - offset) : limit;
      if (shown <= 0) return [];
      const skipped = isFromEnd ? total - offset - shown : offset;
      const ids = await page(shown, skipped, { isReversed: isFromEnd });
      return isFromEnd ? ids.reverse() : ids;
    },
    slice: (accountId, filter, sort, cursor, most) => {
      const { index, values, prepare, cursorAfter } = prepared(accountId, filter, sort);
      const { key, tie, order } = sortedBy[sort];
      const sorted = prepare('slice', (db) =>
        db
          .select({ id: qrs.id, key, tie, selected: sql`count(*) over ()`.mapWith(Number) })
          .from(sql`(${rowsAfter(index)} limit ${placeholder('read')}) as slice`)
          .innerJoin(qrs, eq(qrs.id, sql`slice.id`))
          .leftJoin(scanCounters, eq(scanCounters.qrId, sql`slice.id`))
          .where(index.rest)
          .orderBy(...order)
          .limit(placeholder('limit')),
      );
      return read(function* (db) {
        const from = cursor ?? index.start;
        const limits = { read: codesPerSlice, limit: most };
        const rows = yield* sorted.within(db, { ...values, ...from, ...limits });
        const next = yield* cursorAfter(db, from, codesPerSlice);
        const codes = rows.map(({ id, key, tie }) => ({ id, key, tie }));
        return { codes, selected: rows[0]?.selected ?? 0, isInOrder: index.sort === sort, next };
      });
    },
    findByIds: async (accountId, ids) => {
      const rows = ids.length === 0 ? [] : await byIds.all({ ids: list(ids) });
      const found = new Map(rows.map((row) => [row.id, toQr(row)]));
      return ids.flatMap((id) => found.get(id) ?? []).filter((qr) => qr.accountId === accountId);
    },
    folders: async (accountId, after, limit, maxCodes) => {
      // One step of the index for each folder.
      const isListed = and(eq(qrs.accountId, accountId), eq(qrs.isArchived, false));
      const next = (condition: SQL) =>
        sql`select min(${qrs.folder}) as name from ${qrs} where ${and(isListed, condition)}`;
      const first = after === null ? sql`true` : gt(qrs.folder, after);
      const names = sql`(with recursive names as (${next(first)} union all
        select (${next(sql`${qrs.folder} > names.name`)}) from names where names.name is not null
      ) select name from names where name is not null limit ${limit}) as folders`;
      const found = await all((db) => db.select({ name: sql<string>`name` }).from(names));
      const [account] = await ofAccount.all({ accountId });
      const isCounted = account !== undefined && account.codes <= maxCodes;
      const counts = new Map<string | null, number>();
      if (isCounted)
        for (const { name, codes } of await all((db) =>
          db
            .select({ name: qrs.folder, codes: count() })
            .from(qrs)
            .where(isListed)
            .groupBy(qrs.folder),
        ))
          counts.set(name, codes);
      const folders = found.map(({ name }) => ({
        name,
        codes: isCounted ? (counts.get(name) ?? 0) : null,
      }));
      const noFolder = { name: null, codes: isCounted ? (counts.get(null) ?? 0) : null };
      const hasNoFolder = after === null && (!isCounted || counts.has(null));
      return hasNoFolder ? [noFolder, ...folders] : folders;
    },
    renameFolder: async (acting, name, newName, atMs) => {
      const { accountId } = acting;
      const kind = newName === null ? 'folder-removed' : 'folder-renamed';
      await transaction((db) => moveFolderDomain(db, accountId, name, newName));
      let entryId: number | null = null;
      let moved = 0;
      for (const isArchived of [false, true]) {
        const filter = { folder: name, isArchived };
        const { index, values, prepare, cursorAfter } = prepared(accountId, filter, 'newest');
        const part = prepare('part', (db) =>
          db.select({ id }).from(sql`(${rowsAfter(index)} limit ${placeholder('limit')}) as part`),
        );
        await inParts(index.start, async (cursor: ListCursor) => {
          const { ids, next } = await read(function* (db) {
            const limit = movedPerPart;
            const rows = yield* part.within(db, { ...values, ...cursor, limit });
            const next = yield* cursorAfter(db, cursor, limit);
            return { ids: rows.map((row) => row.id), next };
          });
          // Without the account, by which SQLite would look through all its codes.
          const isIn = and(eq(qrs.folder, name), isOneOf(qrs.id, ids));
          if (ids.length === 0) return next;
          moved += await transaction(function* (db) {
            const update = db.update(qrs).set({ folder: newName }).where(isIn);
            const count = (yield* rowsOf(update.returning(pick(qrs, 'id')))).length;
            const event = { kind, before: name, after: newName, count } as const;
            if (count > 0) entryId = yield* log.recordPart(db, entryId, acting, event, atMs);
            return count;
          });
          return next;
        });
      }
      return moved;
    },
    hourlyScans: (qrIds, sinceMs) => scansOf.all({ ids: list(qrIds), sinceMs }),
    scansBetween: (qrIds, sinceMs, untilMs) => sumsOf.all({ ids: list(qrIds), sinceMs, untilMs }),
  };
}

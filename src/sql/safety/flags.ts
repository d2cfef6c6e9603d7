import { and, asc, count, desc, eq, gt, isNotNull, sql } from 'drizzle-orm';
import type { CheckedCode, FlagStore, RecheckRunStore } from '../../core/safety/ports.ts';
import { type Builder, type Dialect, firstOf, hasRow, pick, rowOf, rowsOf } from '../dialect.ts';

// As many as a sentence names.
const namedCodes = 3;

/** Creates the store of flags, blocks and the re-check queue. */
export function createFlagStore(dialect: Dialect): FlagStore {
  const { all, read, transaction, changeRedirects, prepare, locked } = dialect;
  const { accounts, flags, qrs, recheckQueue } = dialect.tables;
  const select = (db: Builder) =>
    db
      .select({
        qrId: qrs.id,
        ...pick(qrs, 'code', 'destination', 'status', 'blockReason'),
        owner: accounts.email,
        flag: pick(flags, 'list', 'expression', 'sinceMs'),
      })
      .from(qrs)
      .innerJoin(accounts, eq(accounts.id, qrs.accountId))
      .leftJoin(flags, eq(flags.qrId, qrs.id));
  // A re-check reads all codes, and looks for each in the queue.
  const after = prepare((db) =>
    select(db)
      .where(and(gt(qrs.id, sql.placeholder('qrId')), sql`${qrs.status} <> 'stopped'`))
      .orderBy(asc(qrs.id))
      .limit(sql.placeholder('limit')),
  );
  const inQueue = prepare((db) =>
    db
      .select(pick(recheckQueue, 'id'))
      .from(recheckQueue)
      .where(eq(recheckQueue.qrId, sql.placeholder('qrId'))),
  );

  /** Locks the code, and tells whether it still has the destination that was checked. */
  const isUnchanged = (db: Builder, { qrId, destination }: CheckedCode) => {
    const isChecked = and(eq(qrs.id, qrId), eq(qrs.destination, destination));
    return hasRow(locked(db.select(pick(qrs, 'id')).from(qrs).where(isChecked)));
  };
  // As a literal, SQLite sees that the index qrs_blocked has the rows.
  const isBlocked = sql`${qrs.status} = 'blocked'`;
  /** Each page of an operator has the count of the flags. */
  const countOf = (table: typeof flags | typeof recheckQueue) => {
    const counted = prepare((db) => db.select({ rows: count() }).from(table));
    return async () => (await firstOf(counted.all({})))?.rows ?? 0;
  };

  return {
    find: (code) => firstOf(all((db) => select(db).where(eq(qrs.code, code)))),
    flagged: (limit) =>
      all((db) =>
        select(db).where(isNotNull(flags.sinceMs)).orderBy(desc(flags.sinceMs)).limit(limit),
      ),
    blocked: (limit) => all((db) => select(db).where(isBlocked).orderBy(desc(qrs.id)).limit(limit)),
    summary: (accountId) =>
      read(function* (db) {
        const isOwn = accountId === null ? undefined : eq(qrs.accountId, accountId);
        const isFlag = eq(qrs.id, flags.qrId);
        const counted = db.select({ ...pick(flags, 'list'), codes: count() }).from(flags);
        const ofList = counted.innerJoin(qrs, isFlag).where(isOwn).groupBy(flags.list);
        const byList = yield* rowsOf(ofList.orderBy(desc(count())));
        const named = db
          .select(pick(qrs, 'code', 'name'))
          .from(flags)
          .innerJoin(qrs, isFlag);
        const latest = named.where(isOwn).orderBy(desc(flags.sinceMs), desc(qrs.id));
        const flaggedCodes = yield* rowsOf(latest.limit(namedCodes));
        const isOwnBlocked = and(isBlocked, isOwn);
        const blocked = yield* rowOf(db.select({ codes: count() }).from(qrs).where(isOwnBlocked));
        const columns = { ...pick(qrs, 'code', 'name'), reason: qrs.blockReason };
        const any = db.select(columns).from(qrs).where(isOwnBlocked).limit(1);
        const blockedCode = yield* rowOf(any);
        return {
          flagged: byList.reduce((sum, { codes }) => sum + codes, 0),
          lists: byList.map(({ list }) => list),
          flaggedCodes,
          blocked: blocked?.codes ?? 0,
          blockedCode,
        };
      }),
    flaggedCount: countOf(flags),
    after: (qrId, limit) => after.all({ qrId, limit }),
    setFlag: (checked, flag) =>
      changeRedirects(function* (db) {
        const { qrId, code } = checked;
        if (yield* isUnchanged(db, checked)) {
          yield db.delete(flags).where(eq(flags.qrId, qrId));
          if (flag !== null) yield db.insert(flags).values({ qrId, ...flag });
        }
        return { codes: [code], result: undefined };
      }),
    queueLength: countOf(recheckQueue),
    queued: (limit) =>
      all((db) =>
        select(db)
          .innerJoin(recheckQueue, eq(recheckQueue.qrId, qrs.id))
          .orderBy(asc(recheckQueue.id))
          .limit(limit),
      ),
    enqueue: (checked) =>
      transaction(function* (db) {
        if (!(yield* isUnchanged(db, checked))) return;
        yield db.delete(recheckQueue).where(eq(recheckQueue.qrId, checked.qrId));
        yield db.insert(recheckQueue).values({ qrId: checked.qrId });
      }),
    dequeue: async (checked) => {
      // Few codes are queued.
      if ((await inQueue.all({ qrId: checked.qrId })).length === 0) return;
      await transaction(function* (db) {
        if (yield* isUnchanged(db, checked))
          yield db.delete(recheckQueue).where(eq(recheckQueue.qrId, checked.qrId));
      });
    },
    setBlocked: (code, blocked, reason = null) =>
      changeRedirects(function* (db) {
        const { status, statusBeforeBlock: before } = qrs;
        const kept = sql`case when ${isBlocked} then ${before} else ${status} end`;
        const restored = sql`case when ${isBlocked} then coalesce(${before}, 'active') else ${status} end`;
        const values = blocked
          ? { statusBeforeBlock: kept, status: 'blocked' as const, blockReason: reason }
          : { statusBeforeBlock: null, status: restored, blockReason: null };
        const update = db.update(qrs).set(values).where(eq(qrs.code, code));
        const isFound = yield* hasRow(update.returning({ code: qrs.code }));
        return { codes: isFound ? [code] : [], result: isFound };
      }),
  };
}

/** Creates the store of complete re-checks. */
export function createRecheckRunStore({ tables, all, write }: Dialect): RecheckRunStore {
  const { recheckRuns } = tables;
  return {
    last: (kind) =>
      firstOf(all((db) => db.select().from(recheckRuns).where(eq(recheckRuns.kind, kind)))),
    record: async (kind, { listVersion, startedMs }) => {
      const row = { kind, listVersion, startedMs };
      await write((db) =>
        db
          .insert(recheckRuns)
          .values(row)
          .onConflictDoUpdate({ target: recheckRuns.kind, set: row }),
      );
    },
  };
}

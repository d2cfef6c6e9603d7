import { and, asc, count, desc, eq, gt, isNotNull, ne, sql } from 'drizzle-orm';
import type { CheckedCode, FlagStore, RecheckRunStore } from '../../core/safety/ports.ts';
import { type Builder, type Dialect, type Operation, rowOf, rowsOf, run } from '../dialect.ts';

// As many as a sentence names.
const namedCodes = 3;

/** Creates the store of flags, blocks and the re-check queue. */
export function createFlagStore(dialect: Dialect): FlagStore {
  const { read, transaction, changeRedirects, prepare, locked } = dialect;
  const { accounts, flags, qrs, recheckQueue } = dialect.tables;
  const select = (db: Builder) =>
    db
      .select({
        qrId: qrs.id,
        code: qrs.code,
        owner: accounts.email,
        destination: qrs.destination,
        status: qrs.status,
        blockReason: qrs.blockReason,
        flag: { list: flags.list, expression: flags.expression, sinceMs: flags.sinceMs },
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
  const isQueued = (qrId: CheckedCode['qrId']) => eq(recheckQueue.qrId, qrId);
  const inQueue = prepare((db) =>
    db
      .select({ id: recheckQueue.id })
      .from(recheckQueue)
      .where(eq(recheckQueue.qrId, sql.placeholder('qrId'))),
  );

  /** Runs a change if the code still has the destination that was checked. */
  function* ifUnchanged(
    db: Builder,
    { qrId, destination }: CheckedCode,
    change: () => Operation<void>,
  ): Operation<void> {
    const query = db.select({ destination: qrs.destination }).from(qrs).where(eq(qrs.id, qrId));
    const current = yield* rowOf(locked(query));
    if (current?.destination === destination) yield* change();
  }

  return {
    find: (code) => read((db) => rowOf(select(db).where(eq(qrs.code, code)))),
    flagged: (limit) =>
      read((db) => {
        const isFlagged = isNotNull(flags.sinceMs);
        return rowsOf(select(db).where(isFlagged).orderBy(desc(flags.sinceMs)).limit(limit));
      }),
    blocked: (limit) =>
      read((db) => {
        // As a literal, SQLite sees that the index qrs_blocked has the rows.
        const isBlocked = sql`${qrs.status} = 'blocked'`;
        return rowsOf(select(db).where(isBlocked).orderBy(desc(qrs.id)).limit(limit));
      }),
    summary: (accountId) =>
      read(function* (db) {
        const isOwn = accountId === null ? undefined : eq(qrs.accountId, accountId);
        const byList = yield* rowsOf(
          db
            .select({ list: flags.list, codes: count() })
            .from(flags)
            .innerJoin(qrs, eq(qrs.id, flags.qrId))
            .where(isOwn)
            .groupBy(flags.list)
            .orderBy(desc(count())),
        );
        const flaggedCodes = yield* rowsOf(
          db
            .select({ code: qrs.code, name: qrs.name })
            .from(flags)
            .innerJoin(qrs, eq(qrs.id, flags.qrId))
            .where(isOwn)
            .orderBy(desc(flags.sinceMs), desc(qrs.id))
            .limit(namedCodes),
        );
        const isBlocked = and(sql`${qrs.status} = 'blocked'`, isOwn);
        const blocked = yield* rowOf(db.select({ codes: count() }).from(qrs).where(isBlocked));
        const blockedCode = yield* rowOf(
          db
            .select({ code: qrs.code, name: qrs.name, reason: qrs.blockReason })
            .from(qrs)
            .where(isBlocked)
            .limit(1),
        );
        return {
          flagged: byList.reduce((sum, { codes }) => sum + codes, 0),
          lists: byList.map(({ list }) => list),
          flaggedCodes,
          blocked: blocked?.codes ?? 0,
          blockedCode,
        };
      }),
    flaggedCount: () =>
      read(function* (db) {
        return (yield* rowOf(db.select({ rows: count() }).from(flags)))?.rows ?? 0;
      }),
    after: (qrId, limit) => after.all({ qrId, limit }),
    setFlag: (checked, flag) =>
      changeRedirects(function* (db) {
        const { qrId, code } = checked;
        yield* ifUnchanged(db, checked, function* () {
          yield* run(db.delete(flags).where(eq(flags.qrId, qrId)));
          if (flag !== null) yield* run(db.insert(flags).values({ qrId, ...flag }));
        });
        return { codes: [code], result: undefined };
      }),
    queueLength: () =>
      read(function* (db) {
        return (yield* rowOf(db.select({ rows: count() }).from(recheckQueue)))?.rows ?? 0;
      }),
    queued: (limit) =>
      read((db) =>
        rowsOf(
          select(db)
            .innerJoin(recheckQueue, eq(recheckQueue.qrId, qrs.id))
            .orderBy(asc(recheckQueue.id))
            .limit(limit),
        ),
      ),
    enqueue: (checked) =>
      transaction((db) =>
        ifUnchanged(db, checked, function* () {
          yield* run(db.delete(recheckQueue).where(isQueued(checked.qrId)));
          yield* run(db.insert(recheckQueue).values({ qrId: checked.qrId }));
        }),
      ),
    dequeue: async (checked) => {
      // Few codes are queued.
      if ((await inQueue.all({ qrId: checked.qrId })).length === 0) return;
      await transaction((db) =>
        ifUnchanged(db, checked, () => run(db.delete(recheckQueue).where(isQueued(checked.qrId)))),
      );
    },
    setBlocked: (code, blocked, reason = null) =>
      changeRedirects(function* (db) {
        const change = blocked
          ? { statusBeforeBlock: sql`${qrs.status}`, status: 'blocked' as const }
          : { statusBeforeBlock: null, status: sql`coalesce(${qrs.statusBeforeBlock}, 'active')` };
        const isOther = blocked ? ne(qrs.status, 'blocked') : eq(qrs.status, 'blocked');
        const isCode = eq(qrs.code, code);
        yield* run(db.update(qrs).set(change).where(and(isCode, isOther)));
        const blockReason = blocked ? reason : null;
        yield* run(db.update(qrs).set({ blockReason }).where(isCode));
        const found = yield* rowOf(db.select({ id: qrs.id }).from(qrs).where(isCode));
        return { codes: found === null ? [] : [code], result: found !== null };
      }),
  };
}

/** Creates the store of complete re-checks. */
export function createRecheckRunStore({ tables, read, write }: Dialect): RecheckRunStore {
  const { recheckRuns } = tables;
  return {
    last: (kind) =>
      read((db) => rowOf(db.select().from(recheckRuns).where(eq(recheckRuns.kind, kind)))),
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

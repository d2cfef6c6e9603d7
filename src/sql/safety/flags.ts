import { and, asc, count, desc, eq, gt, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { CheckedCode, FlagStore, RecheckRunStore } from '../../core/safety/ports.ts';
import { createActivityLog } from '../activity/log.ts';
import { createFilters } from '../codes/list-filters.ts';
import { type Builder, type Dialect, firstOf, type Operation, pick, rowOf } from '../dialect.ts';
import { inParts } from '../parts.ts';

// As many as a sentence names.
const namedCodes = 3;
const flagsPerPart = 500;

/** Creates the store of flags, blocks and the re-check queue. */
export function createFlagStore(dialect: Dialect): FlagStore {
  const { all, write, transaction, changeRedirects, prepare, locked, isOneOf, list } = dialect;
  const { accounts, flags, qrs, recheckQueue } = dialect.tables;
  const log = createActivityLog(dialect);
  const select = (db: Builder) =>
    db
      .select({
        qrId: qrs.id,
        ...pick(qrs, 'accountId', 'code', 'name', 'destination', 'status', 'blockReason'),
        hasImage: isNotNull(qrs.imageHash).mapWith(Boolean),
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

  /** Locks the code. Returns its account, or null if it has another destination than the one that was checked. */
  function* ownerIfUnchanged(
    db: Builder,
    { qrId, destination }: CheckedCode,
  ): Operation<number | null> {
    const isChecked = and(eq(qrs.id, qrId), eq(qrs.destination, destination));
    const found = db.select(pick(qrs, 'accountId')).from(qrs).where(isChecked);
    return (yield* rowOf(locked(found)))?.accountId ?? null;
  }
  // As a literal, SQLite sees that the index qrs_blocked has the rows.
  const isBlocked = sql`${qrs.status} = 'blocked'`;
  const flagsWhere = (condition: SQL | undefined) =>
    prepare((db) =>
      db
        .select({ ...pick(flags, 'qrId', 'list', 'sinceMs'), owner: qrs.accountId })
        .from(flags)
        .innerJoin(qrs, eq(qrs.id, flags.qrId))
        .where(and(gt(flags.qrId, sql.placeholder('after')), condition))
        .orderBy(asc(flags.qrId))
        .limit(sql.placeholder('limit')),
    );
  const allFlags = flagsWhere(undefined);
  const ownFlags = flagsWhere(eq(flags.accountId, sql.placeholder('accountId')));
  /** Those of a server of the version before, of all accounts. */
  const otherFlags = flagsWhere(isNull(flags.accountId));
  const names = prepare((db) =>
    db
      .select({ id: qrs.id, ...pick(qrs, 'code', 'name'), reason: qrs.blockReason })
      .from(qrs)
      .where(isOneOf(qrs.id, sql.placeholder('ids'))),
  );
  /** Returns codes by their ids, in their order. */
  const namesOf = async (ids: readonly number[]) => {
    const found = new Map((await names.all({ ids: list(ids) })).map((row) => [row.id, row]));
    return ids.flatMap((id) => {
      const { code, name, reason } = found.get(id) ?? {};
      return code === undefined ? [] : [{ code, name: name ?? null, reason: reason ?? null }];
    });
  };
  const filters = createFilters(dialect);
  const someBlocked = prepare((db) =>
    db
      .select({ id: qrs.id })
      .from(qrs)
      .where(and(isBlocked, gt(qrs.id, sql.placeholder('after'))))
      .orderBy(asc(qrs.id))
      .limit(sql.placeholder('limit')),
  );
  /** Counts the blocked codes of an account, or of all, and returns the id of one. */
  const countBlocked = async (accountId: number | null) => {
    let blocked = 0;
    let blockedId: number | null = null;
    if (accountId === null)
      await inParts(0, async (after: number) => {
        const rows = await someBlocked.all({ after, limit: flagsPerPart });
        blocked += rows.length;
        blockedId ??= rows[0]?.id ?? null;
        return rows.length < flagsPerPart ? null : (rows.at(-1)?.id ?? null);
      });
    else
      for (const isArchived of [false, true]) {
        const found = filters(accountId, { status: 'blocked', isArchived }, 'newest');
        blocked += (await found.count(Number.MAX_SAFE_INTEGER - 1)) ?? 0;
        blockedId ??= (await found.page(1, 0))[0] ?? null;
      }
    return { blocked, blockedId };
  };
  /** Counts rows. Each page of an operator has the count of the flags. */
  const countOf = (table: typeof flags | typeof recheckQueue) => {
    const counted = prepare((db) => db.select({ rows: count() }).from(table));
    return async () => (await firstOf(counted.all({})))?.rows ?? 0;
  };

  return {
    find: (code) =>
      firstOf(all((db) => select(db).where(or(eq(qrs.code, code), eq(qrs.path, code))))),
    flagged: (limit) =>
      all((db) => {
        const latest = db.select({ id: flags.qrId }).from(flags).orderBy(desc(flags.sinceMs));
        return select(db)
          .where(isOneOf(qrs.id, latest.limit(limit)))
          .orderBy(desc(flags.sinceMs));
      }),
    blocked: (limit) => all((db) => select(db).where(isBlocked).orderBy(desc(qrs.id)).limit(limit)),
    summary: async (accountId) => {
      const isOwn = (owner: number) => accountId === null || owner === accountId;
      const codesOfList = new Map<string, number>();
      let latest: { qrId: number; sinceMs: number }[] = [];
      for (const some of accountId === null ? [allFlags] : [ownFlags, otherFlags])
        await inParts(0, async (after: number) => {
          const rows = await some.all({ accountId, after, limit: flagsPerPart });
          const own = rows.filter(({ owner }) => isOwn(owner));
          for (const { list: name } of own) codesOfList.set(name, (codesOfList.get(name) ?? 0) + 1);
          latest = [...latest, ...own]
            .sort((one, other) => other.sinceMs - one.sinceMs || other.qrId - one.qrId)
            .slice(0, namedCodes);
          return rows.length < flagsPerPart ? null : (rows.at(-1)?.qrId ?? null);
        });
      const lists = [...codesOfList].sort(([, one], [, other]) => other - one);
      const named = latest.length === 0 ? [] : await namesOf(latest.map(({ qrId }) => qrId));
      const { blocked, blockedId } = await countBlocked(accountId);
      const [blockedCode] = blockedId === null ? [] : await namesOf([blockedId]);
      return {
        flagged: lists.reduce((sum, [, codes]) => sum + codes, 0),
        lists: lists.map(([list]) => list),
        flaggedCodes: named.map(({ code, name }) => ({ code, name })),
        blocked,
        blockedCode: blockedCode ?? null,
      };
    },
    flaggedCount: countOf(flags),
    after: (qrId, limit) => after.all({ qrId, limit }),
    pausedLinks: (afterAccountId, limit) =>
      all((db) =>
        db
          .select({
            accountId: accounts.id,
            link: sql<string>`${accounts.pausedLink}`,
            isFlagged: accounts.isPausedLinkFlagged,
          })
          .from(accounts)
          .where(and(gt(accounts.id, afterAccountId), isNotNull(accounts.pausedLink)))
          .orderBy(asc(accounts.id))
          .limit(limit),
      ),
    setPausedLinkFlagged: async ({ accountId, link }, isPausedLinkFlagged) => {
      await write((db) =>
        db
          .update(accounts)
          .set({ isPausedLinkFlagged })
          .where(and(eq(accounts.id, accountId), eq(accounts.pausedLink, link))),
      );
    },
    setFlag: (checked, flag) =>
      changeRedirects(function* (db) {
        const { qrId, code } = checked;
        const accountId = yield* ownerIfUnchanged(db, checked);
        if (accountId !== null) {
          yield db.delete(flags).where(eq(flags.qrId, qrId));
          if (flag !== null) yield db.insert(flags).values({ qrId, accountId, ...flag });
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
        if ((yield* ownerIfUnchanged(db, checked)) === null) return;
        yield db.delete(recheckQueue).where(eq(recheckQueue.qrId, checked.qrId));
        yield db.insert(recheckQueue).values({ qrId: checked.qrId });
      }),
    dequeue: async (checked) => {
      // Few codes are queued.
      if ((await inQueue.all({ qrId: checked.qrId })).length === 0) return;
      await transaction(function* (db) {
        if ((yield* ownerIfUnchanged(db, checked)) !== null)
          yield db.delete(recheckQueue).where(eq(recheckQueue.qrId, checked.qrId));
      });
    },
    setBlocked: (by, code, blocked, atMs, reason = null) =>
      changeRedirects(function* (db) {
        const { status, statusBeforeBlock: before } = qrs;
        const kept = sql`case when ${isBlocked} then ${before} else ${status} end`;
        const restored = sql`case when ${isBlocked} then coalesce(${before}, 'active') else ${status} end`;
        const values = blocked
          ? { statusBeforeBlock: kept, status: 'blocked' as const, blockReason: reason }
          : { statusBeforeBlock: null, status: restored, blockReason: null };
        const isAsked = eq(qrs.code, code);
        const current = db
          .select(pick(qrs, 'id', 'accountId', 'status'))
          .from(qrs)
          .where(isAsked);
        const found = yield* rowOf(locked(current));
        if (found === null) return { codes: [], result: false };
        yield db.update(qrs).set(values).where(isAsked);
        const { id: qrId, accountId } = found;
        const kind = blocked ? 'code-blocked' : 'code-unblocked';
        if (blocked !== (found.status === 'blocked'))
          yield* log.record(db, { accountId, by }, { kind, qrId, after: reason }, atMs);
        return { codes: [code], result: true };
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

import {
  and,
  count,
  desc,
  eq,
  exists,
  gt,
  isNotNull,
  isNull,
  lt,
  ne,
  not,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import {
  type Batch,
  type BatchRow,
  type BatchRowFilter,
  batchesRemovedPerAdd,
  batchLifetimeMs,
  draftLifetimeMs,
  maxDrafts,
  noticesOfStored,
  reasonOfStored,
  storedCodeExists,
  storedLeftOut,
  storedNotices,
  storedReason,
} from '../../core/batches/batch.ts';
import type { BatchStore } from '../../core/batches/ports.ts';
import { labelNames, mapLabels } from '../../core/codes/fields.ts';
import { createActivityLog } from '../activity/log.ts';
import { createCodeChanges } from '../codes/changes.ts';
import {
  type Builder,
  type Dialect,
  firstOf,
  hasRow,
  insertedRow,
  insertFrom,
  type Operation,
  parameters,
  pick,
  rowOf,
  rowsOf,
} from '../dialect.ts';
import { isFreeLease } from './leases.ts';

/** Creates the store of batches. */
export function createBatchStore(dialect: Dialect): BatchStore {
  const { tables, all, write, transaction, locked, lockedOrSkipped, isOneOf } = dialect;
  const { batches, batchFiles, batchRows, qrs } = tables;
  const { insertQr, markCommitted } = createCodeChanges(dialect);
  const log = createActivityLog(dialect);

  const isPending = and(isNull(batchRows.problem), isNull(batchRows.qrId));
  const isRefused = notInArray(batchRows.problem, [storedCodeExists, storedLeftOut]);
  const rowConditions = {
    all: undefined,
    refused: isRefused,
    leftOut: eq(batchRows.problem, storedLeftOut),
    created: isNotNull(batchRows.qrId),
    pending: isPending,
  } as const satisfies Record<BatchRowFilter, unknown>;
  const isRow = (batchId: number, row: number) =>
    and(eq(batchRows.batchId, batchId), eq(batchRows.row, row));
  const isRunning = (batchId: number) => and(eq(batches.id, batchId), eq(batches.state, 'running'));

  const askedBatch = sql.placeholder('batchId');
  const isAskedRow = and(
    eq(batchRows.batchId, askedBatch),
    eq(batchRows.row, sql.placeholder('row')),
  );
  const pendingRow = dialect.prepare((db) => {
    const isAskedBatch = and(eq(batches.id, askedBatch), eq(batches.state, 'running'));
    const runs = exists(idsOf(db).where(isAskedBatch));
    const found = db.select({ row: batchRows.row }).from(batchRows);
    return locked(found.where(and(isAskedRow, isPending, runs)));
  });
  const setCode = dialect.prepare((db) =>
    db.update(batchRows).set(parameters('qrId')).where(isAskedRow),
  );

  const countIf = (condition: SQL) => count(sql`case when ${condition} then 1 end`);
  const idsOf = (db: Builder) => db.select(pick(batches, 'id')).from(batches);
  /** Locks a draft. Returns false when it is no draft of the account. */
  const lockDraft = (db: Builder, accountId: number, batchId: number) => {
    const isOwn = and(eq(batches.id, batchId), eq(batches.accountId, accountId));
    return hasRow(locked(idsOf(db).where(and(isOwn, eq(batches.state, 'draft')))));
  };
  const select = (db: Builder) =>
    db
      .select({
        ...pick(batches, 'id', 'accountId', 'designId', 'createdAtMs'),
        ...pick(batches, 'state', 'problem', 'notices'),
        rows: count(batchRows.row),
        refused: countIf(isRefused),
        existing: countIf(eq(batchRows.problem, storedCodeExists)),
        leftOut: countIf(eq(batchRows.problem, storedLeftOut)),
        created: count(batchRows.qrId),
        files: count(batchFiles.batchId),
      })
      .from(batches)
      .leftJoin(batchRows, eq(batchRows.batchId, batches.id))
      .leftJoin(batchFiles, eq(batchFiles.batchId, batches.id))
      .groupBy(batches.id);
  type Row = Omit<Batch, 'notices' | 'problem' | 'hasFile'> & {
    notices: string;
    problem: string | null;
    files: number;
  };
  const toBatch = ({ notices, problem, files, ...batch }: Row): Batch => ({
    ...batch,
    hasFile: files > 0,
    problem: problem === null ? null : reasonOfStored(problem),
    notices: noticesOfStored(notices),
  });
  const findWhere = async (...conditions: SQL[]): Promise<Batch | null> => {
    const row = await firstOf(all((db) => select(db).where(and(...conditions))));
    return row && toBatch(row);
  };

  /**
   * Removes some of the account's drafts that are old or too many.
   * Also batches that have ended long ago.
   */
  function* removeOld(db: Builder, accountId: number, atMs: number): Operation<void> {
    const isOlder = (lifetimeMs: number) => lt(batches.createdAtMs, atMs - lifetimeMs);
    const isOwn = eq(batches.accountId, accountId);
    const isDraft = eq(batches.state, 'draft');
    const drafts = idsOf(db).where(and(isOwn, isDraft)).orderBy(desc(batches.id));
    // With the new one, which may be a draft.
    const kept = (yield* rowsOf(drafts.limit(maxDrafts - 1))).map(({ id }) => id);
    const isUnkept = and(isDraft, not(isOneOf(batches.id, kept)));
    const isOldDraft = and(isDraft, isOlder(draftLifetimeMs));
    const hasEnded = and(ne(batches.state, 'draft'), ne(batches.state, 'running'));
    const isRemovable = or(isUnkept, isOldDraft, and(hasEnded, isOlder(batchLifetimeMs)));
    const removable = idsOf(db).where(and(isOwn, isRemovable));
    const draftsFirst = removable.orderBy(not(isDraft), batches.id).limit(batchesRemovedPerAdd);
    // Locked, so that no draft starts meanwhile.
    const ids = (yield* rowsOf(locked(draftsFirst))).map(({ id }) => id);
    yield* removeBatches(dialect, db, isOneOf(batches.id, ids));
  }

  /** Changes batches that meet a condition. Returns whether there was one. */
  const update = async (values: Partial<typeof batches.$inferInsert>, where: SQL | undefined) =>
    (await write((db) => db.update(batches).set(values).where(where))) > 0;

  function* insertRows(db: Builder, batchId: number, rows: readonly BatchRow[]): Operation<void> {
    const stored = rows.map((row) => ({
      ...row,
      domain: row.domain ?? null,
      problem: row.problem === null ? null : storedReason(row.problem),
    }));
    const { from, columns } = dialect.tableOf('added', stored, {
      row: 'integer',
      ...mapLabels(() => 'text' as const),
      destination: 'text',
      domain: 'text',
      problem: 'text',
    });
    const values = { batchId: sql`${batchId}`, ...columns };
    yield* dialect.execute(db, insertFrom(batchRows, values, from));
  }

  return {
    add: ({ rows, notices, file, atMs, by, ...batch }) =>
      transaction(function* (db) {
        yield* removeOld(db, batch.accountId, atMs);
        const values = { ...batch, notices: storedNotices(notices), createdAtMs: atMs };
        const insert = db.insert(batches).values(values);
        const { id } = yield* insertedRow(insert.returning({ id: batches.id }));
        yield* insertRows(db, id, rows);
        if (file !== undefined) yield db.insert(batchFiles).values({ batchId: id, content: file });
        if (batch.state === 'running') {
          const count = rows.filter(({ problem }) => problem === null).length;
          const acting = { accountId: batch.accountId, by };
          yield* log.record(db, acting, { kind: 'table-started', count }, atMs);
        }
        return id;
      }),
    findFile: async (batchId) => {
      const found = await firstOf(
        all((db) =>
          db
            .select(pick(batchFiles, 'content'))
            .from(batchFiles)
            .where(eq(batchFiles.batchId, batchId)),
        ),
      );
      return found === null ? null : new Uint8Array(found.content);
    },
    readAgain: (accountId, batchId, { digest, rows, notices }) =>
      transaction(function* (db) {
        if (!(yield* lockDraft(db, accountId, batchId))) return false;
        yield db.delete(batchRows).where(eq(batchRows.batchId, batchId));
        yield* insertRows(db, batchId, rows);
        const read = { digest, notices: storedNotices(notices) };
        yield db.update(batches).set(read).where(eq(batches.id, batchId));
        return true;
      }),
    find: (accountId, batchId) =>
      findWhere(eq(batches.id, batchId), eq(batches.accountId, accountId)),
    list: async (accountId, limit) => {
      const rows = await all((db) => {
        const newest = idsOf(db).where(eq(batches.accountId, accountId));
        const ids = newest.orderBy(desc(batches.id)).limit(limit);
        return select(db).where(isOneOf(batches.id, ids)).orderBy(desc(batches.id));
      });
      return rows.map(toBatch);
    },
    findUnfinished: (accountId, digest) =>
      findWhere(
        eq(batches.accountId, accountId),
        eq(batches.state, 'running'),
        eq(batches.digest, digest),
      ),
    rows: async (batchId, filter, afterRow, limit) => {
      const found = await all((db) => {
        const isAfter = and(eq(batchRows.batchId, batchId), gt(batchRows.row, afterRow));
        const columns = pick(batchRows, 'row', ...labelNames, 'destination', 'domain', 'problem');
        return db
          .select({ ...columns, code: qrs.code })
          .from(batchRows)
          .leftJoin(qrs, eq(qrs.id, batchRows.qrId))
          .where(and(isAfter, rowConditions[filter]))
          .orderBy(batchRows.row)
          .limit(limit);
      });
      return found.map(({ problem, domain, ...row }) => ({
        ...row,
        ...(domain !== null && { domain }),
        problem: problem === null ? null : reasonOfStored(problem),
      }));
    },
    correct: (accountId, batchId, rows) =>
      transaction(function* (db) {
        if (!(yield* lockDraft(db, accountId, batchId))) return false;
        const numbers = rows.map(({ row }) => row);
        const isCorrected = and(eq(batchRows.batchId, batchId), isOneOf(batchRows.row, numbers));
        yield db.delete(batchRows).where(isCorrected);
        yield* insertRows(db, batchId, rows);
        return true;
      }),
    start: (acting, batchId, { designId, folder }, atMs) =>
      transaction(function* (db) {
        if (!(yield* lockDraft(db, acting.accountId, batchId))) return false;
        const isUnsorted = and(eq(batchRows.batchId, batchId), isNull(batchRows.folder));
        yield db.update(batchRows).set({ folder }).where(isUnsorted);
        // From now on it is created. Its codes are dated by it.
        const started = db.update(batches).set({ state: 'running', designId, createdAtMs: atMs });
        yield started.where(eq(batches.id, batchId));
        yield db.delete(batchFiles).where(eq(batchFiles.batchId, batchId));
        const isToCreate = and(eq(batchRows.batchId, batchId), isPending);
        const rows = yield* rowOf(db.select({ count: count() }).from(batchRows).where(isToCreate));
        yield* log.record(db, acting, { kind: 'table-started', count: rows?.count ?? 0 }, atMs);
        return true;
      }),
    lease: async (nowMs, untilMs, batchId) => {
      const isFree = and(
        eq(batches.state, 'running'),
        isFreeLease(batches.leaseUntilMs, nowMs),
        batchId === undefined ? undefined : eq(batches.id, batchId),
      );
      const free = (db: Builder) => idsOf(db).where(isFree).orderBy(batches.id).limit(1);
      // Looks first, because a server asks every few seconds and a transaction locks an SQLite database.
      if ((await all(free)).length === 0) return null;
      const leased = await transaction(function* (db) {
        // Another process that leases one at the same time takes the next.
        const found = yield* rowOf(lockedOrSkipped(free(db)));
        if (found === null) return null;
        const update = db.update(batches).set({ leaseUntilMs: untilMs });
        yield update.where(eq(batches.id, found.id));
        return found.id;
      });
      return leased === null ? null : findWhere(eq(batches.id, leased));
    },
    renew: (batchId, heldUntilMs, untilMs) =>
      update(
        { leaseUntilMs: untilMs },
        and(isRunning(batchId), eq(batches.leaseUntilMs, heldUntilMs)),
      ),
    createQr: async (batchId, row, qr, needsRecheck) => {
      const place = { batchId, row };
      const outcome = await transaction(function* (db) {
        const [pending] = yield* pendingRow.within(db, place);
        if (pending === undefined) return 'decided' as const;
        const stored = yield* insertQr(db, qr, needsRecheck);
        if (typeof stored === 'string') return stored;
        yield* setCode.within(db, { ...place, qrId: stored.id });
        return 'stored' as const;
      });
      if (outcome === 'stored') markCommitted(qr);
      return outcome;
    },
    refuse: async (batchId, row, reason) => {
      const problem = storedReason(reason);
      const isUndecided = and(isRow(batchId, row), isPending);
      await write((db) => db.update(batchRows).set({ problem }).where(isUndecided));
    },
    end: async (batchId, state, reason) => {
      const problem = reason === null ? null : storedReason(reason);
      await update({ state, problem, leaseUntilMs: 0 }, isRunning(batchId));
    },
    stop: (acting, batchId, reason, atMs) =>
      transaction(function* (db) {
        const isOwn = and(isRunning(batchId), eq(batches.accountId, acting.accountId));
        const problem = storedReason(reason);
        const ended = db.update(batches).set({ state: 'stopped', problem, leaseUntilMs: 0 });
        if (yield* hasRow(ended.where(isOwn).returning(pick(batches, 'id'))))
          yield* log.record(db, acting, { kind: 'table-stopped' }, atMs);
      }),
  };
}

/** Removes the batches that meet a condition. */
export function* removeBatches(
  { tables: { batches, batchFiles, batchRows }, isOneOf }: Dialect,
  db: Builder,
  isRemoved: SQL,
): Operation<void> {
  const ids = db.select(pick(batches, 'id')).from(batches).where(isRemoved);
  yield db.delete(batchFiles).where(isOneOf(batchFiles.batchId, ids));
  yield db.delete(batchRows).where(isOneOf(batchRows.batchId, ids));
  yield db.delete(batches).where(isRemoved);
}

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
  lte,
  ne,
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
  existingProblem,
  leftOutProblem,
} from '../../core/batches/batch.ts';
import type { BatchStore } from '../../core/batches/ports.ts';
import { mapLabels } from '../../core/codes/fields.ts';
import { createCodeChanges } from '../codes/changes.ts';
import {
  type Builder,
  type Dialect,
  insertFrom,
  type Operation,
  rowOf,
  rowsOf,
  run,
} from '../dialect.ts';

/** Creates the store of batches. */
export function createBatchStore(dialect: Dialect): BatchStore {
  const { tables, read, write, transaction, locked, lockedOrSkipped, isOneOf } = dialect;
  const { batches, batchRows, qrs } = tables;
  const { insertQr } = createCodeChanges(dialect);

  const isPending = and(isNull(batchRows.problem), isNull(batchRows.qrId));
  const isRefused = notInArray(batchRows.problem, [existingProblem, leftOutProblem]);
  const rowConditions = {
    all: undefined,
    refused: isRefused,
    leftOut: eq(batchRows.problem, leftOutProblem),
    created: isNotNull(batchRows.qrId),
    pending: isPending,
  } as const satisfies Record<BatchRowFilter, unknown>;
  const isRow = (batchId: number, row: number) =>
    and(eq(batchRows.batchId, batchId), eq(batchRows.row, row));
  const isDraft = (accountId: number, batchId: number) =>
    and(eq(batches.id, batchId), eq(batches.accountId, accountId), eq(batches.state, 'draft'));
  const isRunning = (batchId: number) => and(eq(batches.id, batchId), eq(batches.state, 'running'));

  const countIf = (condition: SQL) => count(sql`case when ${condition} then 1 end`);
  const idsOf = (db: Builder) => db.select({ id: batches.id }).from(batches);
  const select = (db: Builder) =>
    db
      .select({
        id: batches.id,
        accountId: batches.accountId,
        designId: batches.designId,
        state: batches.state,
        problem: batches.problem,
        createdAtMs: batches.createdAtMs,
        rows: count(batchRows.row),
        refused: countIf(isRefused),
        existing: countIf(eq(batchRows.problem, existingProblem)),
        leftOut: countIf(eq(batchRows.problem, leftOutProblem)),
        notices: batches.notices,
        created: count(batchRows.qrId),
      })
      .from(batches)
      .leftJoin(batchRows, eq(batchRows.batchId, batches.id))
      .groupBy(batches.id);
  type Row = Omit<Batch, 'notices'> & { notices: string };
  const toBatch = ({ notices, ...batch }: Row): Batch => ({
    ...batch,
    notices: notices === '' ? [] : notices.split('\n'),
  });
  const found = (row: Row | null) => row && toBatch(row);
  const byId = async (batchId: number) =>
    found(await read((db) => rowOf(select(db).where(eq(batches.id, batchId)))));

  /** Removes the account's drafts, and some of its batches that have ended long ago. */
  function* removeOld(db: Builder, accountId: number, atMs: number): Operation<void> {
    const isOld = lt(batches.createdAtMs, atMs - batchLifetimeMs);
    const hasExpired = and(ne(batches.state, 'running'), isOld);
    const isRemoved = and(
      eq(batches.accountId, accountId),
      or(eq(batches.state, 'draft'), hasExpired),
    );
    const draftsFirst = idsOf(db).where(isRemoved).orderBy(ne(batches.state, 'draft'), batches.id);
    // Locked, so that no draft starts meanwhile.
    const removed = yield* rowsOf(locked(draftsFirst.limit(batchesRemovedPerAdd)));
    const ids = removed.map(({ id }) => id);
    yield* run(db.delete(batchRows).where(isOneOf(batchRows.batchId, ids)));
    yield* run(db.delete(batches).where(isOneOf(batches.id, ids)));
  }

  /** Changes batches that meet a condition. Returns whether there was one. */
  const update = async (
    values: Partial<typeof batches.$inferInsert>,
    where: ReturnType<typeof and>,
  ): Promise<boolean> => {
    const changing = (db: Builder) => db.update(batches).set(values).where(where);
    return (await write((db) => changing(db).returning({ id: batches.id }))).length > 0;
  };

  function* insertRows(db: Builder, batchId: number, rows: readonly BatchRow[]): Operation<void> {
    const { from, columns } = dialect.tableOf('added', rows, {
      row: 'integer',
      ...mapLabels(() => 'text' as const),
      destination: 'text',
      problem: 'text',
    });
    const values = { batchId: sql`${batchId}`, ...columns };
    yield* dialect.execute(db, insertFrom(batchRows, values, from));
  }

  return {
    add: ({ rows, notices, atMs, ...batch }) =>
      transaction(function* (db) {
        yield* removeOld(db, batch.accountId, atMs);
        const insert = db.insert(batches).values({
          ...batch,
          notices: notices.join('\n'),
          createdAtMs: atMs,
        });
        const added = yield* rowOf(insert.returning({ id: batches.id }));
        if (added === null) throw new Error('the insert of a batch returned no row');
        yield* insertRows(db, added.id, rows);
        return added.id;
      }),
    find: async (accountId, batchId) => {
      const batch = await byId(batchId);
      return batch?.accountId === accountId ? batch : null;
    },
    list: async (accountId, limit) => {
      const rows = await read((db) => {
        const newest = idsOf(db).where(eq(batches.accountId, accountId));
        const ids = newest.orderBy(desc(batches.id)).limit(limit);
        return rowsOf(select(db).where(isOneOf(batches.id, ids)).orderBy(desc(batches.id)));
      });
      return rows.map(toBatch);
    },
    findUnfinished: async (accountId, digest) => {
      const row = await read((db) => {
        const isUnfinished = and(
          eq(batches.accountId, accountId),
          eq(batches.state, 'running'),
          eq(batches.digest, digest),
        );
        return rowOf(select(db).where(isUnfinished));
      });
      return found(row);
    },
    rows: (batchId, filter, afterRow, limit) =>
      read((db) => {
        const isAfter = and(eq(batchRows.batchId, batchId), gt(batchRows.row, afterRow));
        const rows = db
          .select({
            row: batchRows.row,
            ...mapLabels((name) => batchRows[name]),
            destination: batchRows.destination,
            problem: batchRows.problem,
            code: qrs.code,
          })
          .from(batchRows)
          .leftJoin(qrs, eq(qrs.id, batchRows.qrId))
          .where(and(isAfter, rowConditions[filter]));
        return rowsOf(rows.orderBy(batchRows.row).limit(limit));
      }),
    correct: (accountId, batchId, rows) =>
      transaction(function* (db) {
        const draft = idsOf(db).where(isDraft(accountId, batchId));
        if ((yield* rowOf(locked(draft))) === null) return false;
        const numbers = rows.map(({ row }) => row);
        const isCorrected = and(eq(batchRows.batchId, batchId), isOneOf(batchRows.row, numbers));
        yield* run(db.delete(batchRows).where(isCorrected));
        yield* insertRows(db, batchId, rows);
        return true;
      }),
    start: (accountId, batchId, { designId, folder }) =>
      transaction(function* (db) {
        const draft = idsOf(db).where(isDraft(accountId, batchId));
        if ((yield* rowOf(locked(draft))) === null) return false;
        const isUnsorted = and(eq(batchRows.batchId, batchId), isNull(batchRows.folder));
        yield* run(db.update(batchRows).set({ folder }).where(isUnsorted));
        const started = db.update(batches).set({ state: 'running', designId });
        yield* run(started.where(eq(batches.id, batchId)));
        return true;
      }),
    lease: async (nowMs, untilMs, batchId) => {
      const isFree = and(
        eq(batches.state, 'running'),
        lte(batches.leaseUntilMs, nowMs),
        batchId === undefined ? undefined : eq(batches.id, batchId),
      );
      const free = (db: Builder) => idsOf(db).where(isFree).orderBy(batches.id).limit(1);
      // Looks first, because a server asks every few seconds and a transaction locks an SQLite database.
      if ((await read((db) => rowOf(free(db)))) === null) return null;
      const leased = await transaction(function* (db) {
        // Another process that leases one at the same time takes the next.
        const found = yield* rowOf(lockedOrSkipped(free(db)));
        if (found === null) return null;
        const update = db.update(batches).set({ leaseUntilMs: untilMs });
        yield* run(update.where(eq(batches.id, found.id)));
        return found.id;
      });
      return leased === null ? null : byId(leased);
    },
    renew: (batchId, untilMs) => update({ leaseUntilMs: untilMs }, isRunning(batchId)),
    createQr: (batchId, row, qr, needsRecheck) =>
      transaction(function* (db) {
        const runs = exists(idsOf(db).where(isRunning(batchId)));
        const found = db.select({ row: batchRows.row }).from(batchRows);
        const pending = found.where(and(isRow(batchId, row), isPending, runs));
        if ((yield* rowOf(locked(pending))) === null) return 'decided' as const;
        const qrId = yield* insertQr(db, qr, needsRecheck);
        if (qrId === null) return 'taken' as const;
        yield* run(db.update(batchRows).set({ qrId }).where(isRow(batchId, row)));
        return 'stored' as const;
      }),
    refuse: async (batchId, row, problem) => {
      const isUndecided = and(isRow(batchId, row), isPending);
      await write((db) => db.update(batchRows).set({ problem }).where(isUndecided));
    },
    end: async (batchId, state, problem) => {
      await update({ state, problem, leaseUntilMs: 0 }, isRunning(batchId));
    },
  };
}

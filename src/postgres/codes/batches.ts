import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  or,
  sql,
} from 'drizzle-orm';
import type { BatchRowFilter, BatchStore } from '../../core/batches/batch.ts';
import { batches, batchRows, qrs } from '../database/schema.ts';
import type { Store } from '../database/store.ts';
import { insertQr } from './changes.ts';

const keptMs = 30 * 24 * 3_600_000;
// PostgreSQL allows 65,535 parameters in a statement.
const rowsPerInsert = 5000;

const isPending = and(isNull(batchRows.problem), isNull(batchRows.qrId));

const rowConditions = {
  all: undefined,
  refused: isNotNull(batchRows.problem),
  created: isNotNull(batchRows.qrId),
  pending: isPending,
} as const satisfies Record<BatchRowFilter, unknown>;

/** Creates the store of batches. */
export function createBatchStore(store: Store): BatchStore {
  const select = () =>
    store
      .select({
        id: batches.id,
        accountId: batches.accountId,
        designId: batches.designId,
        state: batches.state,
        problem: batches.problem,
        createdAtMs: batches.createdAtMs,
        rows: count(batchRows.row),
        refused: count(batchRows.problem),
        created: count(batchRows.qrId),
      })
      .from(batches)
      .leftJoin(batchRows, eq(batchRows.batchId, batches.id))
      .groupBy(batches.id);
  const find = async (batchId: number) =>
    (await select().where(eq(batches.id, batchId)))[0] ?? null;
  const isRow = (batchId: number, row: number) =>
    and(eq(batchRows.batchId, batchId), eq(batchRows.row, row));
  const isRunning = (batchId: number) => and(eq(batches.id, batchId), eq(batches.state, 'running'));
  const update = async (values: Partial<typeof batches.$inferInsert>, where = sql`true`) => {
    const rows = await store.update(batches).set(values).where(where).returning({ id: batches.id });
    return rows.length > 0;
  };

  return {
    add: ({ rows, atMs, ...batch }) =>
      store.transaction(async (transaction) => {
        const { accountId } = batch;
        const removed = transaction
          .select({ id: batches.id })
          .from(batches)
          .where(
            and(
              eq(batches.accountId, accountId),
              or(
                eq(batches.state, 'draft'),
                and(ne(batches.state, 'running'), sql`${batches.createdAtMs} < ${atMs - keptMs}`),
              ),
            ),
          );
        await transaction.delete(batchRows).where(inArray(batchRows.batchId, removed));
        await transaction.delete(batches).where(inArray(batches.id, removed));
        const [added] = await transaction
          .insert(batches)
          .values({ ...batch, createdAtMs: atMs })
          .returning({ id: batches.id });
        if (added === undefined) throw new Error('the batch was not stored');
        for (let at = 0; at < rows.length; at += rowsPerInsert)
          await transaction
            .insert(batchRows)
            .values(
              rows.slice(at, at + rowsPerInsert).map((row) => ({ ...row, batchId: added.id })),
            );
        return added.id;
      }),
    find: async (accountId, batchId) => {
      const batch = await find(batchId);
      return batch?.accountId === accountId ? batch : null;
    },
    list: (accountId, limit) =>
      select().where(eq(batches.accountId, accountId)).orderBy(desc(batches.id)).limit(limit),
    findUnfinished: async (accountId, digest) => {
      const [batch] = await select().where(
        and(
          eq(batches.accountId, accountId),
          eq(batches.state, 'running'),
          eq(batches.digest, digest),
        ),
      );
      return batch ?? null;
    },
    rows: (batchId, filter, afterRow, limit) =>
      store
        .select({
          row: batchRows.row,
          name: batchRows.name,
          destination: batchRows.destination,
          note: batchRows.note,
          problem: batchRows.problem,
          code: qrs.code,
        })
        .from(batchRows)
        .leftJoin(qrs, eq(qrs.id, batchRows.qrId))
        .where(
          and(eq(batchRows.batchId, batchId), gt(batchRows.row, afterRow), rowConditions[filter]),
        )
        .orderBy(asc(batchRows.row))
        .limit(limit),
    start: (accountId, batchId) =>
      update(
        { state: 'running' },
        and(eq(batches.id, batchId), eq(batches.accountId, accountId), eq(batches.state, 'draft')),
      ),
    lease: async (nowMs, untilMs, batchId) => {
      const free = store
        .select({ id: batches.id })
        .from(batches)
        .where(
          and(
            eq(batches.state, 'running'),
            lte(batches.leaseUntilMs, nowMs),
            batchId === undefined ? undefined : eq(batches.id, batchId),
          ),
        )
        .orderBy(asc(batches.id))
        .limit(1)
        // Another copy that leases one at the same time takes the next.
        .for('update', { skipLocked: true });
      const [leased] = await store
        .update(batches)
        .set({ leaseUntilMs: untilMs })
        .where(inArray(batches.id, free))
        .returning({ id: batches.id });
      return leased === undefined ? null : find(leased.id);
    },
    renew: (batchId, untilMs) => update({ leaseUntilMs: untilMs }, isRunning(batchId)),
    createQr: (batchId, row, qr, needsRecheck) =>
      store.transaction(async (transaction) => {
        const [pending] = await transaction
          .select({ row: batchRows.row })
          .from(batchRows)
          .innerJoin(batches, isRunning(batchId))
          .where(and(isRow(batchId, row), isPending))
          .for('update', { of: batchRows });
        if (pending === undefined) return 'settled';
        const id = await insertQr(transaction, qr, needsRecheck);
        if (id === null) return 'taken';
        await transaction.update(batchRows).set({ qrId: id }).where(isRow(batchId, row));
        return 'stored';
      }),
    refuse: async (batchId, row, problem) => {
      await store
        .update(batchRows)
        .set({ problem })
        .where(and(isRow(batchId, row), isPending));
    },
    end: async (batchId, state, problem) => {
      await update({ state, problem, leaseUntilMs: 0 }, isRunning(batchId));
    },
  };
}

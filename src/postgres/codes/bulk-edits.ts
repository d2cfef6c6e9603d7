import { and, asc, count, eq, gt, sql } from 'drizzle-orm';
import type {
  BulkEditChange,
  BulkEditKind,
  BulkEditStore,
  CodeEdit,
} from '../../core/batches/bulk-edit.ts';
import { qrStatuses } from '../../core/codes/qr.ts';
import type { ChangeRedirects } from '../copies/change-redirects.ts';
import { bulkEditChanges, bulkEdits, qrs } from '../database/schema.ts';
import type { Store, Transaction } from '../database/store.ts';
import { addToRecheckQueue, setDestination } from './changes.ts';

/** Creates the store of bulk edits. */
export function createBulkEditStore(store: Store, changeRedirects: ChangeRedirects): BulkEditStore {
  /** Changes codes and calls `record` for each that was changed. */
  const changeAll = (
    bulkEditId: number,
    all: readonly CodeEdit[],
    atMs: number,
    record: (transaction: Transaction, edit: CodeEdit) => Promise<unknown>,
  ): Promise<string[]> =>
    changeRedirects(async (transaction) => {
      const [edit] = await transaction
        .select()
        .from(bulkEdits)
        .where(eq(bulkEdits.id, bulkEditId))
        .for('update');
      // A later bulk edit has replaced it.
      if (edit === undefined) return { codes: [], result: [] };
      const changed: string[] = [];
      for (const one of all)
        if (await change(transaction, edit.kind, one, atMs)) {
          await record(transaction, one);
          changed.push(one.code);
        }
      return { codes: changed, result: changed };
    });

  return {
    begin: (accountId, bulkChange, atMs) =>
      store.transaction(async (transaction) => {
        const [earlier] = await transaction
          .select()
          .from(bulkEdits)
          .where(eq(bulkEdits.accountId, accountId))
          .for('update');
        if (earlier !== undefined) await remove(transaction, earlier.id);
        const [begun] = await transaction
          .insert(bulkEdits)
          .values({ accountId, ...bulkChange, atMs })
          .returning({ id: bulkEdits.id });
        if (begun === undefined) throw new Error('the bulk edit was not stored');
        return begun.id;
      }),
    apply: (bulkEditId, all, atMs) =>
      changeAll(bulkEditId, all, atMs, (transaction, { qrId, before, after }) =>
        transaction.insert(bulkEditChanges).values({ bulkEditId, qrId, before, after }),
      ),
    last: async (accountId) => {
      const current = sql`case ${bulkEdits.kind} when 'replace' then ${qrs.destination} else ${qrs.status} end`;
      const [row] = await store
        .select({
          id: bulkEdits.id,
          kind: bulkEdits.kind,
          replaced: bulkEdits.replaced,
          replacement: bulkEdits.replacement,
          atMs: bulkEdits.atMs,
          codes: count(),
          changedSince: sql`count(*) filter (where ${bulkEditChanges.after} <> ${current})`.mapWith(
            Number,
          ),
        })
        .from(bulkEdits)
        .innerJoin(bulkEditChanges, eq(bulkEditChanges.bulkEditId, bulkEdits.id))
        .innerJoin(qrs, eq(qrs.id, bulkEditChanges.qrId))
        .where(eq(bulkEdits.accountId, accountId))
        .groupBy(bulkEdits.id);
      if (row === undefined) return null;
      const { kind, replaced, replacement, ...edit } = row;
      return { ...edit, change: toChange(kind, replaced, replacement) };
    },
    edits: async (bulkEditId, afterQrId, limit) => {
      const rows = await store
        .select({
          qrId: bulkEditChanges.qrId,
          code: qrs.code,
          before: bulkEditChanges.before,
          after: bulkEditChanges.after,
        })
        .from(bulkEditChanges)
        .innerJoin(qrs, eq(qrs.id, bulkEditChanges.qrId))
        .where(and(eq(bulkEditChanges.bulkEditId, bulkEditId), gt(bulkEditChanges.qrId, afterQrId)))
        .orderBy(asc(bulkEditChanges.qrId))
        .limit(limit);
      return rows.map((edit) => ({ ...edit, needsRecheck: false }));
    },
    revert: (bulkEditId, all, atMs) =>
      changeAll(bulkEditId, all, atMs, async (transaction, { qrId }) => {
        const isThis = eq(bulkEditChanges.bulkEditId, bulkEditId);
        await transaction
          .delete(bulkEditChanges)
          .where(and(isThis, eq(bulkEditChanges.qrId, qrId)));
        const left = await transaction.select().from(bulkEditChanges).where(isThis).limit(1);
        if (left.length === 0) await remove(transaction, bulkEditId);
      }),
  };
}

function toChange(
  kind: BulkEditKind,
  replaced: string | null,
  replacement: string | null,
): BulkEditChange {
  return kind === 'replace'
    ? { kind, replaced: replaced ?? '', replacement: replacement ?? '' }
    : { kind };
}

/** Changes a code if it still has the value before. */
async function change(
  transaction: Transaction,
  kind: BulkEditKind,
  { qrId, before, after, needsRecheck }: CodeEdit,
  atMs: number,
): Promise<boolean> {
  const [row] = await transaction
    .select({ id: qrs.id, destination: qrs.destination, status: qrs.status })
    .from(qrs)
    .where(eq(qrs.id, qrId))
    .for('no key update');
  if (row === undefined) return false;
  if (kind === 'replace') {
    if (row.destination !== before) return false;
    await setDestination(transaction, row, after, atMs);
    if (needsRecheck) await addToRecheckQueue(transaction, qrId);
    return true;
  }
  const status = qrStatuses.find((one) => one === after);
  if (row.status !== before || status === undefined) return false;
  await transaction.update(qrs).set({ status }).where(eq(qrs.id, qrId));
  return true;
}

async function remove(transaction: Transaction, bulkEditId: number): Promise<void> {
  await transaction.delete(bulkEditChanges).where(eq(bulkEditChanges.bulkEditId, bulkEditId));
  await transaction.delete(bulkEdits).where(eq(bulkEdits.id, bulkEditId));
}

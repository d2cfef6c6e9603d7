import { eq, sql } from 'drizzle-orm';
import type {
  BulkEdit,
  BulkEditChange,
  BulkEditKind,
  BulkEditStore,
  CodeEdit,
} from '../../core/batches/bulk-edit.ts';
import { type QrStatus, qrStatuses } from '../../core/codes/qr.ts';
import type { Store } from '../database/open.ts';
import { bulkEditChanges, bulkEdits, qrs } from '../database/schema.ts';
import { type Transaction, writeTransaction } from '../database/write.ts';
import { addToRecheckQueue, setDestination } from './changes.ts';
import type { SqliteLinkStore } from './link-targets.ts';

interface LastRow extends Omit<BulkEdit, 'change'> {
  readonly kind: BulkEditKind;
  readonly replaced: string | null;
  readonly replacement: string | null;
}

/**
 * Creates the store of bulk edits.
 *
 * @param links caches redirect targets; a change of a QR removes its target
 */
export function createBulkEditStore(
  store: Store,
  links: Pick<SqliteLinkStore, 'forget'>,
): BulkEditStore {
  const database = store.$client;
  const last = database.query<LastRow, [number]>(
    `SELECT edit.id AS id, kind, replaced, replacement, at AS atMs, count(qr_id) AS codes,
       coalesce(sum(after <> CASE kind WHEN 'replace' THEN destination ELSE status END), 0) AS changedSince
     FROM bulk_edits AS edit JOIN bulk_edit_changes ON bulk_edit_id = edit.id JOIN qrs ON qrs.id = qr_id
     WHERE edit.account_id = ? GROUP BY edit.id`,
  );
  const edits = database.query<Omit<CodeEdit, 'needsRecheck'>, [number, number, number]>(
    `SELECT qr_id AS qrId, code, before, after FROM bulk_edit_changes JOIN qrs ON qrs.id = qr_id
     WHERE bulk_edit_id = ? AND qr_id > ? ORDER BY qr_id LIMIT ?`,
  );

  /** Changes codes and calls `record` for each that was changed. */
  const changeAll = async (
    bulkEditId: number,
    all: readonly CodeEdit[],
    atMs: number,
    record: (transaction: Transaction, edit: CodeEdit) => void,
  ): Promise<string[]> => {
    const changed = await writeTransaction(store, (transaction) => {
      const edit = transaction.select().from(bulkEdits).where(eq(bulkEdits.id, bulkEditId)).get();
      // A later bulk edit has replaced it.
      if (edit === undefined) return [];
      const done = all.filter((one) => change(transaction, edit.kind, one, atMs));
      for (const one of done) record(transaction, one);
      return done.map(({ code }) => code);
    });
    for (const code of changed) links.forget(code);
    return changed;
  };

  return {
    begin: (accountId, bulkChange, atMs) =>
      writeTransaction(store, (transaction) => {
        const ofAccount = eq(bulkEdits.accountId, accountId);
        const earlier = transaction.select().from(bulkEdits).where(ofAccount).get();
        if (earlier !== undefined) remove(transaction, earlier.id);
        const [begun] = transaction
          .insert(bulkEdits)
          .values({ accountId, ...bulkChange, atMs })
          .returning({ id: bulkEdits.id })
          .all();
        if (begun === undefined) throw new Error('the bulk edit was not stored');
        return begun.id;
      }),
    apply: (bulkEditId, all, atMs) =>
      changeAll(bulkEditId, all, atMs, (transaction, { qrId, before, after }) =>
        transaction.insert(bulkEditChanges).values({ bulkEditId, qrId, before, after }).run(),
      ),
    last: async (accountId) => {
      const row = last.get(accountId);
      if (row === null) return null;
      const { kind, replaced, replacement, ...edit } = row;
      return { ...edit, change: toChange(kind, replaced, replacement) };
    },
    edits: async (bulkEditId, afterQrId, limit) =>
      edits.all(bulkEditId, afterQrId, limit).map((edit) => ({ ...edit, needsRecheck: false })),
    revert: (bulkEditId, all, atMs) =>
      changeAll(bulkEditId, all, atMs, (transaction, { qrId }) => {
        const isThis = sql`${bulkEditChanges.bulkEditId} = ${bulkEditId}`;
        transaction
          .delete(bulkEditChanges)
          .where(sql`${isThis} and ${bulkEditChanges.qrId} = ${qrId}`)
          .run();
        const left = transaction.select().from(bulkEditChanges).where(isThis).limit(1).get();
        if (left === undefined) remove(transaction, bulkEditId);
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
function change(
  transaction: Transaction,
  kind: BulkEditKind,
  { qrId, before, after, needsRecheck }: CodeEdit,
  atMs: number,
): boolean {
  const row = transaction
    .select({ id: qrs.id, destination: qrs.destination, status: qrs.status })
    .from(qrs)
    .where(eq(qrs.id, qrId))
    .get();
  if (row === undefined) return false;
  if (kind === 'replace') {
    if (row.destination !== before) return false;
    setDestination(transaction, row, after, atMs);
    if (needsRecheck) addToRecheckQueue(transaction, qrId);
    return true;
  }
  const status = qrStatuses.find((one) => one === after);
  if (row.status !== before || status === undefined) return false;
  setStatus(transaction, qrId, status);
  return true;
}

function setStatus(transaction: Transaction, qrId: number, status: QrStatus): void {
  transaction.update(qrs).set({ status }).where(eq(qrs.id, qrId)).run();
}

function remove(transaction: Transaction, bulkEditId: number): void {
  transaction.delete(bulkEditChanges).where(eq(bulkEditChanges.bulkEditId, bulkEditId)).run();
  transaction.delete(bulkEdits).where(eq(bulkEdits.id, bulkEditId)).run();
}

import type {
  Batch,
  BatchRowFilter,
  BatchRowOutcome,
  BatchStore,
} from '../../core/batches/batch.ts';
import type { Store } from '../database/open.ts';
import { batches } from '../database/schema.ts';
import { write, writeTransaction } from '../database/write.ts';
import { insertQr } from './changes.ts';

const keptMs = 30 * 24 * 3_600_000;

const selectBatches =
  'SELECT id, account_id AS accountId, design_id AS designId, state, problem, ' +
  'created_at AS createdAtMs, count(row) AS rows, count(row_problem) AS refused, ' +
  'count(qr_id) AS created FROM batches LEFT JOIN ' +
  '(SELECT batch_id, row, problem AS row_problem, qr_id FROM batch_rows) ON batch_id = id';

const rowConditions: Readonly<Record<BatchRowFilter, string>> = {
  all: 'true',
  refused: 'problem IS NOT NULL',
  created: 'qr_id IS NOT NULL',
  pending: 'problem IS NULL AND qr_id IS NULL',
};

/** Creates the store of batches. */
export function createBatchStore(store: Store): BatchStore {
  const database = store.$client;
  const byId = database.query<Batch, [number]>(`${selectBatches} WHERE id = ? GROUP BY id`);
  const ofAccount = database.query<Batch, [number, number]>(
    `${selectBatches} WHERE id IN (SELECT id FROM batches WHERE account_id = ? ORDER BY id DESC LIMIT ?)
     GROUP BY id ORDER BY id DESC`,
  );
  const unfinished = database.query<{ id: number }, [number, Uint8Array]>(
    "SELECT id FROM batches WHERE account_id = ? AND state = 'running' AND digest = ?",
  );
  const insertRows = database.query(
    `INSERT INTO batch_rows (batch_id, row, name, destination, note, problem)
     SELECT ?, value ->> 'row', value ->> 'name', value ->> 'destination', value ->> 'note', value ->> 'problem'
     FROM json_each(?)`,
  );
  const removed =
    "(SELECT id FROM batches WHERE account_id = ?1 AND (state = 'draft' OR state <> 'running' AND created_at < ?2))";
  const removeRows = database.query(`DELETE FROM batch_rows WHERE batch_id IN ${removed}`);
  const remove = database.query(`DELETE FROM batches WHERE id IN ${removed}`);
  const start = database.query(
    "UPDATE batches SET state = 'running' WHERE id = ? AND account_id = ? AND state = 'draft'",
  );
  // Looks first, because a server asks every few seconds and an UPDATE locks the database.
  const leasable = database.query<{ id: number }, [number, number | null]>(
    "SELECT id FROM batches WHERE state = 'running' AND lease_until <= ? AND (?2 IS NULL OR id = ?2) ORDER BY id LIMIT 1",
  );
  const lease = database.query<{ id: number }, [number, number, number]>(
    `UPDATE batches SET lease_until = ?2 WHERE id = ?3 AND state = 'running' AND lease_until <= ?1
     RETURNING id`,
  );
  const renew = database.query(
    "UPDATE batches SET lease_until = ? WHERE id = ? AND state = 'running'",
  );
  const end = database.query(
    "UPDATE batches SET state = ?, problem = ?, lease_until = 0 WHERE id = ? AND state = 'running'",
  );
  const isPending = database.query(
    `SELECT 1 FROM batch_rows WHERE batch_id = ?1 AND row = ?2 AND ${rowConditions.pending}
       AND (SELECT state FROM batches WHERE id = ?1) = 'running'`,
  );
  const settle = database.query('UPDATE batch_rows SET qr_id = ? WHERE batch_id = ? AND row = ?');
  const refuse = database.query(
    `UPDATE batch_rows SET problem = ? WHERE batch_id = ? AND row = ? AND ${rowConditions.pending}`,
  );

  return {
    add: ({ accountId, designId, state, digest, rows, atMs, leaseUntilMs }) =>
      writeTransaction(store, (transaction) => {
        removeRows.run(accountId, atMs - keptMs);
        remove.run(accountId, atMs - keptMs);
        const { id } = transaction
          .insert(batches)
          .values({
            accountId,
            designId,
            state,
            digest: Buffer.from(digest),
            createdAtMs: atMs,
            leaseUntilMs,
          })
          .returning({ id: batches.id })
          .get();
        insertRows.run(id, JSON.stringify(rows));
        return id;
      }),
    find: async (accountId, batchId) => {
      const batch = byId.get(batchId);
      return batch?.accountId === accountId ? batch : null;
    },
    list: async (accountId, limit) => ofAccount.all(accountId, limit),
    findUnfinished: async (accountId, digest) => {
      const found = unfinished.get(accountId, digest);
      return found && byId.get(found.id);
    },
    rows: async (batchId, filter, afterRow, limit) =>
      database
        .query<BatchRowOutcome, [number, number, number]>(
          `SELECT row, batch_rows.name AS name, batch_rows.destination AS destination,
             batch_rows.note AS note, problem, code
           FROM batch_rows LEFT JOIN qrs ON qrs.id = qr_id
           WHERE batch_id = ? AND row > ? AND ${rowConditions[filter]} ORDER BY row LIMIT ?`,
        )
        .all(batchId, afterRow, limit),
    start: (accountId, batchId) => write(() => start.run(batchId, accountId).changes > 0),
    lease: async (nowMs, untilMs, batchId = undefined) => {
      const found = leasable.get(nowMs, batchId ?? null);
      if (found === null) return null;
      const leased = await write(() => lease.get(nowMs, untilMs, found.id));
      return leased && byId.get(leased.id);
    },
    renew: (batchId, untilMs) => write(() => renew.run(untilMs, batchId).changes > 0),
    createQr: (batchId, row, qr, needsRecheck) =>
      writeTransaction(store, (transaction) => {
        if (isPending.get(batchId, row) === null) return 'settled';
        const id = insertQr(transaction, qr, needsRecheck);
        if (id === null) return 'taken';
        settle.run(id, batchId, row);
        return 'stored';
      }),
    refuse: async (batchId, row, problem) => {
      await write(() => refuse.run(problem, batchId, row));
    },
    end: async (batchId, state, problem) => {
      await write(() => end.run(state, problem, batchId));
    },
  };
}

import { eq } from 'drizzle-orm';
import type { CheckedCode, FlagStore } from '../../core/safety/recheck.ts';
import type { RecheckRunStore } from '../../core/safety/schedule.ts';
import type { SqliteLinkStore } from '../codes/link-targets.ts';
import type { Store } from '../database/open.ts';
import { flags, recheckQueue, recheckRuns } from '../database/safety-schema.ts';
import { qrs } from '../database/schema.ts';
import { type Transaction, write, writeTransaction } from '../database/write.ts';
import { type ReviewedRow, selectReviewed, toReviewed } from './reviewed-codes.ts';

/** Creates the store of flags, blocks and the re-check queue. */
export function createFlagStore(store: Store, links: Pick<SqliteLinkStore, 'forget'>): FlagStore {
  /** Runs a change if the code still has the destination that was checked. */
  const ifUnchanged = async (
    { qrId, code, destination }: CheckedCode,
    change: (transaction: Transaction) => void,
  ) => {
    await writeTransaction(store, (transaction) => {
      const current = transaction
        .select({ destination: qrs.destination })
        .from(qrs)
        .where(eq(qrs.id, qrId))
        .get();
      if (current?.destination === destination) change(transaction);
    });
    links.forget(code);
  };

  const database = store.$client;
  const after = database.query<ReviewedRow, [number, number]>(
    `${selectReviewed} WHERE qrs.id > ? ORDER BY qrs.id LIMIT ?`,
  );
  const queued = database.query<ReviewedRow, [number]>(
    `${selectReviewed} JOIN recheck_queue ON recheck_queue.qr_id = qrs.id ORDER BY recheck_queue.id LIMIT ?`,
  );
  const isQueued = database.query('SELECT 1 FROM recheck_queue WHERE qr_id = ?');
  const block = database.query(
    "UPDATE qrs SET status_before_block = status, status = 'blocked' WHERE code = ? AND status <> 'blocked'",
  );
  const unblock = database.query(
    `UPDATE qrs SET status = coalesce(status_before_block, 'active'), status_before_block = NULL
       WHERE code = ? AND status = 'blocked'`,
  );

  return {
    after: async (qrId, limit) => after.all(qrId, limit).map(toReviewed),
    setFlag: (checked, flag) =>
      ifUnchanged(checked, (transaction) => {
        transaction.delete(flags).where(eq(flags.qrId, checked.qrId)).run();
        if (flag !== null)
          transaction
            .insert(flags)
            .values({ qrId: checked.qrId, ...flag })
            .run();
      }),
    queued: async (limit) => queued.all(limit).map(toReviewed),
    enqueue: (checked) =>
      ifUnchanged(checked, (transaction) => {
        transaction.delete(recheckQueue).where(eq(recheckQueue.qrId, checked.qrId)).run();
        transaction.insert(recheckQueue).values({ qrId: checked.qrId }).run();
      }),
    dequeue: async (checked) => {
      // Every re-check asks, and few codes are queued.
      if (isQueued.get(checked.qrId) === null) return;
      await ifUnchanged(checked, (transaction) => {
        transaction.delete(recheckQueue).where(eq(recheckQueue.qrId, checked.qrId)).run();
      });
    },
    setBlocked: async (code, blocked) => {
      await write(() => (blocked ? block : unblock).run(code));
      links.forget(code);
      return store.select({ id: qrs.id }).from(qrs).where(eq(qrs.code, code)).all().length > 0;
    },
  };
}

/** Creates the record of complete re-checks. */
export function createRecheckRunStore(store: Store): RecheckRunStore {
  return {
    last: async (kind) =>
      store.select().from(recheckRuns).where(eq(recheckRuns.kind, kind)).get() ?? null,
    record: async (kind, { listVersion, startedMs }) => {
      const row = { kind, listVersion, startedMs };
      await write(() =>
        store
          .insert(recheckRuns)
          .values(row)
          .onConflictDoUpdate({ target: recheckRuns.kind, set: row })
          .run(),
      );
    },
  };
}

import { eq } from 'drizzle-orm';
import type { CheckedCode, FlagStore } from '../../core/safety/recheck.ts';
import type { RecheckRunStore } from '../../core/safety/schedule.ts';
import type { SqliteLinkStore } from '../codes/link-targets.ts';
import type { Store } from '../database/open.ts';
import { flags, recheckQueue, recheckRuns } from '../database/safety-schema.ts';
import { qrs } from '../database/schema.ts';
import { type Transaction, write, writeTransaction } from '../database/write.ts';

interface CheckedRow extends Omit<CheckedCode, 'flag'> {
  readonly list: string | null;
  readonly expression: string | null;
  readonly sinceMs: number | null;
}

const selectChecked =
  'SELECT qrs.id AS qrId, code, email AS owner, destination, status, list, expression, since AS sinceMs ' +
  'FROM qrs JOIN accounts ON accounts.id = qrs.account_id LEFT JOIN flags ON flags.qr_id = qrs.id';

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
  const byCode = database.query<CheckedRow, [string]>(`${selectChecked} WHERE code = ?`);
  const flagged = database.query<CheckedRow, [number]>(
    `${selectChecked} WHERE since IS NOT NULL ORDER BY since DESC LIMIT ?`,
  );
  const blocked = database.query<CheckedRow, [number]>(
    `${selectChecked} WHERE status = 'blocked' ORDER BY qrs.id DESC LIMIT ?`,
  );
  const after = database.query<CheckedRow, [number, number]>(
    `${selectChecked} WHERE qrs.id > ? ORDER BY qrs.id LIMIT ?`,
  );
  const queueLength = database.query<{ rows: number }, []>(
    'SELECT count(*) AS rows FROM recheck_queue',
  );
  const queued = database.query<CheckedRow, [number]>(
    `${selectChecked} JOIN recheck_queue ON recheck_queue.qr_id = qrs.id ORDER BY recheck_queue.id LIMIT ?`,
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
    find: async (code) => {
      const row = byCode.get(code);
      return row === null ? null : toChecked(row);
    },
    flagged: async (limit) => flagged.all(limit).map(toChecked),
    blocked: async (limit) => blocked.all(limit).map(toChecked),
    after: async (qrId, limit) => after.all(qrId, limit).map(toChecked),
    setFlag: (checked, flag) =>
      ifUnchanged(checked, (transaction) => {
        transaction.delete(flags).where(eq(flags.qrId, checked.qrId)).run();
        if (flag !== null)
          transaction
            .insert(flags)
            .values({ qrId: checked.qrId, ...flag })
            .run();
      }),
    queueLength: async () => queueLength.get()?.rows ?? 0,
    queued: async (limit) => queued.all(limit).map(toChecked),
    enqueue: (checked) =>
      ifUnchanged(checked, (transaction) => {
        transaction.delete(recheckQueue).where(eq(recheckQueue.qrId, checked.qrId)).run();
        transaction.insert(recheckQueue).values({ qrId: checked.qrId }).run();
      }),
    dequeue: async (checked) => {
      // Called in every re-check, while few codes are queued.
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

function toChecked({ list, expression, sinceMs, ...code }: CheckedRow): CheckedCode {
  const isFlagged = list !== null && expression !== null && sinceMs !== null;
  return { ...code, flag: isFlagged ? { list, expression, sinceMs } : null };
}

/** Creates the store of complete re-checks. */
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

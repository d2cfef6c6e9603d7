import { asc, eq, gt, sql } from 'drizzle-orm';
import type { CheckedCode, FlagStore } from '../../core/safety/recheck.ts';
import type { RecheckRunStore } from '../../core/safety/schedule.ts';
import type { SqliteLinkStore } from '../codes/link-targets.ts';
import type { Store } from '../database/open.ts';
import { flags, recheckQueue, recheckRuns } from '../database/safety-schema.ts';
import { qrs } from '../database/schema.ts';
import { type Transaction, write, writeTransaction } from '../database/write.ts';
import { selectReviewed, toReviewed } from './reviewed-codes.ts';

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

  // Prepared, because every re-check of a code asks, and few are queued.
  const isQueued = store
    .select({ qrId: recheckQueue.qrId })
    .from(recheckQueue)
    .where(eq(recheckQueue.qrId, sql.placeholder('qrId')))
    .prepare();

  return {
    after: async (qrId, limit) =>
      selectReviewed(store)
        .where(gt(qrs.id, qrId))
        .orderBy(asc(qrs.id))
        .limit(limit)
        .all()
        .map(toReviewed),
    setFlag: (checked, flag) =>
      ifUnchanged(checked, (transaction) => {
        transaction.delete(flags).where(eq(flags.qrId, checked.qrId)).run();
        if (flag !== null)
          transaction
            .insert(flags)
            .values({ qrId: checked.qrId, ...flag })
            .run();
      }),
    queued: async (limit) =>
      selectReviewed(store)
        .innerJoin(recheckQueue, eq(recheckQueue.qrId, qrs.id))
        .orderBy(asc(recheckQueue.id))
        .limit(limit)
        .all()
        .map(toReviewed),
    enqueue: (checked) =>
      ifUnchanged(checked, (transaction) => {
        transaction.delete(recheckQueue).where(eq(recheckQueue.qrId, checked.qrId)).run();
        transaction.insert(recheckQueue).values({ qrId: checked.qrId }).run();
      }),
    dequeue: async (checked) => {
      if (isQueued.get({ qrId: checked.qrId }) === undefined) return;
      await ifUnchanged(checked, (transaction) => {
        transaction.delete(recheckQueue).where(eq(recheckQueue.qrId, checked.qrId)).run();
      });
    },
    setBlocked: async (code, blocked) => {
      const isBlocked = sql`${qrs.status} = 'blocked'`;
      // The expressions refer to the values before the update.
      const [values, condition] = blocked
        ? [{ status: 'blocked' as const, statusBeforeBlock: qrs.status }, sql`NOT ${isBlocked}`]
        : [
            { status: sql`coalesce(${qrs.statusBeforeBlock}, 'active')`, statusBeforeBlock: null },
            isBlocked,
          ];
      await write(() =>
        store.update(qrs).set(values).where(sql`${qrs.code} = ${code} AND ${condition}`).run(),
      );
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

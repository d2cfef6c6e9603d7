import { and, asc, count, desc, eq, gt, ne, sql } from 'drizzle-orm';
import type { CheckedCode, FlagStore } from '../../core/safety/recheck.ts';
import type { RecheckRunStore } from '../../core/safety/schedule.ts';
import type { Announce } from '../copies/announcer.ts';
import { flags, recheckQueue, recheckRuns } from '../database/safety-schema.ts';
import { accounts, qrs } from '../database/schema.ts';
import type { Store, Transaction } from '../database/store.ts';

/**
 * Creates the store of flags, blocks and the re-check queue.
 *
 * @param announce called with the codes whose redirect has changed
 */
export function createFlagStore(store: Store, announce: Announce): FlagStore {
  const select = () =>
    store
      .select({
        qrId: qrs.id,
        code: qrs.code,
        owner: accounts.email,
        destination: qrs.destination,
        status: qrs.status,
        flag: { list: flags.list, expression: flags.expression, sinceMs: flags.sinceMs },
      })
      .from(qrs)
      .innerJoin(accounts, eq(accounts.id, qrs.accountId))
      .leftJoin(flags, eq(flags.qrId, qrs.id));

  /** Runs a change if the code still has the destination that was checked. */
  const ifUnchanged = (
    { qrId, destination }: CheckedCode,
    change: (transaction: Transaction) => Promise<unknown>,
  ) =>
    store.transaction(async (transaction) => {
      const [current] = await transaction
        .select({ destination: qrs.destination })
        .from(qrs)
        .where(eq(qrs.id, qrId))
        .for('no key update');
      if (current?.destination === destination) await change(transaction);
    });

  return {
    find: async (code) => (await select().where(eq(qrs.code, code)))[0] ?? null,
    flagged: (limit) =>
      select().where(sql`${flags.sinceMs} is not null`).orderBy(desc(flags.sinceMs)).limit(limit),
    blocked: (limit) =>
      select().where(eq(qrs.status, 'blocked')).orderBy(desc(qrs.id)).limit(limit),
    after: (qrId, limit) => select().where(gt(qrs.id, qrId)).orderBy(asc(qrs.id)).limit(limit),
    setFlag: async (checked, flag) => {
      await ifUnchanged(checked, async (transaction) => {
        await transaction.delete(flags).where(eq(flags.qrId, checked.qrId));
        if (flag !== null) await transaction.insert(flags).values({ qrId: checked.qrId, ...flag });
      });
      await announce([checked.code]);
    },
    queueLength: async () =>
      (await store.select({ rows: count() }).from(recheckQueue))[0]?.rows ?? 0,
    queued: (limit) =>
      select()
        .innerJoin(recheckQueue, eq(recheckQueue.qrId, qrs.id))
        .orderBy(asc(recheckQueue.id))
        .limit(limit),
    enqueue: (checked) =>
      ifUnchanged(checked, async (transaction) => {
        await transaction.delete(recheckQueue).where(eq(recheckQueue.qrId, checked.qrId));
        await transaction.insert(recheckQueue).values({ qrId: checked.qrId });
      }),
    dequeue: async (checked) => {
      const isQueued = eq(recheckQueue.qrId, checked.qrId);
      // Called in every re-check, while few codes are queued.
      if ((await store.select().from(recheckQueue).where(isQueued)).length === 0) return;
      await ifUnchanged(checked, (transaction) => transaction.delete(recheckQueue).where(isQueued));
    },
    setBlocked: async (code, blocked) => {
      if (blocked)
        await store
          .update(qrs)
          .set({ statusBeforeBlock: sql`${qrs.status}`, status: 'blocked' })
          .where(and(eq(qrs.code, code), ne(qrs.status, 'blocked')));
      else
        await store
          .update(qrs)
          .set({
            status: sql`coalesce(${qrs.statusBeforeBlock}, 'active')`,
            statusBeforeBlock: null,
          })
          .where(and(eq(qrs.code, code), eq(qrs.status, 'blocked')));
      await announce([code]);
      const found = await store.select({ id: qrs.id }).from(qrs).where(eq(qrs.code, code));
      return found.length > 0;
    },
  };
}

/** Creates the store of complete re-checks. */
export function createRecheckRunStore(store: Store): RecheckRunStore {
  return {
    last: async (kind) =>
      (await store.select().from(recheckRuns).where(eq(recheckRuns.kind, kind)))[0] ?? null,
    record: async (kind, { listVersion, startedMs }) => {
      const row = { kind, listVersion, startedMs };
      await store
        .insert(recheckRuns)
        .values(row)
        .onConflictDoUpdate({ target: recheckRuns.kind, set: row });
    },
  };
}

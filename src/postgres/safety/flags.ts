import { and, asc, count, desc, eq, gt, ne, sql } from 'drizzle-orm';
import type { CheckedCode, FlagStore } from '../../core/safety/recheck.ts';
import type { RecheckRunStore } from '../../core/safety/schedule.ts';
import type { ChangeRedirects } from '../copies/change-redirects.ts';
import { accounts, flags, qrs, recheckQueue, recheckRuns } from '../database/schema.ts';
import type { Store, Transaction } from '../database/store.ts';

/** Creates the store of flags, blocks and the re-check queue. */
export function createFlagStore(store: Store, changeRedirects: ChangeRedirects): FlagStore {
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
  const ifUnchanged = async (
    transaction: Transaction,
    { qrId, destination }: CheckedCode,
    change: () => Promise<unknown>,
  ) => {
    const [current] = await transaction
      .select({ destination: qrs.destination })
      .from(qrs)
      .where(eq(qrs.id, qrId))
      .for('no key update');
    if (current?.destination === destination) await change();
  };

  return {
    find: async (code) => (await select().where(eq(qrs.code, code)))[0] ?? null,
    flagged: (limit) =>
      select().where(sql`${flags.sinceMs} is not null`).orderBy(desc(flags.sinceMs)).limit(limit),
    blocked: (limit) =>
      select().where(eq(qrs.status, 'blocked')).orderBy(desc(qrs.id)).limit(limit),
    after: (qrId, limit) => select().where(gt(qrs.id, qrId)).orderBy(asc(qrs.id)).limit(limit),
    setFlag: (checked, flag) =>
      changeRedirects(async (transaction) => {
        await ifUnchanged(transaction, checked, async () => {
          await transaction.delete(flags).where(eq(flags.qrId, checked.qrId));
          if (flag !== null)
            await transaction.insert(flags).values({ qrId: checked.qrId, ...flag });
        });
        return { codes: [checked.code], result: undefined };
      }),
    queueLength: async () =>
      (await store.select({ rows: count() }).from(recheckQueue))[0]?.rows ?? 0,
    queued: (limit) =>
      select()
        .innerJoin(recheckQueue, eq(recheckQueue.qrId, qrs.id))
        .orderBy(asc(recheckQueue.id))
        .limit(limit),
    enqueue: (checked) =>
      store.transaction((transaction) =>
        ifUnchanged(transaction, checked, async () => {
          await transaction.delete(recheckQueue).where(eq(recheckQueue.qrId, checked.qrId));
          await transaction.insert(recheckQueue).values({ qrId: checked.qrId });
        }),
      ),
    dequeue: async (checked) => {
      const isQueued = eq(recheckQueue.qrId, checked.qrId);
      // Called in every re-check, while few codes are queued.
      if ((await store.select().from(recheckQueue).where(isQueued)).length === 0) return;
      await store.transaction((transaction) =>
        ifUnchanged(transaction, checked, () => transaction.delete(recheckQueue).where(isQueued)),
      );
    },
    setBlocked: async (code, blocked) => {
      const change = blocked
        ? { statusBeforeBlock: sql`${qrs.status}`, status: 'blocked' as const }
        : { statusBeforeBlock: null, status: sql`coalesce(${qrs.statusBeforeBlock}, 'active')` };
      const isOther = blocked ? ne(qrs.status, 'blocked') : eq(qrs.status, 'blocked');
      await changeRedirects(async (transaction) => {
        await transaction
          .update(qrs)
          .set(change)
          .where(and(eq(qrs.code, code), isOther));
        return { codes: [code], result: null };
      });
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

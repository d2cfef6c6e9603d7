import { asc, eq, gt, sql } from 'drizzle-orm';
import type { QrStatus } from '../../core/codes/qr.ts';
import type { CheckedCode, FlagStore } from '../../core/safety/recheck.ts';
import type { SqliteLinkStore } from '../codes/link-targets.ts';
import type { Store } from '../database/open.ts';
import { flags, pausedWhenBlocked, recheckQueue } from '../database/safety-schema.ts';
import { qrs } from '../database/schema.ts';
import { write } from '../database/write.ts';
import { selectWatched, toWatched } from './watched-codes.ts';

/** Reputation of codes in SQLite. */
export function createFlagStore(store: Store, links: Pick<SqliteLinkStore, 'forget'>): FlagStore {
  /** Runs a change only if the code still leads to the destination that it is about. */
  const ifUnchanged = async (suspect: CheckedCode, change: (transaction: Writer) => void) => {
    await write(() =>
      store.transaction(
        (transaction) => {
          const now = transaction
            .select({ destination: qrs.destination })
            .from(qrs)
            .where(eq(qrs.id, suspect.qrId))
            .get();
          if (now?.destination === suspect.destination) change(transaction);
        },
        { behavior: 'immediate' },
      ),
    );
    links.forget(suspect.code);
  };

  // Asked of every code that is looked at, and hardly any is queued.
  const isQueued = store
    .select({ found: sql<number>`1` })
    .from(recheckQueue)
    .where(eq(recheckQueue.qrId, sql.placeholder('qrId')))
    .prepare();

  return {
    after: async (qrId, limit) =>
      selectWatched(store)
        .where(gt(qrs.id, qrId))
        .orderBy(asc(qrs.id))
        .limit(limit)
        .all()
        .map(toWatched),
    setFlag: async (suspect, flag) =>
      ifUnchanged(suspect, (transaction) => {
        transaction.delete(flags).where(eq(flags.qrId, suspect.qrId)).run();
        if (flag === null) return;
        const { list, expression, sinceMs: since } = flag;
        transaction.insert(flags).values({ qrId: suspect.qrId, list, expression, since }).run();
      }),
    queued: async (limit) =>
      selectWatched(store)
        .innerJoin(recheckQueue, eq(recheckQueue.qrId, qrs.id))
        .orderBy(asc(recheckQueue.since))
        .limit(limit)
        .all()
        .map(toWatched),
    enqueue: async (suspect, atMs) =>
      ifUnchanged(suspect, (transaction) => {
        // The clock may have been set back since the last one came.
        const last = sql`(SELECT max(${recheckQueue.since}) FROM ${recheckQueue})`;
        const since = sql<number>`max(${atMs}, coalesce(${last} + 1, 0))`;
        transaction
          .insert(recheckQueue)
          .values({ qrId: suspect.qrId, since })
          .onConflictDoUpdate({ target: recheckQueue.qrId, set: { since } })
          .run();
      }),
    dequeue: async (suspect) => {
      if (isQueued.get({ qrId: suspect.qrId }) === undefined) return;
      await ifUnchanged(suspect, (transaction) => {
        transaction.delete(recheckQueue).where(eq(recheckQueue.qrId, suspect.qrId)).run();
      });
    },
    setBlocked: async (code, blocked) => {
      const found = await write(() =>
        store.transaction(
          (transaction) => {
            const qr = transaction
              .select({ id: qrs.id, status: qrs.status })
              .from(qrs)
              .where(eq(qrs.code, code))
              .get();
            if (qr === undefined) return false;
            if ((qr.status === 'blocked') === blocked) return true;
            const status = blocked ? block(transaction, qr) : lift(transaction, qr.id);
            transaction.update(qrs).set({ status }).where(eq(qrs.id, qr.id)).run();
            return true;
          },
          { behavior: 'immediate' },
        ),
      );
      links.forget(code);
      return found;
    },
  };
}

function block(transaction: Writer, { id, status }: { id: number; status: QrStatus }): QrStatus {
  if (status === 'paused') transaction.insert(pausedWhenBlocked).values({ qrId: id }).run();
  return 'blocked';
}

/** Lifting a block never wakes a code that its owner has paused. */
function lift(transaction: Writer, id: number): QrStatus {
  const paused = eq(pausedWhenBlocked.qrId, id);
  const [known] = transaction.delete(pausedWhenBlocked).where(paused).returning().all();
  return known === undefined ? 'active' : 'paused';
}

/** What a transaction offers; the same as the store itself. */
type Writer = Pick<Store, 'select' | 'insert' | 'delete'>;

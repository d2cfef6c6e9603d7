import { count, desc, eq, isNotNull, sql } from 'drizzle-orm';
import type { CodeWatch, WatchedCode } from '../core/safety-desk.ts';
import type { Store } from './open.ts';
import { flags, recheckQueue } from './safety-schema.ts';
import { accounts, qrs } from './schema.ts';

/** Codes as operators see them, in SQLite. */
export function makeCodeWatch(store: Store): CodeWatch {
  return {
    find: async (code) => {
      const row = select(store).where(eq(qrs.code, code)).get();
      return row === undefined ? null : toWatched(row);
    },
    flagged: async (limit) =>
      select(store)
        .where(isNotNull(flags.since))
        .orderBy(desc(flags.since))
        .limit(limit)
        .all()
        .map(toWatched),
    blocked: async (limit) =>
      select(store)
        // Spelled out, not bound: only so does SQLite know that its index of the blocked will do.
        .where(sql`${qrs.status} = 'blocked'`)
        .orderBy(desc(qrs.id))
        .limit(limit)
        .all()
        .map(toWatched),
    queueLength: async () => store.select({ rows: count() }).from(recheckQueue).get()?.rows ?? 0,
  };
}

type Row = NonNullable<ReturnType<ReturnType<typeof select>['get']>>;

function select(store: Store) {
  return store
    .select({
      qrId: qrs.id,
      code: qrs.code,
      owner: accounts.email,
      destination: qrs.destination,
      status: qrs.status,
      list: flags.list,
      expression: flags.expression,
      sinceMs: flags.since,
    })
    .from(qrs)
    .innerJoin(accounts, eq(accounts.id, qrs.accountId))
    .leftJoin(flags, eq(flags.qrId, qrs.id))
    .$dynamic();
}

function toWatched({ list, expression, sinceMs, ...code }: Row): WatchedCode {
  const flagged = list !== null && expression !== null && sinceMs !== null;
  return { ...code, flag: flagged ? { list, expression, sinceMs } : null };
}
